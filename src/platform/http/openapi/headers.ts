/** Response headers by name, referenced from the answers that carry them. */
export const RESPONSE_HEADERS = {
  Location: { description: 'Where the resource can be read', schema: { type: 'string', format: 'uri-reference' } },
  ETag: {
    description:
      'Names what was read, for If-None-Match; of a SKU also for If-Match, which compares its catalogue data',
    schema: { type: 'string', example: '"1.1000.4"' },
  },
  'Cache-Control': { description: 'How long the answer may be kept', schema: { type: 'string', example: 'max-age=1' } },
  'Retry-After': { description: 'Seconds to wait before asking again', schema: { type: 'integer', minimum: 0 } },
  'Idempotent-Replayed': {
    description: '`true` where this is the answer that an earlier request with the same key was given',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Request-Id': {
    description: 'Names the request in the logs: yours, if it was sent, or a new one',
    schema: { type: 'string', example: '0f8fad5b-d9cb-469f-a165-70867728950e' },
  },
  RateLimit: {
    description: 'What is left of the limit (IETF draft)',
    schema: { type: 'string', example: '"default";r=1187;t=42' },
  },
  'RateLimit-Policy': {
    description: 'The limit (IETF draft)',
    schema: { type: 'string', example: '"default";q=1200;w=60' },
  },
} as const;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Makes a retry safe: the same key with the same payload acts once and is answered alike, also after a crash. ' +
    'Scoped to the client, whichever of its API keys it sends, and the route. Kept for 24 hours, and as long as what it ' +
    'began is under way and 24 hours beyond. Use a new one (a UUID) for every intent.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11',
} as const;
