import { formatMoney } from '../../common/money.js';
import type { LedgerCharge } from '../../payment/gateway/payment-gateway.js';
import type { OrderFacts } from '../preview/order-facts.js';

/** A charge as the provider has it, and whether it is the order's payment or a stray of it. */
export type ProviderCharge = Pick<
  LedgerCharge,
  'id' | 'state' | 'amount' | 'capturedAmount' | 'refundedAmount' | 'currency'
>;

const MOVED: ReadonlySet<string> = new Set(['CAPTURED', 'REFUNDED']);

/** The differences between provider, payment and order, in words. A pure function of what was read. */
export function disagreements(
  facts: OrderFacts,
  charges: readonly ProviderCharge[],
  strayIds: ReadonlySet<string>,
): string[] {
  const own = charges.filter(({ id }) => !strayIds.has(id));
  return [...withProvider(facts, own), ...withOrder(facts)];
}

function withProvider(facts: OrderFacts, charges: readonly ProviderCharge[]): string[] {
  const { payment, amount, refunded, currency, transactionId } = facts;
  if (payment === 'AUTHORIZED') return withAuthorized(facts, charges);
  const blocked = charges.find(({ state }) => state === 'AUTHORIZED');
  if (blocked)
    return [
      `the provider has authorised ${money(blocked.amount, blocked.currency)}, our payment is ${payment ?? 'missing'}`,
    ];
  const captured = charges.filter(({ state }) => MOVED.has(state));
  const problems: string[] = [];
  if (captured.length > 1) problems.push(`the provider has ${captured.length} captured charges of the order`);
  const theirs = captured.find(({ id }) => id === transactionId) ?? captured[0];
  if (!hasMoved(facts)) {
    if (theirs) {
      const state = payment === null ? 'missing' : payment;
      problems.push(
        `the provider has captured ${money(theirs.capturedAmount, theirs.currency)}, our payment is ${state}`,
      );
    }
    return problems;
  }
  if (amount === 0) return problems; // nothing was charged, and nothing had to be
  const ours = money(facts.captured, currency);
  if (!theirs) return [...problems, `we have captured ${ours}, the provider has no such charge`];
  if (theirs.capturedAmount !== facts.captured || theirs.currency !== currency)
    problems.push(`the provider has captured ${money(theirs.capturedAmount, theirs.currency)}, we have ${ours}`);
  if (theirs.refundedAmount !== refunded)
    problems.push(
      `the provider has refunded ${money(theirs.refundedAmount, theirs.currency)}, we have ${money(refunded, currency)}`,
    );
  return problems;
}

function withAuthorized({ amount, currency, transactionId }: OrderFacts, charges: readonly ProviderCharge[]): string[] {
  const theirs = charges.find(({ id }) => id === transactionId);
  const ours = money(amount, currency);
  if (!theirs) return [`we have authorised ${ours}, the provider has no such charge`];
  if (theirs.state !== 'AUTHORIZED') return [`we have authorised ${ours}, the provider’s charge is ${theirs.state}`];
  if (theirs.amount === amount && theirs.currency === currency) return [];
  return [`the provider has authorised ${money(theirs.amount, theirs.currency)}, we have ${ours}`];
}

function withOrder(facts: OrderFacts): string[] {
  const { state, total, currency, payment, amount, captured, refunded, credited, creditTaken } = facts;
  const kept = hasMoved(facts) ? captured - refunded - credited : 0;
  if (payment === 'AUTHORIZED' && (state === 'REJECTED' || state === 'CANCELLED'))
    return [`the order is ${state}, and ${money(amount, currency)} are still authorised`];
  if (state === 'CONFIRMED' && !hasMoved(facts) && payment !== 'AUTHORIZED')
    return [`the order is CONFIRMED, its payment is ${payment ?? 'missing'}`];
  if (state === 'CONFIRMED' && amount + creditTaken !== total) {
    const credit = creditTaken > 0 ? ` and ${money(creditTaken, currency)} of store credit` : '';
    return [`the order's total is ${money(total, currency)}, its payment ${money(amount, currency)}${credit}`];
  }
  if ((state === 'REJECTED' || state === 'CANCELLED') && kept > 0)
    return [`the order is ${state}, and ${money(kept, currency)} are not paid back`];
  return [];
}

function hasMoved({ payment }: OrderFacts): boolean {
  return payment !== null && MOVED.has(payment);
}

const money = formatMoney;
