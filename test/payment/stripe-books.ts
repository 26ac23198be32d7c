import { randomBytes } from 'node:crypto';

/** Nested form parameters: `metadata[orderId]=1&expand[0]=x` → { metadata: { orderId: '1' }, expand: { 0: 'x' } }. */
export type Params = { readonly [name: string]: string | Params | undefined };
type MutableParams = { [name: string]: string | MutableParams | undefined };

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Intent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly client_secret: string;
  readonly metadata: Params;
  status: 'succeeded' | 'requires_payment_method' | 'requires_action' | 'canceled';
  next_action: object | null;
  last_payment_error: object | null;
  latest_charge: { id: string; object: 'charge'; amount: number; amount_refunded: number } | null;
}

interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly payment_intent: string;
  readonly metadata: Params;
  status: 'succeeded' | 'failed' | 'pending';
  readonly failure_reason?: string;
}

const DECLINES: Readonly<Record<string, string>> = {
  pm_card_chargeDeclined: 'generic_decline',
  pm_card_chargeDeclinedInsufficientFunds: 'insufficient_funds',
};

/** `pm_card_stolen_<card>_<n>` is the n-th token of a card that is declined. */
const STOLEN = /^pm_card_stolen_(\w+)_\d+$/;

function methodOf(id: string): object {
  return { id, object: 'payment_method', type: 'card', card: { fingerprint: STOLEN.exec(id)?.[1] ?? `of_${id}` } };
}

export function parseForm(text: string): Params {
  const root: MutableParams = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter(Boolean);
    const last = path.pop()!;
    let node = root;
    for (const step of path) {
      const next = node[step];
      node = node[step] = typeof next === 'object' ? next : {};
    }
    node[last] = value;
  }
  return root;
}

export function refusal(status: number, error: Readonly<Record<string, unknown>>): Answer {
  return { status, body: { error } };
}

function textOf(value: string | Params | undefined): string {
  return typeof value === 'string' ? value : '';
}

const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
const ok = (body: object): Answer => ({ status: 200, body: { ...body } });
const invalid = (code: string, message: string, status = 400): Answer =>
  refusal(status, { type: 'invalid_request_error', code, message });

/** Stripe's objects and rules, as far as we use them. */
export class StripeBooks {
  private readonly intents: Intent[] = [];
  private readonly refunds: Refund[] = [];
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
    if (!/^pm_card_/.test(method)) return invalid('resource_missing', `No such PaymentMethod: '${method}'`);
    const intent = this.newIntent(params, amount);
    this.intents.unshift(intent);
    if (method === 'pm_card_authenticationRequired') return ok(requireAction(intent, textOf(params['return_url'])));
    const declineCode = DECLINES[method] ?? (STOLEN.test(method) ? 'stolen_card' : undefined);
    if (declineCode !== undefined) return this.decline(intent, declineCode, method);
    capture(intent);
    return ok(intent);
  }

  intent(id: string): Answer {
    const intent = this.find(id);
    return intent ? ok(intent) : invalid('resource_missing', `No such payment_intent: '${id}'`, 404);
  }

  listIntents(params: Params): Answer {
    const created = params['created'] as Params | undefined;
    const since = Number(created?.['gte'] ?? 0);
    return page(
      this.intents.filter((intent) => intent.created >= since),
      params,
    );
  }

  searchIntents(params: Params): Answer {
    const key = /^metadata\['idempotencyKey'\]:"(.*)"$/.exec(textOf(params['query']))?.[1]?.replace(/\\(.)/g, '$1');
    const indexed = this.intents.slice(this.unindexed);
    const data = indexed.filter((intent) => intent.metadata['idempotencyKey'] === key);
    return ok({ object: 'search_result', data, has_more: false, next_page: null, url: '/v1/payment_intents/search' });
  }

  cancelIntent(id: string): Answer {
    const intent = this.find(id);
    if (!intent) return invalid('resource_missing', `No such payment_intent: '${id}'`, 404);
    if (intent.status === 'succeeded' || intent.status === 'canceled') {
      return invalid('payment_intent_unexpected_state', `You cannot cancel this PaymentIntent: ${intent.status}`);
    }
    Object.assign(intent, { status: 'canceled', next_action: null });
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
    return ok(refund);
  }

  listRefunds(params: Params): Answer {
    return page(
      this.refunds.filter((refund) => refund.payment_intent === params['payment_intent']),
      params,
    );
  }

  /** What the customer does on the page that Stripe redirects to. */
  authenticate(id: string, verb: 'approve' | 'decline'): void {
    const intent = this.find(id);
    if (intent?.status !== 'requires_action') throw new Error('this intent does not wait for the customer');
    intent.next_action = null;
    if (verb === 'approve') capture(intent);
    else this.decline(intent, undefined);
  }

  intentsOf(orderId: string): readonly Intent[] {
    return this.intents.filter((intent) => intent.metadata['orderId'] === orderId);
  }

  /** The bank has answered: what was pending is done. */
  settleRefunds(): readonly Refund[] {
    this.refundStatus = 'succeeded';
    const pending = this.refunds.filter((refund) => refund.status === 'pending');
    for (const refund of pending) refund.status = 'succeeded';
    return pending;
  }

  private find(id: string): Intent | undefined {
    return this.intents.find((intent) => intent.id === id);
  }

  paymentMethod(id: string): Answer {
    return /^pm_card_/.test(id) ? ok(methodOf(id)) : invalid('resource_missing', `No such PaymentMethod: '${id}'`, 404);
  }

  private decline(intent: Intent, declineCode: string | undefined, method?: string): Answer {
    const code = declineCode === undefined ? 'payment_intent_authentication_failure' : 'card_declined';
    const error = {
      ...{ type: 'card_error', code, decline_code: declineCode, message: 'Your card was declined.' },
      ...(method !== undefined && { payment_method: methodOf(method) }),
    };
    Object.assign(intent, { status: 'requires_payment_method', last_payment_error: error });
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

function capture(intent: Intent): void {
  intent.status = 'succeeded';
  intent.latest_charge = { id: newId('ch'), object: 'charge', amount: intent.amount, amount_refunded: 0 };
}

function requireAction(intent: Intent, returnUrl: string): Intent {
  const url = `https://hooks.stripe.example/3d_secure/${intent.id}`;
  intent.next_action = returnUrl
    ? { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } }
    : { type: 'use_stripe_sdk', use_stripe_sdk: {} };
  return intent;
}

function page(items: readonly { id: string }[], params: Params): Answer {
  const limit = Number(params['limit'] ?? 10);
  const after = items.findIndex((item) => item.id === params['starting_after']);
  const data = items.slice(after + 1, after + 1 + limit);
  return ok({ object: 'list', data, has_more: after + 1 + limit < items.length, url: '/v1' });
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
