import { Instance } from './infrastructure/database/instance.entity.js';
import { Reconciliation } from './checkout/reconciliation/reconciliation.entity.js';
import { ReservationEntity, ReservationLineEntity } from './inventory/reservation.entity.js';
import { SkuEntity } from './inventory/sku.entity.js';
import { StockMovementEntity } from './inventory/stock-movement.entity.js';
import { LockLeaseEntity } from './lock/lock-lease.entity.js';
import { Order } from './order/order.entity.js';
import { TimelineEntry } from './order/timeline-entry.entity.js';
import { PaymentEntity } from './payment/payment.entity.js';
import { RefundEntity } from './payment/refund.entity.js';
import { StrayChargeEntity } from './payment/stray-charge.entity.js';
import { WebhookInboxEntity } from './payment/webhooks/webhook-inbox.entity.js';
import { Saga, SagaAudit } from './saga/saga.entity.js';
import { WebhookDelivery } from './webhook/webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook/webhook-endpoint.entity.js';

/** Every entity of the model: the application and the migration commands read the same list. */
export const entities = [
  Instance,
  SkuEntity,
  StockMovementEntity,
  ReservationEntity,
  ReservationLineEntity,
  LockLeaseEntity,
  Order,
  TimelineEntry,
  PaymentEntity,
  RefundEntity,
  StrayChargeEntity,
  WebhookInboxEntity,
  Reconciliation,
  Saga,
  SagaAudit,
  WebhookEndpoint,
  WebhookDelivery,
];
