import { DomainError } from '../../common/domain-error.js';
import { decide, lastOfRest, SAGA_VERBS, type SagaPlace, type Verb } from '../../saga/operator/verb-decision.js';
import type { SagaDefinition } from '../../saga/saga-definition.js';
import { isCompensating, type SagaPhase } from '../../saga/saga-state.js';
import { type Effect, summaryOf } from './effect.js';
import type { OrderFacts } from './order-facts.js';
import { effectsOfStep, type SagaDataView } from './step-effects.js';

/** A verb that is possible now, and its effect. */
export interface Preview<V extends string = string> {
  readonly verb: V;
  readonly summary: string;
  readonly effects: readonly Effect[];
}

export interface PreviewedSaga extends SagaPlace {
  readonly data: SagaDataView;
}

export function previewOf<V extends string>(verb: V, effects: readonly Effect[]): Preview<V> {
  return { verb, effects, summary: summaryOf(effects) };
}

/** The verbs that the saga would accept now. */
export function sagaVerbs(
  saga: PreviewedSaga,
  definition: SagaDefinition<unknown> | undefined,
  facts: OrderFacts | undefined,
): Preview<Verb>[] {
  return SAGA_VERBS.flatMap((verb) => sagaVerb(verb, saga, definition, facts) ?? []);
}

/**
 * Undefined if the saga would refuse the verb. Without facts, because the order is gone or never existed, the steps are
 * named.
 */
export function sagaVerb(
  verb: Verb,
  saga: PreviewedSaga,
  definition: SagaDefinition<unknown> | undefined,
  facts: OrderFacts | undefined,
): Preview<Verb> | undefined {
  try {
    const { phase, position } = decide(saga, verb, definition);
    const effects = verb === 'resolve' ? restOfResolved(saga, definition, facts) : ahead(phase, position);
    return previewOf(verb, effects);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_STATE') return undefined;
    throw error;
  }

  /** The effects of all steps ahead: back to the first step, or forward to the last one. */
  function ahead(phase: SagaPhase, position: number): Effect[] {
    const isBack = isCompensating(phase);
    const steps = definition?.steps ?? [];
    const coming = isBack ? steps.slice(0, position + 1).reverse() : steps.slice(position);
    const needed = coming.filter((step) => step.isNeeded?.(saga.data) !== false);
    return needed.flatMap(({ name }) => effectsAt(name, isBack ? 'compensate' : 'execute', saga, facts));
  }
}

/** Our own part of the compensation is done. The provider's part stays as it is. */
function restOfResolved(
  saga: PreviewedSaga,
  definition: SagaDefinition<unknown> | undefined,
  facts: OrderFacts | undefined,
): Effect[] {
  const last = lastOfRest(saga, definition);
  const rest = last === undefined ? [] : (definition?.steps ?? []).slice(0, last + 1).reverse();
  const own = rest.flatMap(({ name }) => effectsAt(name, 'compensate', saga, facts));
  const kept = facts && facts.payment === 'CAPTURED' ? facts.captured - facts.refunded : 0;
  return facts && kept > 0 ? [{ kind: 'keep', amount: kept, currency: facts.currency }, ...own] : own;
}

function effectsAt(
  step: string,
  direction: 'execute' | 'compensate',
  { data }: PreviewedSaga,
  facts: OrderFacts | undefined,
): readonly Effect[] {
  return facts ? effectsOfStep(step, direction, facts, data) : [{ kind: 'run', what: step }];
}

export type OrderVerb = 'capture' | 'cancel' | 'refund';

/**
 * The verbs for an order as a whole. What is authorised can be captured; an order that waits for its customer, or is
 * confirmed, can be cancelled.
 */
export function orderVerbs(facts: OrderFacts): Preview<OrderVerb>[] {
  const { state, payment, currency, lines, amount, captured, refundReserved, credit } = facts;
  const rest = payment === 'CAPTURED' ? captured - refundReserved : 0;
  const refund: readonly Effect[] = rest > 0 ? [{ kind: 'refund', amount: rest, currency }] : [];
  const isAuthorized = state === 'CONFIRMED' && payment === 'AUTHORIZED';
  const voided: readonly Effect[] = isAuthorized ? [{ kind: 'void', amount, currency }] : [];
  const verbs: Preview<OrderVerb>[] = isAuthorized
    ? [previewOf('capture', [{ kind: 'capture', amount, currency }])]
    : [];
  const returned: readonly Effect[] = credit > 0 ? [{ kind: 'return-credit', amount: credit, currency }] : [];
  if (state === 'CONFIRMED')
    verbs.push(
      previewOf('cancel', [...voided, ...refund, { kind: 'restock', lines }, ...returned, { kind: 'cancel' }]),
    );
  if (state === 'PENDING' && payment === 'REQUIRES_ACTION')
    verbs.push(previewOf('cancel', [{ kind: 'ask' }, ...returned, { kind: 'release', lines }, { kind: 'reject' }]));
  const back = state === 'CONFIRMED' ? [...refund, ...returned] : refund;
  if (back.length > 0) verbs.push(previewOf('refund', back));
  return verbs;
}
