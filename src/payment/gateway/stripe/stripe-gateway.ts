import type { Stripe } from 'stripe';
import { bounded } from '../bounded.js';
import {
  CaptureRequest,
  ChargeLookup,
  ChargeRequest,
  ChargeResult,
  GatewayRequestError,
  InvalidSignatureError,
  KnownCharge,
  KnownDispute,
  KnownRefund,
  LedgerCharge,
  LookupRequest,
  PaymentGateway,
  RefundRequest,
  RefundResult,
  CallbackEvent,
} from '../payment-gateway.js';
import { toStripeAmount } from './stripe-amount.js';
import {
  asGatewayError,
  declineOf,
  fingerprintOf,
  isExpiredForCapture,
  isUnexpectedState,
  refundRefusalOf,
} from './stripe-errors.js';
import { EXPAND, StripeLedger } from './stripe-ledger.js';
import {
  METADATA,
  toChargeResult,
  toKnownDispute,
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
      const create = () => this.stripe.paymentIntents.create(intentParams(request, this.options), { idempotencyKey });
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

  async captureCharge(request: CaptureRequest, signal: AbortSignal): Promise<KnownCharge> {
    const { idempotencyKey, transactionId, amount, currency } = request;
    const params = { amount_to_capture: toStripeAmount(amount, currency), expand: EXPAND };
    const capture = () => this.stripe.paymentIntents.capture(transactionId, params, { idempotencyKey });
    return this.changed(transactionId, capture, signal);
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
  cancelCharge(request: LookupRequest & { transactionId: string }, signal: AbortSignal): Promise<KnownCharge> {
    const { transactionId } = request;
    const cancel = () => this.stripe.paymentIntents.cancel(transactionId, { expand: EXPAND });
    return this.changed(transactionId, cancel, signal);
  }

  async retrieveDispute(disputeId: string, signal: AbortSignal): Promise<KnownDispute | undefined> {
    const dispute = await this.ledger.retrieveDispute(disputeId, signal);
    return dispute && toKnownDispute(dispute);
  }

  async *listDisputes(since: Date, signal: AbortSignal): AsyncGenerator<readonly KnownDispute[]> {
    for await (const disputes of this.ledger.changedDisputes(since, signal)) {
      const known = disputes.map(toKnownDispute).filter((dispute) => dispute !== undefined);
      if (known.length > 0) yield known;
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

  /** The charge after a call that changes it. A charge that has ended refuses, and says what became of it. */
  private async changed(
    id: string,
    change: () => Promise<Stripe.PaymentIntent>,
    signal: AbortSignal,
  ): Promise<KnownCharge> {
    const { intent, isExpired } = await bounded(change, signal).then(
      (changed) => ({ intent: changed, isExpired: false }),
      async (error: unknown) => {
        const isTooLate = isExpiredForCapture(error);
        if (!isTooLate && !isUnexpectedState(error)) throw asGatewayError(error);
        return { intent: await this.ledger.retrieveIntent(id, signal), isExpired: isTooLate };
      },
    );
    const charge = intent && toLedgerCharge(intent);
    if (!charge) throw new GatewayRequestError(`Stripe has no charge ${id} of ours`);
    const known = isExpired ? { ...charge, state: 'EXPIRED' as const } : charge;
    return { ...known, result: toChargeResult(intent) };
  }
}

/** Redirect-based methods need a return URL. Without one they are not offered. */
function intentParams(request: ChargeRequest, options: StripeGatewayOptions): Stripe.PaymentIntentCreateParams {
  const { idempotencyKey, orderId, amount, currency, method, capture } = request;
  const returnUrl = request.returnUrl ?? options.returnUrl;
  return {
    amount: toStripeAmount(amount, currency),
    currency: currency.toLowerCase(),
    payment_method: method,
    confirm: true,
    metadata: { [METADATA.orderId]: orderId, [METADATA.key]: idempotencyKey },
    // The charge says how long the authorisation lasts.
    ...(capture === 'manual' && { capture_method: 'manual', expand: EXPAND }),
    ...(returnUrl === undefined
      ? { automatic_payment_methods: { enabled: true, allow_redirects: 'never' } }
      : { automatic_payment_methods: { enabled: true }, return_url: returnUrl }),
  };
}

function* nonEmpty(intents: readonly Stripe.PaymentIntent[]): Generator<readonly LedgerCharge[]> {
  const ours = intents.map(toLedgerCharge).filter((charge) => charge !== undefined);
  if (ours.length > 0) yield ours;
}
