import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestContext {
  readonly requestId: string;
}

/** Carries the request id to every log line written on behalf of the request. */
export const requestContext = new AsyncLocalStorage<RequestContext>();
