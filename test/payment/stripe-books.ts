import { randomBytes } from 'node:crypto';
import {
  Answer,
  Dispute,
  Intent,
  invalid,
  newId,
  nowSeconds,
  ok,
  page,
  Params,
  Refund,
  refusal,
  StripeEvent,
  textOf,
} from './stripe-objects.js';
import { StripeDisputes } from './stripe-disputes.js';

const DECLINES: Readonly<Record<string, string>> = {
  pm_card_chargeDeclined: 'generic_decline',
  pm_card_chargeDeclinedInsufficientFunds: 'insufficient_funds',
};

/** `pm_card_stolen_<card>_<n>` is the n-th token of a card that is declined. */
const STOLEN = /^pm_card_stolen_(\w+)_\d+$/;

function methodOf(id: string): object {
  return { id, object: 'payment_method', type: 'card', card: { fingerprint: STOLEN.exec(id)?.[1] ?? `of_${id}` } };
}

const AUTHORIZED_SECONDS = 7 * 86_400;
const EVENTS_KEPT_SECONDS = 30 * 86_400;

/** Stripe's objects and rules, as far as we use them. */
export class StripeBooks {
  private readonly intents: Intent[] = [];
  /** As they were when they were made: the index does not keep up with them. */
  private readonly index = new Map<string, Intent>();
  private readonly refunds: Refund[] = [];
  readonly disputes = new StripeDisputes(
    (id) => this.find(id),
    (type, dispute) => this.emit(type, dispute),
  );
  /** Newest first. */
  readonly events: StripeEvent[] = [];
  refundsToFail = 0;
  refundStatus: Refund['status'] = 'succeeded';
  /** How many of the newest intents the search does not know yet: it lags behind. */
  unindexed = 0;

  createIntent(params: Params): Answer {
    const method = textOf(params['payment_method']);
    const amount = Number(params['amount']);
    if (params['confirm'] !== 'true') return invalid('parameter_missing', 'only confirm=true is spoken here');
    if (!/^[a-z]{3}$/.test(textOf(params['currency']))) return invalid('currency_invalid', 'Invalid currency');
    if (!(amount >= 50)) return invalid('amount_too_small', 'Amount must be at least 50 cents');
    if (!/^pm_(card|usBankAccount)_/.test(method))
      return invalid('resource_missing', `No such PaymentMethod: '${method}'`);
    const intent = this.newIntent(params, amount);
    this.intents.unshift(intent);
    if (method === 'pm_card_authenticationRequired') return ok(requireAction(intent, textOf(params['return_url'])));
    const declineCode = DECLINES[method] ?? (STOLEN.test(method) ? 'stolen_card' : undefined);
    if (declineCode !== undefined) return this.decline(intent, declineCode, method);
    // A bank debit takes days, and nobody can do anything about it meanwhile.
    if (method.startsWith('pm_usBankAccount_')) {
      intent.status = 'processing';
      this.emit('payment_intent.processing', intent);
    } else this.approve(intent);
    this.index.set(intent.id, structuredClone(intent));
    return ok(intent);
  }

  /** Once: what is left of the authorisation is given back, which Stripe books as a refund of its own. */
  captureIntent(id: string, params: Params): Answer {
    const intent = this.find(id);
    if (!intent) return invalid('resource_missing', `No such payment_intent: '${id}'`, 404);
    if (intent.status !== 'requires_capture') {
      const message = `This PaymentIntent could not be captured because it has a status of ${intent.status}`;
      return invalid('payment_intent_unexpected_state', message);
    }
    const amount = Number(params['amount_to_capture'] ?? intent.amount_capturable);
    if (!(amount > 0)) return invalid('parameter_invalid_integer', 'Invalid amount');
    if (amount > intent.amount_capturable) return invalid('amount_too_large', 'Amount is too large');
    const released = intent.amount - amount;
    this.capture(intent, amount);
    if (released > 0) this.release(intent, released);
    return ok(intent);
  }

  intent(id: string): Answer {
    const intent = this.find(id);
    return intent ? ok(intent) : invalid('resource_missing', `No such payment_intent: '${id}'`, 404);
  }

  listIntents(params: Params): Answer {
    return page(this.intents, params);
  }

  searchIntents(params: Params): Answer {
    const key = /^metadata\['idempotencyKey'\]:"(.*)"$/.exec(textOf(params['query']))?.[1]?.replace(/\\(.)/g, '$1');
    const indexed = this.intents.slice(this.unindexed);
    const found = indexed.filter((intent) => intent.metadata['idempotencyKey'] === key);
    const data = found.map(({ id }) => this.index.get(id));
    return ok({ object: 'search_result', data, has_more: false, next_page: null, url: '/v1/payment_intents/search' });
  }

