import type { components, operations } from './generated/schema.js';

export type Schemas = components['schemas'];
type OperationId = keyof operations;

type Content<T> = T extends { content: infer C } ? C[keyof C] : undefined;
type Success = 200 | 201 | 202 | 204;

/** What an operation answers when it goes well. */
export type Answer<Id extends OperationId> = operations[Id] extends { responses: infer R }
  ? Content<R[keyof R & Success]>
  : never;

export type Body<Id extends OperationId> = operations[Id] extends { requestBody?: infer B }
  ? Content<NonNullable<B>>
  : never;

export type Query<Id extends OperationId> = operations[Id] extends { parameters: { query?: infer Q } }
  ? NonNullable<Q>
  : never;

/** What a call may be given beside its parameters and its body. */
export interface CallOptions {
  /** Made and kept by the client unless it is given. One for every intent, never one for every attempt. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Names what the buyer wants, such as the id of a cart. Needs `storage`. The key and the body are kept until the outcome
   * is known, so that the same intent after a reload, or in another tab, re-attaches in place of buying twice.
   */
  readonly intent?: string | undefined;
  /** Of the order or the reservation that the call is about. Known by itself where the client has a `storage`. */
  readonly accessToken?: string | undefined;
  /** `token` of the ticket of a sale. */
  readonly saleTicket?: string | undefined;
  readonly ifMatch?: string | undefined;
  /** `wait=N` or `respond-async`, see the API. */
  readonly prefer?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long to go on after lost answers and refusals that pass; the client's own unless given. */
  readonly retryForMs?: number | undefined;
  /** Sees the response that counts, for its headers. Its body was read. */
  readonly onResponse?: ((response: Response) => void) | undefined;
}
