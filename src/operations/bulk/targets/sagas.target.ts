import { Injectable } from '@nestjs/common';
import type { Operator } from '../../../platform/audit-trail/operator.js';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';
import { SagaOperatorService } from '../../../saga/operator/saga-operator.service.js';
import { SagaSearchRepository } from '../../../saga/operator/saga-search.repository.js';
import type { Verb } from '../../../saga/operator/verb-decision.js';
import { SagaRegistry } from '../../../saga/saga-registry.js';
import { SagaRepository } from '../../../saga/saga.repository.js';
import { OrderFactsRepository } from '../../preview/order-facts.repository.js';
import { sagaVerb } from '../../preview/preview.js';
import type { SagaDataView } from '../../preview/step-effects.js';
import type { BulkAction } from '../bulk-action.js';
import type { BulkFilter } from '../bulk-run.dto.js';
import type { TakenItem } from '../bulk-run.repository.js';
import { type BulkTarget, collect, inPages, PAGE, type PlannedSubject } from '../bulk-target.js';

const VERBS = {
  'retry-sagas': 'retry',
  'compensate-sagas': 'compensate',
  'resolve-sagas': 'resolve',
} as const satisfies Partial<Record<BulkAction, Verb>>;
type SagaAction = keyof typeof VERBS;

/** Sagas that are stuck or waiting. The verb itself refuses sagas that have moved on in the meantime. */
@Injectable()
export class SagasTarget implements BulkTarget {
  readonly actions = Object.keys(VERBS) as SagaAction[];

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly search: SagaSearchRepository,
    private readonly sagas: SagaRepository,
    private readonly registry: SagaRegistry,
    private readonly facts: OrderFactsRepository,
    private readonly operator: SagaOperatorService,
  ) {}

  async plan(action: SagaAction, filter: BulkFilter, limit: number): Promise<PlannedSubject[]> {
    const { name, step, direction, code, state = 'STUCK' } = filter;
    const places = step === undefined ? undefined : this.registry.placesOf(step);
    const criteria = { name, direction, code, state, places };
    const found = await collect(limit, (before) => this.search.page({ ...criteria, before, limit: PAGE }));
    return inPages(found, (ids) => this.foretell(action, ids));
  }

  async act(action: SagaAction, { subject }: TakenItem, operator: Operator): Promise<string> {
    const { state } = await this.operator.apply(subject, VERBS[action], operator);
    return `it is ${state}`;
  }

  private async foretell(action: SagaAction, ids: readonly string[]): Promise<PlannedSubject[]> {
    const sagas = await this.sagas.find(this.transactions, ids);
    const facts = await this.facts.of(
      this.transactions,
      sagas.map(({ subject }) => subject),
    );
    const byId = new Map(sagas.map((saga) => [saga.id, saga]));
    return ids.flatMap((id) => {
      const saga = byId.get(id);
      if (!saga) return [];
      const order = facts.get(saga.subject);
      const definition = this.registry.find(saga.name, saga.version);
      const preview = sagaVerb(VERBS[action], { ...saga, data: saga.data as SagaDataView }, definition, order);
      return preview ? [{ subject: id, orderId: order?.orderId ?? null, effects: preview.effects }] : [];
    });
  }
}
