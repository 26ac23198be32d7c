import { checkoutSchema } from './checkout.dto.js';

const CHECKOUT = { currency: 'EUR', lines: [{ sku: 'mug', quantity: 1 }], payment: { method: 'pm_card_visa' } };

describe('metadata of a checkout', () => {
  const isAccepted = (metadata: unknown) => checkoutSchema.safeParse({ ...CHECKOUT, metadata }).success;
  /** The limit is on the JSON: 22 bytes around values of three, two and one byte a character. */
  const withBytes = (bytes: number) => ({ a: '本'.repeat(1_000), b: '£'.repeat(500), c: 'x'.repeat(bytes - 4_022) });

  it('is limited in bytes, whatever its script', () => {
    expect(Buffer.byteLength(JSON.stringify(withBytes(4_096)))).toBe(4_096);
    expect(isAccepted(withBytes(4_096))).toBe(true);
    expect(isAccepted(withBytes(4_097))).toBe(false);
    expect(isAccepted({ a: '本'.repeat(1_000), b: '本'.repeat(400) })).toBe(false);
  });
});
