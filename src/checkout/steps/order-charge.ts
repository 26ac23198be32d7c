import { Inject, Injectable } from '@nestjs/common';
import { amountDue } from '../../common/totals.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import {
  type ChargeResult,
  type KnownCharge,
  PAYMENT_GATEWAY,
  type PaymentGateway,
} from '../../payment/gateway/payment-gateway.js';
import { PaymentRepository } from '../../payment/payment.repository.js';
import { type CheckoutData, chargeKeyOf } from '../checkout-data.js';

export type Authorized = Extract<ChargeResult, { kind: 'authorized' }>;

/** Nobody can say whether the order was charged, and charging it could be the second time: a person has to look. */
export interface LostCharge {
  readonly kind: 'lost';
  readonly reason: string;
}

/** The provider has no charge of this order. */
interface NoCharge {
  readonly kind: 'none';
  /** Whether the provider still remembers the key, so that a request that is on its way and a new one are one charge. */
  readonly isKeyRemembered: boolean;
}

const DAY_MS = 86_400_000;
/** A key is trusted for less than the provider promises, because clocks differ. */
const TRUSTED_SHARE = 23 / 24;

/** The one charge of an order at the provider: how it is made, and how it is found again however long that takes. */
@Injectable()
export class OrderCharge {
  /** The next attempt may arrive this much later. */
  private readonly callMs: number;
  private readonly authorizationMs: number;

  constructor(
    @Inject(APP_CONFIG) { payment }: AppConfig,
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly transactions: TransactionRunner,
    private readonly payments: PaymentRepository,
  ) {
    this.callMs = payment.timeoutMs;
    this.authorizationMs = payment.authorizationDays * DAY_MS;
  }

  get provider(): string {
    return this.gateway.provider;
  }

  make(data: CheckoutData, signal: AbortSignal): Promise<ChargeResult> {
    const { orderId, currency, method, returnUrl, capture } = data;
    if (method === undefined) throw new Error('an amount is due and no method was named');
    const [idempotencyKey, amount] = [chargeKeyOf(data), amountDue(data)];
    return this.gateway.charge({ idempotencyKey, orderId, amount, currency, method, returnUrl, capture }, signal);
  }

  /**
   * By the provider's own id as soon as anybody has learnt it: from an answer, a callback or an earlier look-up. Only where
   * none is known by our key, which the provider keeps as a note on the charge.
   */
  async find(data: CheckoutData, signal: AbortSignal): Promise<ChargeResult | NoCharge | LostCharge> {
    const intended = await this.payments.intended(this.transactions, data.orderId);
    if (!intended) return { kind: 'none', isKeyRemembered: true }; // nothing was ever sent
    const { provider, transactionId, intendedAt, ageMs } = intended;
    if (provider !== this.gateway.provider)
      return {
        kind: 'lost',
        reason: `the charge was sent to ${provider}, which this service does not talk to any more`,
      };
    const knownId = data.charge?.transactionId ?? transactionId;
    if (knownId) return this.retrieve(data.orderId, knownId, signal);
    const request = { orderId: data.orderId, idempotencyKey: chargeKeyOf(data), intendedAt };
    return (
      (await this.gateway.lookupCharge(request, signal)) ?? {
        kind: 'none',
        isKeyRemembered: ageMs + this.callMs < (this.gateway.keyMemoryMs ?? Infinity) * TRUSTED_SHARE,
      }
    );
  }

  /** Until when it may be captured: as long as we want to wait, or as the card's network lets us. */
  authorized({ transactionId, authorizedUntil }: Authorized): { transactionId: string; until: string } {
    const untilMs = Math.min(Date.now() + this.authorizationMs, Date.parse(authorizedUntil ?? '') || Infinity);
    return { transactionId, until: new Date(untilMs).toISOString() };
  }

  /** Closes a charge that is still open, so that it cannot be captured behind our back. */
  cancel(data: CheckoutData, transactionId: string, signal: AbortSignal): Promise<KnownCharge> {
    const request = { orderId: data.orderId, idempotencyKey: chargeKeyOf(data), transactionId };
    return this.gateway.cancelCharge(request, signal);
  }

  private async retrieve(
    orderId: string,
    transactionId: string,
    signal: AbortSignal,
  ): Promise<ChargeResult | LostCharge> {
    const charge = await this.gateway.retrieveCharge(transactionId, signal);
    if (charge?.orderId === orderId) return charge.result;
    return { kind: 'lost', reason: `the provider does not know charge ${transactionId} of this order` };
  }
}
