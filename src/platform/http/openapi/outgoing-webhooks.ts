const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The events that registered endpoints receive, as OpenAPI 3.1 `webhooks`. */
export const OUTGOING_WEBHOOKS = {
  domainEvent: {
    post: {
      operationId: 'domainEvent',
      summary: 'A domain event',
      description:
        'Answer with a 2xx within the time-out; anything else is retried with backoff over days, then given up visibly. Verify the signature on the raw body.',
      tags: ['webhook endpoints'],
      security: [],
      parameters: [
        header('webhook-id', 'The id of the event'),
        header('webhook-timestamp', 'Seconds since 1970, of this attempt'),
        header('webhook-signature', 'v1 signatures of the id, the timestamp and the body, separated by spaces'),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/DomainEvent' } } },
      },
      responses: {
        '2XX': { description: 'Taken' },
        '4XX': { description: 'Not taken: delivered again later' },
      },
    },
  },
};
