import { randomBytes } from 'node:crypto';
import {
  Answer,
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

const DECLINES: Readonly<Record<string, string>> = {
  pm_card_chargeDeclined: 'generic_decline',
  pm_card_chargeDeclinedInsufficientFunds: 'insufficient_funds',
};

/** `pm_card_stolen_<card>_<n>` is the n-th token of a card that is declined. */
const STOLEN = /^pm_card_stolen_(\w+)_\d+$/;

function methodOf(id: string): object {
  return { id, object: 'payment_method', type: 'card', card: { fingerprint: STOLEN.exec(id)?.[1] ?? `of_${id}` } };
}

const EVENTS_KEPT_SECONDS = 30 * 86_400;

/** Stripe's objects and rules, as far as we use them. */
export class StripeBooks {
  private readonly intents: Intent[] = [];
  /** As they were when they were made: the index does not keep up with them. */
  private readonly index = new Map<string, Intent>();
  private readonly refunds: Refund[] = [];
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
    } else this.capture(intent);
    this.index.set(intent.id, structuredClone(intent));
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
    Object.assign(intent, { status: 'canceled', next_action: null });
    this.emit('payment_intent.canceled', intent);
    return ok(intent);
  }

  createRefund(params: Params): Answer {
    const intent = this.find(textOf(params['payment_intent']));
    const charge = intent?.latest_charge;
    if (!intent || !charge) return invalid('resource_missing', 'No such payment_intent', 404);
    const amount = Number(params['amount']);
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
    if (verb === 'approve') this.capture(intent);
    else this.decline(intent, undefined);
  }

  /** The bank has paid, or has not, days after it was asked. */
  finishProcessing(id: string, verb: 'pay' | 'refuse'): void {
    const intent = this.find(id);
    if (intent?.status !== 'processing') throw new Error('this intent is not processing');
    if (verb === 'pay') this.capture(intent);
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
    return charges.reduce((sum, charge) => sum + charge.amount - charge.amount_refunded, 0);
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

  /** Everything that there is becomes that much older. */
  age(seconds: number): void {
    for (const each of [...this.intents, ...this.index.values(), ...this.refunds, ...this.events])
      each.created -= seconds;
  }

  private find(id: string): Intent | undefined {
    return this.intents.find((intent) => intent.id === id);
  }

  paymentMethod(id: string): Answer {
    return /^pm_card_/.test(id) ? ok(methodOf(id)) : invalid('resource_missing', `No such PaymentMethod: '${id}'`, 404);
  }

  private emit(type: string, object: Intent | Refund): StripeEvent {
    const data = { object: structuredClone(object) };
    const event: StripeEvent = { id: newId('evt'), object: 'event', type, created: nowSeconds(), data };
    this.events.unshift(event);
    return event;
  }

  private capture(intent: Intent): void {
    intent.status = 'succeeded';
    intent.latest_charge = { id: newId('ch'), object: 'charge', amount: intent.amount, amount_refunded: 0 };
    this.emit('payment_intent.succeeded', intent);
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
      latest_charge: null,
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
