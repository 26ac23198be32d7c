import { randomBytes } from 'node:crypto';

/** Nested form parameters: `metadata[orderId]=1&expand[0]=x` → { metadata: { orderId: '1' }, expand: { 0: 'x' } }. */
export type Params = { readonly [name: string]: string | Params | undefined };
type MutableParams = { [name: string]: string | MutableParams | undefined };

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Intent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly amount: number;
  amount_received: number;
  amount_capturable: number;
  readonly currency: string;
  readonly capture_method: 'automatic_async' | 'manual';
  cancellation_reason: 'automatic' | 'requested_by_customer' | null;
  created: number;
  readonly client_secret: string;
  readonly metadata: Params;
  status: 'succeeded' | 'requires_payment_method' | 'requires_action' | 'requires_capture' | 'processing' | 'canceled';
  next_action: object | null;
  last_payment_error: object | null;
  latest_charge: Charge | null;
}

export interface Charge {
  readonly id: string;
  readonly object: 'charge';
  readonly status: 'succeeded';
  readonly amount: number;
  captured: boolean;
  amount_captured: number;
  /** What a partial capture releases, and what a voided authorisation gives back, counts as refunded. */
  amount_refunded: number;
  readonly payment_method_details: { readonly card: { capture_before?: number } };
}

export interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  readonly currency: string;
  created: number;
  readonly payment_intent: string;
  readonly reason: string;
  status: string;
  readonly evidence_details: { due_by: number | null };
}

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly currency: string;
  created: number;
  readonly payment_intent: string;
  readonly metadata: Params;
  status: 'succeeded' | 'failed' | 'pending';
  failure_reason?: string;
}

export interface StripeEvent {
  readonly id: string;
  readonly object: 'event';
  readonly type: string;
  created: number;
  /** The object as it was then. */
  readonly data: { readonly object: Intent | Refund | Dispute };
}

const MAX_PAGE = 100;

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

export function textOf(value: string | Params | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

export function ok(body: object): Answer {
  return { status: 200, body: { ...body } };
}

export function refusal(status: number, error: Readonly<Record<string, unknown>>): Answer {
  return { status, body: { error } };
}

export function invalid(code: string, message: string, status = 400): Answer {
  return refusal(status, { type: 'invalid_request_error', code, message });
}

/** Newest first, a hundred at most. */
export function page(items: readonly { id: string; created: number }[], params: Params): Answer {
  const limit = Number(params['limit'] ?? 10);
  if (limit > MAX_PAGE) return invalid('parameter_invalid_integer', `Limit must be at most ${MAX_PAGE}`);
  const since = Number((params['created'] as Params | undefined)?.['gte'] ?? 0);
  const recent = items.filter(({ created }) => created >= since);
  const after = recent.findIndex((item) => item.id === params['starting_after']);
  const data = recent.slice(after + 1, after + 1 + limit);
  return ok({ object: 'list', data, has_more: after + 1 + limit < recent.length, url: '/v1' });
}
