import { amountDue } from '../../common/totals.js';
import type { Effect } from './effect.js';
import type { OrderFacts, OwedRefund } from './order-facts.js';

/** The members of a saga's data on which effects depend. Their names are those of the sagas' data types. */
export interface SagaDataView {
  readonly isAdopted?: boolean;
  readonly holdOnDecline?: boolean;
  readonly charge?: { readonly kind: string };
  readonly capture?: 'manual' | { readonly captureAmount: number; readonly currency: string };
  readonly authorization?: { readonly amount: number; readonly currency: string };
  readonly cause?: string;
  readonly refund?: OwedRefund;
  /** The amount of a requested refund; null: everything that is left. */
  readonly amount?: number | null;
  readonly refundedAmount?: number;
  readonly currency?: string;
}

type EffectsOf = (facts: OrderFacts, data: SagaDataView) => readonly Effect[];

interface StepEffects {
  readonly execute: EffectsOf;
  readonly compensate?: EffectsOf;
}

const nothing: EffectsOf = () => [];
const CAPTURED: readonly unknown[] = ['CAPTURED', 'REFUNDED'];
const UNKNOWN: readonly unknown[] = ['PENDING', 'REQUIRES_ACTION', 'IN_DOUBT'];

/** The effects of every step of every saga on money, stock and the order. A test checks that no step is missing. */
const STEP_EFFECTS: Readonly<Record<string, StepEffects>> = {
  'create-order': {
    execute: () => [{ kind: 'create' }],
    compensate: ({ state }) => (state === 'PENDING' ? [{ kind: 'reject' }] : []),
  },
  'reserve-inventory': {
    execute: ({ lines }) => [{ kind: 'hold', lines }],
    compensate: ({ hold, lines }, { isAdopted, holdOnDecline }) => {
      if (hold !== 'HELD') return [];
      return [{ kind: isAdopted || holdOnDecline ? 'leave-hold' : 'release', lines }];
    },
  },
  'hold-credit': {
    execute: ({ total, currency }) => [{ kind: 'hold-credit', amount: total, currency }],
    compensate: returnedCredit,
  },
  'process-payment': { execute: chargeOf, compensate: refundOfCharge },
  'confirm-order': { execute: ({ lines }) => [{ kind: 'take', lines }, { kind: 'confirm' }] },
  'begin-cancellation': { execute: nothing },
  'settle-refund': { execute: (_, data) => (data.refund ? [owed(data.refund)] : []) },
  'return-payment': { execute: (_, data) => (data.refund ? [owed(data.refund)] : voidOf(data)) },
  'request-capture': { execute: nothing },
  'capture-payment': { execute: captureOf },
  'claim-authorization': { execute: nothing },
  'close-authorization': { execute: (_, data) => [{ kind: 'ask' }, ...(data.cause === 'expired' ? voidOf(data) : [])] },
  'restock-inventory': { execute: ({ lines }) => [{ kind: 'restock', lines }] },
  'cancel-order': { execute: (facts) => [...returnedCredit(facts), { kind: 'cancel' }] },
  'request-refund': { execute: restOf },
  'reverse-refund': { execute: nothing },
  'record-stray': { execute: nothing },
  'reverse-stray': { execute: nothing },
  'refund-stray': {
    execute: (_, { amount, refundedAmount = 0, currency = 'XXX' }) => [
      { kind: 'refund', amount: (amount ?? 0) - refundedAmount, currency },
    ],
  },
};

export function isForetold(step: string): boolean {
  return step in STEP_EFFECTS;
}

export function effectsOfStep(
  step: string,
  direction: 'execute' | 'compensate',
  facts: OrderFacts,
  data: SagaDataView,
): readonly Effect[] {
  const known = STEP_EFFECTS[step];
  if (!known) return [{ kind: 'run', what: step }];
  return known[direction]?.(facts, data) ?? [];
}

/** The provider is asked first. It is charged only if that is certainly the first time. */
function chargeOf(
  { payment, amount, total, credit, currency }: OrderFacts,
  { capture }: SagaDataView,
): readonly Effect[] {
  if (payment === 'AUTHORIZED' || CAPTURED.includes(payment)) return [];
  const due = payment === null ? amountDue({ total, credit: [{ amount: credit }] }) : amount;
  const charge: Effect = { kind: capture === 'manual' ? 'authorize' : 'charge', amount: due, currency };
  return payment === null ? [charge] : [{ kind: 'ask' }, charge];
}

function refundOfCharge({ payment, amount, captured, refunded, currency }: OrderFacts): readonly Effect[] {
  if (payment === 'AUTHORIZED') return [{ kind: 'void', amount, currency }];
  if (CAPTURED.includes(payment)) {
    const rest = captured - refunded;
    return rest > 0 ? [{ kind: 'refund', amount: rest, currency }] : [];
  }
  return UNKNOWN.includes(payment) ? [{ kind: 'ask' }, { kind: 'refund', amount, currency, isUpTo: true }] : [];
}

/** The provider is asked first where an earlier answer was lost. It captures once. */
function captureOf({ payment }: OrderFacts, { capture }: SagaDataView): readonly Effect[] {
  if (payment !== 'AUTHORIZED' || typeof capture !== 'object') return [];
  return [{ kind: 'ask' }, { kind: 'capture', amount: capture.captureAmount, currency: capture.currency }];
}

function voidOf({ authorization }: SagaDataView): readonly Effect[] {
  return authorization ? [{ kind: 'void', amount: authorization.amount, currency: authorization.currency }] : [];
}

function returnedCredit({ credit, currency }: OrderFacts): readonly Effect[] {
  return credit > 0 ? [{ kind: 'return-credit', amount: credit, currency }] : [];
}

function restOf({ captured, refundReserved, currency }: OrderFacts, data: SagaDataView): readonly Effect[] {
  return [{ kind: 'refund', amount: data.amount ?? captured - refundReserved, currency }];
}

function owed({ amount, currency }: OwedRefund): Effect {
  return { kind: 'refund', amount, currency };
}
