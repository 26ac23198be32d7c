import type { Stripe } from 'stripe';
import { bounded } from '../bounded.js';
import {
  ChargeRequest,
  ChargeResult,
  InvalidSignatureError,
  LedgerCharge,
  LookupRequest,
  PaymentGateway,
  RefundRequest,
  RefundResult,
  WebhookEvent,
} from '../payment-gateway.js';
import { toStripeAmount } from './stripe-amount.js';
import { asGatewayError, declineOf, fingerprintOf, isUnexpectedState, refundRefusalOf } from './stripe-errors.js';
import { METADATA, toChargeResult, toLedgerCharge, toRefundResult, toWebhookEvent } from './stripe-mapping.js';

const WEBHOOK_TOLERANCE_SECONDS = 300;
/** The most that Stripe gives. */
const PAGE = 100;
/** The newest intents are listed (always current), older ones searched (indexed within about a minute). */
const LOOKUP_PAGES = 10;
/** Stripe forgets an idempotency key after a day at the earliest: nothing older can be in doubt under one. */
const LOOKUP_WINDOW_MS = 25 * 3_600_000;

export interface StripeGatewayOptions {
  readonly webhookSecret: string;
  /** Where Stripe sends the customer after an authentication. Without it the storefront shows the challenge itself. */
  readonly returnUrl?: string | undefined;
}

export class StripeGateway implements PaymentGateway {
  readonly provider = 'stripe';

  constructor(
    private readonly stripe: Stripe,
    private readonly options: StripeGatewayOptions,
  ) {}

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
      if (declineOf(error)) return undefined; // no such method: the charge will say so
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

  /**
   * Stripe cannot be asked by idempotency key, and repeating the request would charge if the first never arrived. So we
   * look for the key in the metadata (docs/adr/0006).
   */
  async lookupCharge(request: LookupRequest, signal: AbortSignal): Promise<ChargeResult | undefined> {
    let pages = 0;
    for await (const page of this.intentPages(new Date(Date.now() - LOOKUP_WINDOW_MS), signal)) {
      const found = page.find((intent) => intent.metadata[METADATA.key] === request.idempotencyKey);
      if (found) return toChargeResult(found);
      pages += 1;
      if (pages >= LOOKUP_PAGES) return this.search(request.idempotencyKey, signal);
    }
    return undefined;
  }

  async lookupRefund(
    request: LookupRequest & { transactionId: string },
    signal: AbortSignal,
  ): Promise<RefundResult | undefined> {
    const params = { payment_intent: request.transactionId, limit: PAGE };
    const { data } = await this.call(() => this.stripe.refunds.list(params), signal);
    const found = data.find((refund) => refund.metadata?.[METADATA.key] === request.idempotencyKey);
    return found && toRefundResult(found);
  }

  /** Without a key: Stripe would repeat a stored error under it, and cancelling twice does no harm. */
  async cancelCharge(request: LookupRequest & { transactionId: string }, signal: AbortSignal): Promise<ChargeResult> {
    const { transactionId } = request;
    try {
      return toChargeResult(await bounded(() => this.stripe.paymentIntents.cancel(transactionId), signal));
    } catch (error) {
      if (!isUnexpectedState(error)) throw asGatewayError(error);
      return toChargeResult(await this.call(() => this.stripe.paymentIntents.retrieve(transactionId), signal));
    }
  }

  parseWebhook(rawBody: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): WebhookEvent {
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
    for await (const page of this.intentPages(since, signal)) {
      const ours = page.map(toLedgerCharge).filter((charge) => charge !== undefined);
      if (ours.length > 0) yield ours;
    }
  }

  /** Newest first. Page by page rather than the SDK's own iteration, so that each call is bounded by the signal. */
  private async *intentPages(since: Date, signal: AbortSignal): AsyncGenerator<readonly Stripe.PaymentIntent[]> {
    const created = { gte: Math.floor(since.getTime() / 1_000) };
    let after: { starting_after?: string } = {};
    for (;;) {
      const params = { created, limit: PAGE, expand: ['data.latest_charge'], ...after };
      const { data, has_more: hasMore } = await this.call(() => this.stripe.paymentIntents.list(params), signal);
      if (data.length > 0) yield data;
      const last = data.at(-1);
      if (!hasMore || !last) return;
      after = { starting_after: last.id };
    }
  }

  private async search(key: string, signal: AbortSignal): Promise<ChargeResult | undefined> {
    const query = `metadata['${METADATA.key}']:"${key.replace(/["\\]/g, '\\$&')}"`;
    const { data } = await this.call(() => this.stripe.paymentIntents.search({ query, limit: 1 }), signal);
    return data[0] && toChargeResult(data[0]);
  }

  private async call<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await bounded(work, signal);
    } catch (error) {
      throw asGatewayError(error);
    }
  }

  /** Redirect-based methods need an address to come back to; without one they are left out rather than refused. */
  private intentParams(request: ChargeRequest): Stripe.PaymentIntentCreateParams {
    const { idempotencyKey, orderId, amount, currency, method } = request;
    const { returnUrl } = this.options;
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
