import type { OrderFacts } from '../preview/order-facts.js';
import { disagreements, type ProviderCharge } from './comparison.js';

const order = (overrides: Partial<OrderFacts>): OrderFacts => ({
  captured: overrides.amount ?? 1_000,
  orderId: 'o',
  state: 'CONFIRMED',
  currency: 'EUR',
  total: 1_000,
  lines: [],
  customerEmail: null,
  createdAt: new Date(0),
  payment: 'CAPTURED',
  amount: 1_000,
  refunded: 0,
  refundReserved: 0,
  credited: 0,
  provider: 'sandbox',
  transactionId: 'ch_1',
  hold: 'COMMITTED',
  credit: 0,
  creditTaken: 0,
  ...overrides,
});
const charge = (overrides: Partial<ProviderCharge> = {}): ProviderCharge => ({
  capturedAmount: overrides.amount ?? 1_000,
  id: 'ch_1',
  state: 'CAPTURED',
  amount: 1_000,
  refundedAmount: 0,
  currency: 'EUR',
  ...overrides,
});
const between = (facts: Partial<OrderFacts>, charges: readonly ProviderCharge[], strays: readonly string[] = []) =>
  disagreements(order(facts), charges, new Set(strays));

describe('provider, payment and order', () => {
  it('agree about an order that was paid once', () => {
    expect(between({}, [charge()])).toEqual([]);
  });

  it('agree where store credit paid a part, or all of it', () => {
    expect(between({ amount: 400, creditTaken: 600, credit: 600 }, [charge({ amount: 400 })])).toEqual([]);
    expect(between({ amount: 0, creditTaken: 1_000, credit: 1_000, transactionId: null }, [])).toEqual([]);
  });

  it('agree where a charge was paid back as store credit', () => {
    expect(between({ state: 'CANCELLED', credited: 1_000 }, [charge()])).toEqual([]);
  });

  it('differ where credit and card together are not the total', () => {
    expect(between({ amount: 300, creditTaken: 600 }, [charge({ amount: 300 })])).toEqual([
      "the order's total is 10.00 EUR, its payment 3.00 EUR and 6.00 EUR of store credit",
    ]);
  });

  it('differ where the provider has what we have not, or the other way round', () => {
    expect(between({ payment: 'DECLINED', state: 'REJECTED' }, [charge()])).toEqual([
      'the provider has captured 10.00 EUR, our payment is DECLINED',
    ]);
    expect(between({}, [])).toEqual(['we have captured 10.00 EUR, the provider has no such charge']);
    expect(between({}, [charge({ refundedAmount: 250 })])).toEqual([
      'the provider has refunded 2.50 EUR, we have 0.00 EUR',
    ]);
  });

  it('differ where an order was charged twice, unless the second charge is a stray that is paid back on its own', () => {
    const twice = [charge(), charge({ id: 'ch_2' })];
    expect(between({}, twice)).toEqual(['the provider has 2 captured charges of the order']);
    expect(between({}, twice, ['ch_2'])).toEqual([]);
  });

  it('agree about what is authorised, and about a part that was captured', () => {
    const blocked = charge({ state: 'AUTHORIZED', capturedAmount: 0 });
    expect(between({ payment: 'AUTHORIZED', captured: 0 }, [blocked])).toEqual([]);
    expect(between({ captured: 300 }, [charge({ capturedAmount: 300 })])).toEqual([]);
    const voided = charge({ state: 'VOIDED', capturedAmount: 0 });
    expect(between({ payment: 'VOIDED', captured: 0, state: 'CANCELLED' }, [voided])).toEqual([]);
  });

  it('differ where one side has captured or ended what the other has authorised', () => {
    const blocked = charge({ state: 'AUTHORIZED', capturedAmount: 0 });
    expect(between({ payment: 'AUTHORIZED', captured: 0 }, [charge()])).toEqual([
      'we have authorised 10.00 EUR, the provider’s charge is CAPTURED',
    ]);
    expect(between({ payment: 'VOIDED', captured: 0, state: 'CANCELLED' }, [blocked])).toEqual([
      'the provider has authorised 10.00 EUR, our payment is VOIDED',
    ]);
    expect(between({ payment: 'AUTHORIZED', captured: 0, state: 'CANCELLED' }, [blocked])).toEqual([
      'the order is CANCELLED, and 10.00 EUR are still authorised',
    ]);
    expect(between({ captured: 300 }, [charge()])).toEqual(['the provider has captured 10.00 EUR, we have 3.00 EUR']);
  });

  it('differ where a confirmed order has lost its authorisation', () => {
    const expired = charge({ state: 'EXPIRED', capturedAmount: 0 });
    expect(between({ payment: 'EXPIRED', captured: 0 }, [expired])).toEqual([
      'the order is CONFIRMED, its payment is EXPIRED',
    ]);
  });

  it('differ where an order that is off still has the money', () => {
    expect(between({ state: 'CANCELLED', refunded: 400 }, [charge({ refundedAmount: 400 })])).toEqual([
      'the order is CANCELLED, and 6.00 EUR are not paid back',
    ]);
  });
});
