import { AccountEntity, AccountEntryEntity, CreditHoldEntity } from './credit/account.entity.js';
import { DeadLetter } from './checkout/commands/dead-letter.entity.js';
import { BulkItem, BulkRun } from './operations/bulk/bulk-run.entity.js';
import { InstanceSampleEntity } from './operations/overview/instance-sample.entity.js';
import { OperatorAction } from './platform/audit-trail/operator-action.entity.js';
import { Instance } from './platform/postgres/instance.entity.js';
import { InvariantResultEntity } from './audit/invariants/invariant-result.entity.js';
import { Erasure } from './audit/erasure/erasure.entity.js';
import { Reconciliation } from './audit/reconciliation/reconciliation.entity.js';
import { AllowanceEntity } from './balance/allowance.entity.js';
import {
  ReservationClaimEntity,
  ReservationEntity,
  ReservationLineEntity,
} from './inventory/reservation/reservation.entity.js';
import { CouponEntity } from './promotion/coupon.entity.js';
import { SkuEntity } from './inventory/sku/sku.entity.js';
import { StockMovementEntity } from './inventory/stock/stock-movement.entity.js';
import { LockLeaseEntity } from './lock/lock-lease.entity.js';
import { Order } from './orders/order.entity.js';
import { TimelineEntry } from './orders/timeline-entry.entity.js';
import { PaymentEntity } from './payment/payment.entity.js';
import { RefundEntity } from './payment/refund.entity.js';
import { StrayChargeEntity } from './payment/stray-charge.entity.js';
import { CallbackInboxEntity } from './payment/callbacks/callback-inbox.entity.js';
import { SaleAuditEntity, SaleEntity, SaleTicketEntity } from './sales/sale.entity.js';
import { Saga, SagaAudit } from './saga/saga.entity.js';
import { WebhookDelivery } from './event-delivery/webhook-delivery.entity.js';
import { WebhookEndpoint } from './event-delivery/webhook-endpoint.entity.js';

/** Every entity of the model: the application and the migration commands read the same list. */
export const entities = [
  Instance,
  OperatorAction,
  InstanceSampleEntity,
  BulkRun,
  BulkItem,
  SkuEntity,
  StockMovementEntity,
  ReservationEntity,
  ReservationLineEntity,
  ReservationClaimEntity,
  AllowanceEntity,
  CouponEntity,
  LockLeaseEntity,
  Order,
  TimelineEntry,
  PaymentEntity,
  RefundEntity,
  StrayChargeEntity,
  AccountEntity,
  AccountEntryEntity,
  CreditHoldEntity,
  CallbackInboxEntity,
  Reconciliation,
  SaleEntity,
  SaleTicketEntity,
  SaleAuditEntity,
  Erasure,
  InvariantResultEntity,
  Saga,
  SagaAudit,
  WebhookEndpoint,
  WebhookDelivery,
  DeadLetter,
];
