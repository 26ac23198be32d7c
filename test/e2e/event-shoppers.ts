import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../chaos/random.js';
import type { ApiClient, ApiResponse } from '../setup/api-client.js';
import { eventually } from '../setup/eventually.js';
import { basket, shelve } from '../setup/shop.js';

/** The shop as its clients find it: nowhere while no process serves it. */
export interface ShopFront {
  api: ApiClient | undefined;
}

/** What a client does, and the events that must come of it, in this order. */
interface Story {
  readonly name: string;
  readonly sku: 'plenty' | 'none';
  readonly method: string;
  readonly answer: number;
  /** One request at most: the lock of a refund whose process died behind its commit keeps the next one waiting for a minute. */
  readonly then: 'refund' | 'cancel' | undefined;
  readonly events: readonly string[];
}

/** Several processes may die on the way, each of which takes its time to start. */
const PATIENT_MS = 600_000;

const PAID = ['payment.captured', 'order.confirmed'];
const bought = { sku: 'plenty', method: 'pm_card_visa', answer: 201 } as const;
const STORIES: readonly Story[] = [
  { name: 'bought', ...bought, then: undefined, events: PAID },
  {
    name: 'declined',
    sku: 'plenty',
    method: 'pm_card_chargeDeclined',
    answer: 402,
    then: undefined,
    events: ['payment.declined', 'order.rejected'],
  },
  {
    name: 'out of stock',
    sku: 'none',
    method: 'pm_card_visa',
    answer: 409,
    then: undefined,
    events: ['order.rejected'],
  },
  { name: 'refunded', ...bought, then: 'refund', events: [...PAID, 'refund.settled'] },
  { name: 'cancelled', ...bought, then: 'cancel', events: [...PAID, 'refund.settled', 'order.cancelled'] },
];

/** A story that was told to its end. */
export interface ToldStory {
  readonly name: string;
  readonly orderId: string;
  readonly events: readonly string[];
}

export async function stockShelves(api: ApiClient): Promise<void> {
  await shelve(api, 'events-plenty', 100_000);
  await shelve(api, 'events-none', 0);
}

/** Clients that play one story after the other, each request with one key until it has an outcome. */
export class Shoppers {
  readonly told: ToldStory[] = [];
  private isClosing = false;
  private isAbandoned = false;
  private readonly running: Promise<unknown>;

  constructor(
    private readonly front: ShopFront,
    private readonly random: Random,
    count: number,
  ) {
    this.running = Promise.all(Array.from({ length: count }, () => this.shop()));
    this.running.catch(() => undefined); // finished() reports it
  }

  /** Everybody finishes what they are at, once there are enough stories. */
  async finished(enough: number): Promise<readonly ToldStory[]> {
    const areTold = () => this.told.length >= enough;
    await Promise.race([this.running, eventually(`${enough} stories`, areTold, { withinMs: PATIENT_MS })]);
    this.isClosing = true;
    await this.running;
    return this.told;
  }

  /** The shop will not open again: nobody waits for it. */
  abandon(): void {
    this.isClosing = true;
    this.isAbandoned = true;
  }

  private async shop(): Promise<void> {
    while (!this.isClosing) {
      await this.play(this.random.pick(STORIES));
      await delay(this.random.between(5, 40));
    }
  }

  private async play({ name, sku, method, answer, then, events }: Story): Promise<void> {
    const body = basket(`events-${sku}`, { payment: { method } });
    const checkout = await this.insist(name, '/v1/checkouts', body, 'storefront', answer);
    const orderId = (checkout.status === 201 ? checkout.body.id : checkout.body.orderId) as string;
    if (then === 'refund') {
      const request = { amount: 100, reason: 'a scratch' };
      await this.insist(`${name}: refund`, `/v1/orders/${orderId}/refunds`, request, 'admin', 201);
    }
    if (then === 'cancel')
      await this.insist(`${name}: cancel`, `/v1/orders/${orderId}/cancel`, undefined, 'admin', 200);
    this.told.push({ name, orderId, events });
  }

  private async insist(
    what: string,
    path: string,
    body: unknown,
    key: 'admin' | 'storefront',
    expected: number,
  ): Promise<ApiResponse> {
    const idempotencyKey = randomUUID();
    const ask = async () => {
      if (this.isAbandoned) throw new Error(`${what}: the shop is closed`);
      // A broken connection: nobody knows what came of it, so ask again.
      return this.front.api?.post(path, body, { key, idempotencyKey }).catch(() => undefined);
    };
    const answer = await eventually(`an outcome of "${what}"`, ask, {
      until: (seen) => seen !== undefined && isOutcome(seen),
      withinMs: PATIENT_MS,
    });
    if (answer.status !== expected) throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }
}

function isOutcome({ status, body }: ApiResponse): boolean {
  return status !== 202 && status < 500 && body.code !== 'IDEMPOTENCY_IN_PROGRESS';
}