  cancelIntent(id: string): Answer {
    const intent = this.find(id);
    if (!intent) return invalid('resource_missing', `No such payment_intent: '${id}'`, 404);
    if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing') {
      return invalid('payment_intent_unexpected_state', `You cannot cancel this PaymentIntent: ${intent.status}`);
    }
    this.cancel(intent, 'requested_by_customer');
    return ok(intent);
  }

  /** By a person at Stripe's dashboard, or by Stripe itself. */
  endAuthorization(id: string, reason: 'automatic' | 'requested_by_customer' = 'requested_by_customer'): StripeEvent {
    const intent = this.find(id);
    if (intent?.status !== 'requires_capture') throw new Error('this intent is not authorised');
    return this.cancel(intent, reason);
  }

  private cancel(intent: Intent, reason: 'automatic' | 'requested_by_customer'): StripeEvent {
    const charge = intent.latest_charge;
    if (charge) charge.amount_refunded = charge.amount;
    const ended = { status: 'canceled', next_action: null, amount_capturable: 0, cancellation_reason: reason };
    return this.emit('payment_intent.canceled', Object.assign(intent, ended));
  }

  createRefund(params: Params): Answer {
    const intent = this.find(textOf(params['payment_intent']));
    const charge = intent?.latest_charge;
    if (!intent || !charge) return invalid('resource_missing', 'No such payment_intent', 404);
    if (!charge.captured) return invalid('payment_intent_unexpected_state', 'It was not captured: cancel it instead');
    const amount = Number(params['amount']);
    if (this.disputes.isOpen(intent.id)) return invalid('charge_disputed', 'This charge has been charged back');
    if (charge.amount_refunded === charge.amount) return invalid('charge_already_refunded', 'Already refunded');
    if (charge.amount_refunded + amount > charge.amount) return invalid('amount_too_large', 'Amount is too large');
    const isFailing = this.refundsToFail > 0;
    if (isFailing) this.refundsToFail -= 1;
    else charge.amount_refunded += amount;
    const refund: Refund = {
      ...{ id: newId('re'), object: 'refund', amount, currency: intent.currency, created: nowSeconds() },
      ...{ payment_intent: intent.id, metadata: (params['metadata'] ?? {}) as Params },
      ...(isFailing ? { status: 'failed', failure_reason: 'declined' } : { status: this.refundStatus }),
    };
    this.refunds.unshift(refund);
    this.emit('refund.created', refund);
    return ok(refund);
  }

  refund(id: string): Answer {
    const refund = this.refunds.find((each) => each.id === id);
    return refund ? ok(refund) : invalid('resource_missing', `No such refund: '${id}'`, 404);
  }

  listRefunds(params: Params): Answer {
    return page(
      this.refunds.filter((refund) => refund.payment_intent === params['payment_intent']),
      params,
    );
  }

  listEvents(params: Params): Answer {
    const types = Object.values((params['types'] ?? {}) as Params);
    const from = nowSeconds() - EVENTS_KEPT_SECONDS;
    return page(
      this.events.filter(({ type, created }) => created >= from && (types.length === 0 || types.includes(type))),
      params,
    );
  }

  /** What the customer does on the page that Stripe redirects to. */
  authenticate(id: string, verb: 'approve' | 'decline'): void {
    const intent = this.find(id);
    if (intent?.status !== 'requires_action') throw new Error('this intent does not wait for the customer');
    intent.next_action = null;
    if (verb === 'approve') this.approve(intent);
    else this.decline(intent, undefined);
  }

  /** The bank has paid, or has not, days after it was asked. */
  finishProcessing(id: string, verb: 'pay' | 'refuse'): void {
    const intent = this.find(id);
    if (intent?.status !== 'processing') throw new Error('this intent is not processing');
    if (verb === 'pay') this.approve(intent);
    else this.decline(intent, 'insufficient_funds');
  }

  intentsOf(orderId: string): readonly Intent[] {
    return this.intents.filter((intent) => intent.metadata['orderId'] === orderId);
  }

  /** Newest first. */
  refundsOf(intentId: string): readonly Refund[] {
    return this.refunds.filter((refund) => refund.payment_intent === intentId);
  }

  /** What the customer has paid for an order, and has not got back. */
  keptOf(orderId: string): number {
    const charges = this.intentsOf(orderId).flatMap((intent) => intent.latest_charge ?? []);
    const captured = charges.filter((charge) => charge.captured);
    return captured.reduce((sum, charge) => sum + charge.amount - charge.amount_refunded, 0);
  }

  /** The bank has answered: what was pending is done. */
  settleRefunds(): readonly Refund[] {
    this.refundStatus = 'succeeded';
    const pending = this.refunds.filter((refund) => refund.status === 'pending');
    for (const refund of pending) {
      refund.status = 'succeeded';
      this.emit('refund.updated', refund);
    }
    return pending;
  }

  /** The money comes back from the customer's bank, days after the refund had succeeded. */
  failRefund(id: string): StripeEvent {
    const refund = this.refunds.find((each) => each.id === id);
    const charge = refund && this.find(refund.payment_intent)?.latest_charge;
    if (!charge || refund.status !== 'succeeded') throw new Error('this refund has not succeeded');
    Object.assign(refund, { status: 'failed', failure_reason: 'expired_or_canceled_card' });
    charge.amount_refunded -= refund.amount;
    return this.emit('refund.failed', refund);
  }

  /** Everything that there is becomes that much older, and authorisations whose time is over end. */
  age(seconds: number): void {
    const all = [...this.intents, ...this.index.values(), ...this.refunds, ...this.disputes.all, ...this.events];
    for (const each of all) each.created -= seconds;
    for (const intent of this.intents) {
      const card = intent.latest_charge?.payment_method_details.card;
      if (card?.capture_before === undefined) continue;
      card.capture_before -= seconds;
      if (intent.status === 'requires_capture' && card.capture_before <= nowSeconds()) this.cancel(intent, 'automatic');
    }
  }

  private find(id: string): Intent | undefined {
    return this.intents.find((intent) => intent.id === id);
  }

  paymentMethod(id: string): Answer {
    return /^pm_card_/.test(id) ? ok(methodOf(id)) : invalid('resource_missing', `No such PaymentMethod: '${id}'`, 404);
  }

  private emit(type: string, object: Intent | Refund | Dispute): StripeEvent {
    const data = { object: structuredClone(object) };
    const event: StripeEvent = { id: newId('evt'), object: 'event', type, created: nowSeconds(), data };
    this.events.unshift(event);
    return event;
  }

  /** The bank has said yes: the amount is taken at once, or blocked until somebody captures it. */
  private approve(intent: Intent): void {
    const isManual = intent.capture_method === 'manual';
    intent.latest_charge = {
      ...{ id: newId('ch'), object: 'charge', status: 'succeeded', amount: intent.amount },
      ...{ captured: false, amount_captured: 0, amount_refunded: 0 },
      payment_method_details: { card: isManual ? { capture_before: nowSeconds() + AUTHORIZED_SECONDS } : {} },
    };
    if (!isManual) return this.capture(intent, intent.amount);
    Object.assign(intent, { status: 'requires_capture', amount_capturable: intent.amount });
    this.emit('payment_intent.amount_capturable_updated', intent);
  }

  private capture(intent: Intent, amount: number): void {
    Object.assign(intent, { status: 'succeeded', amount_received: amount, amount_capturable: 0 });
    Object.assign(intent.latest_charge!, { captured: true, amount_captured: amount });
    this.emit('payment_intent.succeeded', intent);
  }

  /** A refund that nobody asked for, and that has no metadata of ours. */
  private release(intent: Intent, amount: number): void {
    intent.latest_charge!.amount_refunded += amount;
    const refund: Refund = {
      ...{ id: newId('re'), object: 'refund', amount, currency: intent.currency, created: nowSeconds() },
      ...{ payment_intent: intent.id, metadata: {}, status: 'succeeded' },
    };
    this.refunds.unshift(refund);
    this.emit('refund.created', refund);
  }

  private decline(intent: Intent, declineCode: string | undefined, method?: string): Answer {
    const code = declineCode === undefined ? 'payment_intent_authentication_failure' : 'card_declined';
    const error = {
      ...{ type: 'card_error', code, decline_code: declineCode, message: 'Your card was declined.' },
      ...(method !== undefined && { payment_method: methodOf(method) }),
    };
    Object.assign(intent, { status: 'requires_payment_method', last_payment_error: error });
    this.emit('payment_intent.payment_failed', intent);
    return refusal(402, { ...error, payment_intent: { ...intent } });
  }

  private newIntent(params: Params, amount: number): Intent {
    const id = newId('pi');
    return {
      ...{ id, object: 'payment_intent', amount, currency: textOf(params['currency']), created: nowSeconds() },
      ...{ client_secret: `${id}_secret_${randomBytes(8).toString('hex')}`, status: 'requires_action' },
      ...{ metadata: (params['metadata'] ?? {}) as Params, next_action: null, last_payment_error: null },
      ...{ amount_received: 0, amount_capturable: 0, cancellation_reason: null, latest_charge: null },
      capture_method: params['capture_method'] === 'manual' ? 'manual' : 'automatic_async',
    };
  }
}

function requireAction(intent: Intent, returnUrl: string): Intent {
  const url = `https://hooks.stripe.example/3d_secure/${intent.id}`;
  intent.next_action = returnUrl
    ? { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } }
    : { type: 'use_stripe_sdk', use_stripe_sdk: {} };
  return intent;
}
