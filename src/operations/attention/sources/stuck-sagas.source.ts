import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';
import { isStep } from '../../../saga/saga-log.js';
import { SagaRegistry } from '../../../saga/saga-registry.js';
import { isCompensating } from '../../../saga/saga-state.js';
import { SagaRepository, type SagaRow } from '../../../saga/saga.repository.js';
import { OrderFactsRepository } from '../../preview/order-facts.repository.js';
import type { OrderFacts } from '../../preview/order-facts.js';
import { sagaVerbs } from '../../preview/preview.js';
import type { SagaDataView } from '../../preview/step-effects.js';
import { type AttentionSource, outlook, SHOWN } from '../attention-source.js';
import type { AttentionGroup, AttentionItem } from '../attention.dto.js';
import { AttentionRepository, type StuckCount } from '../attention.repository.js';

const MAX_SAGAS = 200;

const REFUND = {
  title: 'A refund does not go through',
  advice: 'Retry once the provider takes refunds again. Resolve it only if the customer was paid back in another way.',
};
const TITLES: Readonly<Record<string, { title: string; advice: string }>> = {
  'process-payment back': REFUND,
  'settle-refund on': REFUND,
  'refund-stray on': REFUND,
  'return-payment on': REFUND,
  'capture-payment on': {
    title: 'Nobody knows whether a payment was captured',
    advice: 'Retry once the provider answers again: it is asked first, and captures once.',
  },
  'close-authorization on': {
    title: 'An authorisation whose time is over cannot be closed',
    advice: 'Retry once the provider answers again.',
  },
  'process-payment on': {
    title: 'Nobody knows whether the customer was charged',
    advice: 'Look at the provider: retry once it shows the charge, compensate if there is none.',
  },
  'confirm-order on': {
    title: 'A paid order cannot be confirmed',
    advice: 'Retry once the reason is gone, or compensate: the customer is paid back.',
  },
};

/** Stuck sagas, by the step at which they gave up and its error. */
@Injectable()
export class StuckSagasSource implements AttentionSource {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly attention: AttentionRepository,
    private readonly sagas: SagaRepository,
    private readonly registry: SagaRegistry,
    private readonly facts: OrderFactsRepository,
  ) {}

  async groups(): Promise<AttentionGroup[]> {
    const counts = await this.attention.stuckCounts(this.transactions);
    if (counts.length === 0) return [];
    const ids = await this.attention.stuck(this.transactions, SHOWN, MAX_SAGAS);
    const sagas = await this.sagas.find(this.transactions, ids);
    const facts = await this.facts.of(
      this.transactions,
      sagas.map(({ subject }) => subject),
    );
    const causes = new Map<string, StuckCount[]>();
    for (const count of counts) {
      const { cause } = this.causeOf(count);
      causes.set(cause, [...(causes.get(cause) ?? []), count]);
    }
    return [...causes.values()].map((places) => {
      const theirs = sagas.filter((saga) => places.some((place) => isAt(saga, place)));
      const items = theirs.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, SHOWN);
      return this.toGroup(
        places,
        items.map((saga) => this.toItem(saga, facts.get(saga.subject))),
      );
    });
  }

  /** All versions of a definition are grouped together. */
  private causeOf({ name, version, position, isBack, code }: StuckCount) {
    const step = this.registry.find(name, version)?.steps[position]?.name ?? `step ${position}`;
    const direction = isBack ? ('back' as const) : ('on' as const);
    const cause = ['stuck', name, step, direction, code ?? 'unknown'].join(':');
    return { cause, filter: { name, step, direction, ...(code !== null && { code }) } };
  }

  private toGroup(places: readonly StuckCount[], items: AttentionItem[]): AttentionGroup {
    const [first] = places as [StuckCount, ...StuckCount[]];
    const { cause, filter } = this.causeOf(first);
    const { name, step, direction } = filter;
    const { title, advice } = TITLES[`${step} ${direction}`] ?? {
      title: `${name} is stuck at ${step}`,
      advice: 'Retry once the reason is gone.',
    };
    const can = (verb: string) => items.some(({ verbs }) => verbs.some((preview) => preview.verb === verb));
    const recommended = direction === 'on' && can('compensate') ? 'compensate' : 'retry';
    return {
      cause,
      kind: 'stuck-saga',
      title,
      why: items[0]?.problem ?? 'It gave up.',
      count: places.reduce((sum, { count }) => sum + count, 0),
      oldestAt: first.oldestAt.toISOString(),
      advice,
      ...outlook(items, recommended),
      bulk: { action: `${recommended}-sagas`, filter },
      items,
    };
  }

  private toItem(saga: SagaRow, facts: OrderFacts | undefined): AttentionItem {
    const definition = this.registry.find(saga.name, saga.version);
    return {
      subjectKind: 'saga',
      subject: saga.id,
      orderId: facts?.orderId ?? null,
      since: saga.updated_at.toISOString(),
      problem: problemOf(saga),
      verbs: sagaVerbs({ ...saga, data: saga.data as SagaDataView }, definition, facts),
    };
  }
}

function isAt(saga: SagaRow, { name, version, position, isBack, code }: StuckCount): boolean {
  const isSamePlace = saga.name === name && saga.version === version && saga.position === position;
  return isSamePlace && isCompensating(saga.phase) === isBack && (saga.failure?.code ?? null) === code;
}

/** The error of the last attempt explains more than the failure that made the saga turn back. */
function problemOf({ log, failure }: SagaRow): string {
  const last = log.filter(isStep).findLast(({ error }) => error !== undefined)?.error;
  return last ?? failure?.detail ?? 'It gave up without a word.';
}
