import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { isTerminal } from '../../common/state-machine.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { OrderQueryService } from '../../orders/order-query.service.js';
import type { AuditEntry } from '../../saga/operator/saga-operator.repository.js';
import { toSagaView } from '../../saga/operator/saga.dto.js';
import { SagaRegistry } from '../../saga/saga-registry.js';
import { traceOf } from '../../saga/saga-trace.js';
import { SAGA_TRANSITIONS } from '../../saga/saga-state.js';
import { SagaRepository, type SagaRow } from '../../saga/saga.repository.js';
import { toActionView } from '../audit-trail/operator-action.dto.js';
import { OrderFactsRepository } from '../preview/order-facts.repository.js';
import type { OrderFacts } from '../preview/order-facts.js';
import { orderVerbs, sagaVerbs } from '../preview/preview.js';
import type { SagaDataView } from '../preview/step-effects.js';
import { spansOfSaga } from './axis.js';
import { type Dossier, toAxis } from './dossier.dto.js';
import { DossierRepository } from './dossier.repository.js';
import { spansOfActions, spansOfCallbacks, spansOfDeliveries } from './outside-spans.js';

/** Everything about one order, for an operator: from our own tables only, each read by an index. */
@Injectable()
export class DossierService {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly orders: OrderQueryService,
    private readonly sagas: SagaRepository,
    private readonly facts: OrderFactsRepository,
    private readonly rows: DossierRepository,
    private readonly registry: SagaRegistry,
  ) {}

  async of(orderId: string): Promise<Dossier> {
    const [[order], read] = await Promise.all([this.orders.current([orderId]), this.read(orderId)]);
    const { facts, sagas, audits, payment, refunds, callbacks, notes, deliveries, actions } = read;
    if (!order || !facts) throw new DomainError('ORDER_NOT_FOUND', 'The order does not exist');
    const checkout = sagas.find(({ id }) => id === order.sagaId);
    return {
      order,
      ...this.traceOf(checkout),
      payment: payment ?? null,
      refunds,
      sagas: sagas.map((saga) => this.toSaga(saga, audits, facts)),
      callbacks,
      deliveries,
      actions: actions.map(toActionView),
      verbs: orderVerbs(facts).filter(({ verb }) => verb !== 'cancel' || !isBeingCancelled(sagas)),
      axis: toAxis([
        ...sagas.flatMap(spansOfSaga),
        ...spansOfCallbacks(callbacks, notes),
        ...spansOfDeliveries(deliveries),
        ...spansOfActions(actions),
      ]),
    };
  }

  /** Two round trips: the audit entries are found by the sagas' ids. */
  private read(orderId: string) {
    return this.transactions.read(async (db) => {
      const [facts, sagas, payment, refunds, callbacks, notes, deliveries, actions] = await Promise.all([
        this.facts.of(db, [orderId]),
        this.sagas.bySubject(db, orderId),
        this.rows.payment(db, orderId),
        this.rows.refunds(db, orderId),
        this.rows.callbacks(db, orderId),
        this.rows.callbackNotes(db, orderId),
        this.rows.deliveries(db, orderId),
        this.rows.actions(db, orderId),
      ]);
      const ids = sagas.map(({ id }) => id);
      const audits = await this.rows.sagaAudits(db, ids);
      const outside = { callbacks, notes, deliveries, actions };
      return { facts: facts.get(orderId), sagas, audits, payment, refunds, ...outside };
    });
  }

  private traceOf(checkout: SagaRow | undefined): Pick<Dossier, 'traceId' | 'traceUrl'> {
    const trace = checkout && traceOf(checkout.log);
    if (!trace) return {};
    const { traceId } = trace;
    const url = this.config.traceUrl?.replaceAll('{traceId}', traceId);
    return { traceId, ...(url !== undefined && { traceUrl: url }) };
  }

  private toSaga(
    saga: SagaRow,
    audits: ReadonlyMap<string, readonly AuditEntry[]>,
    facts: OrderFacts,
  ): Dossier['sagas'][number] {
    const definition = this.registry.find(saga.name, saga.version);
    const audit = audits.get(saga.id) ?? [];
    const verbs = sagaVerbs({ ...saga, data: saga.data as SagaDataView }, definition, facts);
    return { ...toSagaView(saga, audit), verbs };
  }
}

function isBeingCancelled(sagas: readonly SagaRow[]): boolean {
  return sagas.some(({ name, state }) => name === 'cancel-order' && !isTerminal(SAGA_TRANSITIONS, state));
}
