import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../platform/postgres/entity-columns.js';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable } from '../../platform/postgres/tx.js';
import { OperatorAction } from '../../platform/audit-trail/operator-action.entity.js';
import { WebhookDelivery } from '../../event-delivery/webhook-delivery.entity.js';
import { CallbackInboxEntity } from '../../payment/callbacks/callback-inbox.entity.js';
import { PaymentEntity } from '../../payment/payment.entity.js';
import { RefundEntity } from '../../payment/refund.entity.js';
import type { AuditEntry } from '../../saga/operator/saga-operator.repository.js';

const PAYMENT = [
  'id',
  'state',
  'provider',
  'transactionId',
  'amount',
  'capturedAmount',
  'authorizedUntil',
  'refundReserved',
  'refundedAmount',
  'currency',
  'method',
  'declineCode',
  'dispute',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof PaymentEntity)[];
const REFUND = [
  'id',
  'state',
  'amount',
  'currency',
  'reason',
  'attempt',
  'providerRefundId',
  'failure',
  'lateFailures',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof RefundEntity)[];
const CALLBACK = [
  'id',
  'eventId',
  'type',
  'transactionId',
  'state',
  'attempts',
  'error',
  'receivedAt',
  'processedAt',
] as const satisfies readonly (keyof CallbackInboxEntity)[];
const DELIVERY = [
  'id',
  'endpointId',
  'eventId',
  'type',
  'state',
  'attempts',
  'lastStatus',
  'lastError',
  'deliveredAt',
  'createdAt',
] as const satisfies readonly (keyof WebhookDelivery)[];
const ACTION = [
  'id',
  'verb',
  'subjectKind',
  'subject',
  'actor',
  'reason',
  'detail',
  'runId',
  'createdAt',
] as const satisfies readonly (keyof OperatorAction)[];

export type PaymentOfOrder = Readonly<Pick<PaymentEntity, (typeof PAYMENT)[number]>>;
export type RefundOfOrder = Readonly<Pick<RefundEntity, (typeof REFUND)[number]>>;
export type CallbackOfOrder = Readonly<Pick<CallbackInboxEntity, (typeof CALLBACK)[number]>>;
export type DeliveryOfOrder = Readonly<Pick<WebhookDelivery, (typeof DELIVERY)[number]>> & { readonly url: string };
export type ActionOfOrder = Readonly<Pick<OperatorAction, (typeof ACTION)[number]>>;

export interface CallbackNote {
  readonly at: Date;
  readonly eventId: string;
  readonly type: string;
  readonly effect: string;
}

/** An order usually has a handful of each. The limit is for the exceptions. */
const MAX = 200;

const PAYMENTS = statement(
  'dossier.payments',
  `SELECT ${columnsOf(PaymentEntity, PAYMENT)} FROM payments WHERE order_id = $1`,
);
/** The results of callbacks, including those that have been purged. */
const CALLBACK_NOTES = statement(
  'dossier.callback-notes',
  `SELECT at, detail ->> 'eventId' AS "eventId", detail ->> 'type' AS type, detail ->> 'effect' AS effect
   FROM order_timeline WHERE order_id = $1 AND kind = 'callback.received' ORDER BY id LIMIT ${MAX}`,
);
const SAGA_AUDITS = statement(
  'dossier.saga-audits',
  `SELECT saga_id AS "sagaId", verb, actor, reason, from_state AS "fromState", to_state AS "toState", created_at AS at
   FROM saga_audit WHERE saga_id = ANY($1::uuid[]) ORDER BY id LIMIT ${MAX}`,
);
const REFUNDS = statement(
  'dossier.refunds',
  `SELECT ${columnsOf(RefundEntity, REFUND)} FROM refunds WHERE order_id = $1 ORDER BY id LIMIT ${MAX}`,
);
/** By all charges that we know of the order: a stray charge is not the payment's. */
const CALLBACKS = statement(
  'dossier.callbacks',
  `SELECT ${columnsOf(CallbackInboxEntity, CALLBACK)} FROM webhook_inbox WHERE transaction_id IN (
     SELECT transaction_id FROM payments WHERE order_id = $1 AND transaction_id IS NOT NULL
     UNION SELECT transaction_id FROM stray_charges WHERE order_id = $1)
   ORDER BY id LIMIT ${MAX}`,
);
const DELIVERIES = statement(
  'dossier.deliveries',
  `SELECT ${columnsOf(WebhookDelivery, DELIVERY, 'webhook_deliveries')}, url FROM webhook_deliveries
   JOIN webhook_endpoints ON webhook_endpoints.id = endpoint_id WHERE subject = $1 ORDER BY webhook_deliveries.id LIMIT ${MAX}`,
);
const ACTIONS = statement(
  'dossier.actions',
  `SELECT ${columnsOf(OperatorAction, ACTION)} FROM operator_actions WHERE order_id = $1 ORDER BY id LIMIT ${MAX}`,
);

/** Everything that the tables of several rooms store about one order, each found by an index. */
@Injectable()
export class DossierRepository {
  async payment(db: Queryable, orderId: string): Promise<PaymentOfOrder | undefined> {
    return (await db.query<PaymentOfOrder>(PAYMENTS, [orderId]))[0];
  }

  refunds(db: Queryable, orderId: string): Promise<RefundOfOrder[]> {
    return db.query<RefundOfOrder>(REFUNDS, [orderId]);
  }

  callbacks(db: Queryable, orderId: string): Promise<CallbackOfOrder[]> {
    return db.query<CallbackOfOrder>(CALLBACKS, [orderId]);
  }

  deliveries(db: Queryable, orderId: string): Promise<DeliveryOfOrder[]> {
    return db.query<DeliveryOfOrder>(DELIVERIES, [orderId]);
  }

  callbackNotes(db: Queryable, orderId: string): Promise<CallbackNote[]> {
    return db.query<CallbackNote>(CALLBACK_NOTES, [orderId]);
  }

  /** By saga. */
  async sagaAudits(db: Queryable, sagaIds: readonly string[]): Promise<Map<string, AuditEntry[]>> {
    const audits = new Map<string, AuditEntry[]>(sagaIds.map((id) => [id, []]));
    for (const row of await db.query<AuditEntry & { sagaId: string }>(SAGA_AUDITS, [sagaIds])) {
      const { sagaId, verb, actor, reason, fromState, toState, at } = row;
      audits.get(sagaId)?.push({ verb, actor, reason, fromState, toState, at });
    }
    return audits;
  }

  actions(db: Queryable, orderId: string): Promise<ActionOfOrder[]> {
    return db.query<ActionOfOrder>(ACTIONS, [orderId]);
  }
}
