import type { Stripe } from 'stripe';
import { bounded } from '../bounded.js';
import { asGatewayError, isMissing } from './stripe-errors.js';
import { METADATA } from './stripe-mapping.js';

/** Stripe's maximum. */
const PAGE = 100;
/**
 * How far back the newest intents are listed (always current) before older ones are searched (in an index that lags).
 */
const LISTED_PAGES = 10;
/** A younger intent may be missing in the index, which usually takes a minute. */
const INDEX_LAG_MS = 300_000;
const RETRIEVALS_AT_ONCE = 8;

export const EXPAND = ['latest_charge'];
const INTENT_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.requires_action',
  'payment_intent.amount_capturable_updated',
];
const DISPUTE_EVENTS = ['charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed'];
const REFUND_EVENTS = ['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'];

interface Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
}

type ListParams = { limit: number; starting_after?: string };
type List<T> = (params: ListParams) => Promise<{ data: T[]; has_more: boolean }>;

/** Reads Stripe's ledger page by page rather than with the SDK's iterator, so that the signal bounds each call. */
export class StripeLedger {
  constructor(private readonly stripe: Stripe) {}

  retrieveIntent(id: string, signal: AbortSignal): Promise<Stripe.PaymentIntent | undefined> {
    return this.retrieve(() => this.stripe.paymentIntents.retrieve(id, { expand: EXPAND }), signal);
  }

  retrieveRefund(id: string, signal: AbortSignal): Promise<Stripe.Refund | undefined> {
    return this.retrieve(() => this.stripe.refunds.retrieve(id), signal);
  }

  retrieveDispute(id: string, signal: AbortSignal): Promise<Stripe.Dispute | undefined> {
    return this.retrieve(() => this.stripe.disputes.retrieve(id), signal);
  }

  /**
   * Stripe has no query by idempotency key, so the key is looked for in the metadata: among the newest intents, and
   * then, for intents that are old enough to be in the index, by a search. The index may show an old state of an
   * intent.
   */
  async findIntent(key: string, since: Date, signal: AbortSignal): Promise<Stripe.PaymentIntent | undefined> {
    const indexedBefore = (Date.now() - INDEX_LAG_MS) / 1_000;
    let pages = 0;
    for await (const { data, hasMore } of this.intentPages(since, signal)) {
      const found = data.find((intent) => intent.metadata[METADATA.key] === key);
      if (found) return found;
      pages += 1;
      const isIndexed = (data.at(-1)?.created ?? 0) < indexedBefore;
      if (hasMore && pages >= LISTED_PAGES && isIndexed) return this.searchIntent(key, signal);
    }
    return undefined;
  }

  /** Newest first. */
  intentPages(since: Date, signal: AbortSignal): AsyncGenerator<Page<Stripe.PaymentIntent>> {
    const expand = EXPAND.map((name) => `data.${name}`);
    const created = fromSeconds(since);
    return this.pages((params) => this.stripe.paymentIntents.list({ ...params, created, expand }), signal);
  }

  refundPages(intentId: string, signal: AbortSignal): AsyncGenerator<Page<Stripe.Refund>> {
    return this.pages((params) => this.stripe.refunds.list({ ...params, payment_intent: intentId }), signal);
  }

  /** Older intents that have changed since, which a list by creation does not contain. */
  async *changedIntents(
    since: Date,
    known: ReadonlySet<string>,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Stripe.PaymentIntent[]> {
    const ids = new Set<string>();
    for await (const { data } of this.eventPages([...INTENT_EVENTS, ...REFUND_EVENTS], since, signal)) {
      for (const event of data) {
        const id = intentOf(event);
        if (id !== undefined && !known.has(id)) ids.add(id);
      }
    }
    const left = [...ids];
    while (left.length > 0) {
      const group = left.splice(0, RETRIEVALS_AT_ONCE);
      const intents = await Promise.all(group.map((id) => this.retrieveIntent(id, signal)));
      yield intents.filter((intent) => intent !== undefined);
    }
  }

  /** Refunds that changed since, as the event shows them: a failed refund does not change any more. */
  async *changedRefunds(since: Date, signal: AbortSignal): AsyncGenerator<readonly Stripe.Refund[]> {
    for await (const { data } of this.eventPages(REFUND_EVENTS, since, signal)) {
      yield data.map((event) => event.data.object).filter(isRefund);
    }
  }

  /** Disputes that were opened or changed since, each once, as its newest event shows it. */
  async *changedDisputes(since: Date, signal: AbortSignal): AsyncGenerator<readonly Stripe.Dispute[]> {
    const seen = new Set<string>();
    for await (const { data } of this.eventPages(DISPUTE_EVENTS, since, signal)) {
      const disputes = data.map((event) => event.data.object).filter(isDispute);
      yield disputes.filter(({ id }) => !seen.has(id) && seen.add(id));
    }
  }

  async call<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await bounded(work, signal);
    } catch (error) {
      throw asGatewayError(error);
    }
  }

  /** Stripe keeps events for 30 days. */
  private eventPages(types: string[], since: Date, signal: AbortSignal): AsyncGenerator<Page<Stripe.Event>> {
    const created = fromSeconds(since);
    return this.pages((params) => this.stripe.events.list({ ...params, types, created }), signal);
  }

  private async searchIntent(key: string, signal: AbortSignal): Promise<Stripe.PaymentIntent | undefined> {
    const query = `metadata['${METADATA.key}']:"${key.replace(/["\\]/g, '\\$&')}"`;
    const { data } = await this.call(() => this.stripe.paymentIntents.search({ query, limit: 1 }), signal);
    return data[0] && this.retrieveIntent(data[0].id, signal);
  }

  private async *pages<T extends { id: string }>(list: List<T>, signal: AbortSignal): AsyncGenerator<Page<T>> {
    let after: { starting_after?: string } = {};
    for (;;) {
      const { data, has_more: hasMore } = await this.call(() => list({ limit: PAGE, ...after }), signal);
      const last = data.at(-1);
      if (!last) return;
      yield { data, hasMore };
      if (!hasMore) return;
      after = { starting_after: last.id };
    }
  }

  private async retrieve<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    try {
      return await bounded(work, signal);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw asGatewayError(error);
    }
  }
}

function fromSeconds(since: Date): { gte: number } {
  return { gte: Math.floor(since.getTime() / 1_000) };
}

/**
 * Undefined if it is not ours: others may charge through the same account, and refunds made by hand have no metadata of
 * ours.
 */
function intentOf({ data: { object } }: Stripe.Event): string | undefined {
  if (isRefund(object))
    return typeof object.payment_intent === 'string' ? object.payment_intent : object.payment_intent?.id;
  if (!('object' in object) || object.object !== 'payment_intent') return undefined;
  return object.metadata[METADATA.orderId] === undefined ? undefined : object.id;
}

function isDispute(object: object): object is Stripe.Dispute {
  return 'object' in object && object.object === 'dispute';
}

function isRefund(object: object): object is Stripe.Refund {
  return 'object' in object && object.object === 'refund';
}
