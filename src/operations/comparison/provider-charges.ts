import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { statement } from '../../platform/postgres/statement.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import {
  GatewayRequestError,
  type KnownCharge,
  PAYMENT_GATEWAY,
  type PaymentGateway,
} from '../../payment/gateway/payment-gateway.js';
import type { OrderFacts } from '../preview/order-facts.js';

interface KnownIds {
  readonly transactionId: string | null;
  readonly idempotencyKey: string | null;
  readonly intendedAt: Date | null;
  readonly strayIds: readonly string[];
  readonly isOpen: boolean;
}

const KNOWN = statement(
  'comparison.known',
  `SELECT transaction_id AS "transactionId", idempotency_key AS "idempotencyKey", payments.created_at AS "intendedAt",
     ARRAY(SELECT transaction_id FROM stray_charges WHERE stray_charges.order_id = wanted.id) AS "strayIds",
     EXISTS (SELECT FROM sagas WHERE subject = wanted.id::text AND state IN ('RUNNING', 'WAITING', 'COMPENSATING', 'STUCK')) AS "isOpen"
   FROM (SELECT $1::uuid AS id) AS wanted LEFT JOIN payments ON payments.order_id = wanted.id`,
);

/** The provider's charges of an order: the one that we know, the one under our key, and strays. */
@Injectable()
export class ProviderCharges {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly transactions: TransactionRunner,
  ) {}

  get provider(): string {
    return this.gateway.provider;
  }

  async of({ orderId }: Pick<OrderFacts, 'orderId'>, signal: AbortSignal) {
    const [known] = await this.transactions.query<KnownIds>(KNOWN, [orderId]);
    if (!known) throw new DomainError('ORDER_NOT_FOUND', 'The order does not exist');
    const strayIds = new Set(known.strayIds);
    try {
      const own = known.transactionId ?? (await this.underOurKey(orderId, known, signal));
      const ids = [...new Set([...(own === undefined ? [] : [own]), ...strayIds])];
      const charges = await Promise.all(ids.map((id) => this.retrieve(id, signal)));
      return { charges: charges.filter((charge) => charge !== undefined), strayIds, isOpen: known.isOpen };
    } catch (error) {
      throw new DomainError('DEPENDENCY_UNAVAILABLE', 'The payment provider cannot be asked', {}, { cause: error });
    }
  }

  /** The payment of an order that moved no money has an id that no provider knows. */
  private async retrieve(id: string, signal: AbortSignal): Promise<KnownCharge | undefined> {
    try {
      return await this.gateway.retrieveCharge(id, signal);
    } catch (error) {
      if (error instanceof GatewayRequestError) return undefined;
      throw error;
    }
  }

  private async underOurKey(
    orderId: string,
    { idempotencyKey, intendedAt }: KnownIds,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (idempotencyKey === null || intendedAt === null) return undefined;
    const result = await this.gateway.lookupCharge({ orderId, idempotencyKey, intendedAt }, signal);
    return result?.transactionId;
  }
}
