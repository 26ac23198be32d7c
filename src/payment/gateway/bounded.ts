import { untilAborted } from '../../common/deadline.js';
import { GatewayUnknownError } from './payment-gateway.js';

/**
 * Bounds a call of the provider by its signal. A call whose signal has already aborted is not made. A call that was made
 * goes on after an abort, because a request that has left cannot be called back: an abort means "unknown", never "did
 * not happen".
 */
export async function bounded<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw noAnswer();
  return untilAborted(signal, call(), noAnswer);
}

/** A provider that takes the call and stays silent. */
export function neverAnswers(signal: AbortSignal): Promise<never> {
  return bounded(() => new Promise<never>(() => undefined), signal);
}

function noAnswer(): GatewayUnknownError {
  return new GatewayUnknownError('the payment provider did not answer in time');
}
