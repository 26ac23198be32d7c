import type { Stripe } from 'stripe';
import { bounded } from '../bounded.js';
import {
  ChargeLookup,
  ChargeRequest,
  ChargeResult,
  InvalidSignatureError,
  KnownCharge,
  KnownRefund,
  LedgerCharge,
  LookupRequest,
  PaymentGateway,
  RefundRequest,
  RefundResult,
  CallbackEvent,
} from '../payment-gateway.js';
import { toStripeAmount } from './stripe-amount.js';
import { asGatewayError, declineOf, fingerprintOf, isUnexpectedState, refundRefusalOf } from './stripe-errors.js';
import { StripeLedger } from './stripe-ledger.js';
import {
  METADATA,
  toChargeResult,
  toKnownRefund,
  toLedgerCharge,
  toRefundResult,
  toWebhookEvent,
} from './stripe-mapping.js';

const WEBHOOK_TOLERANCE_SECONDS = 300;
/** Stripe's clock and ours may differ by this much. */
const SKEW_MS = 300_000;

export interface StripeGatewayOptions {
  readonly webhookSecret: string;
  /** Where Stripe sends the customer after an authentication, unless the checkout says where. Without it the storefront shows the challenge itself. */
  readonly returnUrl?: string | undefined;
}

export class StripeGateway implements PaymentGateway {
  readonly provider = 'stripe';
  /** "Keys may be removed from the system after they are at least 24 hours old." */
  readonly keyMemoryMs = 24 * 3_600_000;
  private readonly ledger: StripeLedger;

  constructor(
    private readonly stripe: Stripe,
    private readonly options: StripeGatewayOptions,
  ) {
    this.ledger = new StripeLedger(stripe);
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult> {
    try {
      const { idempotencyKey } = request;
      const create = () => this.stripe.paymentIntents.create(this.intentParams(request), { idempotencyKey });
      return toChargeResult(await bounded(create, signal));
    } catch (error) {
      const declined = declineOf(error);
      if (declined) return declined;
      throw asGatewayError(error);
    }
  }

  async fingerprintOf(method: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      return fingerprintOf(await bounded(() => this.stripe.paymentMethods.retrieve(method), signal));
    } catch (error) {
      if (declineOf(error)) return undefined; // no such method: the charge itself will report it
      throw asGatewayError(error);
    }
  }

  async refund(request: RefundRequest, signal: AbortSignal): Promise<RefundResult> {
    try {
      const { idempotencyKey, orderId, transactionId, amount, currency } = request;
      const params = {
        payment_intent: transactionId,
        amount: toStripeAmount(amount, currency),
        metadata: { [METADATA.orderId]: orderId, [METADATA.key]: idempotencyKey },
      };
      return toRefundResult(await bounded(() => this.stripe.refunds.create(params, { idempotencyKey }), signal));
    } catch (error) {
      const refused = refundRefusalOf(error);
      if (refused) return refused;
      throw asGatewayError(error);
    }
  }

  async retrieveCharge(transactionId: string, signal: AbortSignal): Promise<KnownCharge | undefined> {
    const intent = await this.ledger.retrieveIntent(transactionId, signal);
    const charge = intent && toLedgerCharge(intent);
    return charge && { ...charge, result: toChargeResult(intent) };
  }

  async retrieveRefund(refundId: string, signal: AbortSignal): Promise<KnownRefund | undefined> {
    const refund = await this.ledger.retrieveRefund(refundId, signal);
    return refund && toKnownRefund(refund);
  }

  async lookupCharge(request: ChargeLookup, signal: AbortSignal): Promise<ChargeResult | undefined> {
    const since = new Date(request.intendedAt.getTime() - SKEW_MS);
    const found = await this.ledger.findIntent(request.idempotencyKey, since, signal);
    return found && toChargeResult(found);
  }

  async lookupRefund(
    request: LookupRequest & { transactionId: string },
    signal: AbortSignal,
  ): Promise<RefundResult | undefined> {
    for await (const { data } of this.ledger.refundPages(request.transactionId, signal)) {
      const found = data.find((refund) => refund.metadata?.[METADATA.key] === request.idempotencyKey);
      if (found) return toRefundResult(found);
    }
    return undefined;
  }

  /** Without a key: Stripe would repeat a stored error under it, and cancelling twice is harmless. */
  async cancelCharge(request: LookupRequest & { transactionId: string }, signal: AbortSignal): Promise<ChargeResult> {
    const { transactionId } = request;
    try {
      return toChargeResult(await bounded(() => this.stripe.paymentIntents.cancel(transactionId), signal));
    } catch (error) {
      if (!isUnexpectedState(error)) throw asGatewayError(error);
      return toChargeResult(await this.ledger.call(() => this.stripe.paymentIntents.retrieve(transactionId), signal));
    }
  }

  parseWebhook(rawBody: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): CallbackEvent {
    const signature = headers['stripe-signature'];
    if (typeof signature !== 'string') throw new InvalidSignatureError('the signature header is missing');
    const { webhookSecret } = this.options;
    try {
      const event = this.stripe.webhooks.constructEvent(rawBody, signature, webhookSecret, WEBHOOK_TOLERANCE_SECONDS);
      return toWebhookEvent(event);
    } catch {
      throw new InvalidSignatureError('the signature does not match, is too old, or the body is not an event');
    }
  }

  async *listCharges(since: Date, signal: AbortSignal): AsyncGenerator<readonly LedgerCharge[]> {
    const listed = new Set<string>();
    for await (const { data } of this.ledger.intentPages(since, signal)) {
      for (const { id } of data) listed.add(id);
      yield* nonEmpty(data);
    }
    for await (const intents of this.ledger.changedIntents(since, listed, signal)) yield* nonEmpty(intents);
  }

  async *listFailedRefunds(since: Date, signal: AbortSignal): AsyncGenerator<readonly KnownRefund[]> {
    for await (const refunds of this.ledger.changedRefunds(since, signal)) {
      const failed = refunds.map(toKnownRefund).filter((refund) => refund?.result.kind === 'failed');
      if (failed.length > 0) yield failed.filter((refund) => refund !== undefined);
    }
  }

  /** Redirect-based methods need a return URL. Without one they are not offered. */
  private intentParams(request: ChargeRequest): Stripe.PaymentIntentCreateParams {
    const { idempotencyKey, orderId, amount, currency, method } = request;
    const returnUrl = request.returnUrl ?? this.options.returnUrl;
    return {
      amount: toStripeAmount(amount, currency),
      currency: currency.toLowerCase(),
      payment_method: method,
      confirm: true,
      metadata: { [METADATA.orderId]: orderId, [METADATA.key]: idempotencyKey },
      ...(returnUrl === undefined
        ? { automatic_payment_methods: { enabled: true, allow_redirects: 'never' } }
        : { automatic_payment_methods: { enabled: true }, return_url: returnUrl }),
    };
  }
}

function* nonEmpty(intents: readonly Stripe.PaymentIntent[]): Generator<readonly LedgerCharge[]> {
  const ours = intents.map(toLedgerCharge).filter((charge) => charge !== undefined);
  if (ours.length > 0) yield ours;
}
