import { ConnectionError, isProblem, OutOfStockError, PaymentDeclinedError } from '@checkout-saga/client';

const DECLINES: Readonly<Record<string, string>> = {
  insufficient_funds: 'There is not enough money on this card.',
  authentication_failed: 'The bank did not get your approval.',
  card_declined: 'The bank declined this card.',
};

const REASONS: Readonly<Record<string, string>> = {
  RESERVATION_EXPIRED: 'The time is over: what you held is free again.',
  RESERVATION_NOT_FOUND: 'What you held is not known any more.',
  EXTENSION_LIMIT: 'It cannot be held any longer. Pay now, or start again.',
  ADMISSION_REQUIRED: 'This is on sale with a queue. Join it first.',
  LIMIT_EXCEEDED: 'You are in this queue already.',
  PRICE_CHANGED: 'The price has changed in the meantime. Look at the total, then try again.',
  RATE_LIMITED: 'That was a lot at once. Wait a minute, then try again.',
  LOCK_TIMEOUT: 'Many people want this right now. Try again in a moment.',
  DEPENDENCY_UNAVAILABLE: 'The service is not available for a moment. Try again shortly.',
  SKU_NOT_FOUND: 'Something in your cart is not sold any more.',
};

/** Why something did not work, in a sentence for the buyer. */
export function explain(error: unknown, nameOf: (sku: string) => string = (sku) => sku): string {
  if (error instanceof OutOfStockError) {
    const { shortages } = error.problem;
    return shortages.map(({ sku, available }) => shortage(nameOf(sku), available)).join(' ');
  }
  if (error instanceof PaymentDeclinedError) return DECLINES[error.problem.declineCode] ?? 'The payment was declined.';
  if (isProblem(error)) return REASONS[error.code] ?? error.problem.detail;
  if (error instanceof ConnectionError) return 'No answer from the shop. Check your connection, then try again.';
  return 'Something went wrong here. Reload the page; nothing is lost.';
}

export function explainDecline(declineCode: string | undefined): string {
  return DECLINES[declineCode ?? ''] ?? 'The payment was declined.';
}

function shortage(name: string, available: number): string {
  return available > 0 ? `${name}: only ${available} left.` : `${name}: somebody else was faster.`;
}
