/** Makes one attempt. Throws PostponedError to be called again later. */
export type DeliveryProcessor = (deliveryId: string) => Promise<void>;

/** Not now, but in `delayMs`. */
export class PostponedError extends Error {
  constructor(readonly delayMs: number) {
    super(`postponed by ${delayMs} ms`);
  }
}
