import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse } from '../setup/api-client.js';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { balanceOf, newCoupon, newGiftCard, usesOf } from '../setup/balances.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { startRedis } from '../setup/redis-server.js';
import { basket, expectSound, newSku, newSkuId, outcomeOf } from '../setup/shop.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const PRICE = 1_000;

/** Two instances, and a crowd that wants more of a balance than there is. */
describe('a contended balance', () => {
  let database: TestDatabase;
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let apps: AppProcess[];
  let sku: string;
  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
    const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, RESERVATION_TTL_SECONDS: '3' };
    apps = await Promise.all([0, 1].map(() => startAppProcess({ ...env, RESERVATION_SWEEP_SECONDS: '1' })));
    sku = await newSku(apps[0]!.api, 100_000, { unitAmount: PRICE });
  });
  afterEach(async () => {
    await expectSound(apps[0]!.api);
    expect(await violations(database)).toEqual({});
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop('SIGKILL')));
    await Promise.all([redis.stop(), database.drop()]);
  });

  /** One purchase, asked for at one instance after the other until there is an answer. */
  const purchase = (buyer: number, body: Record<string, unknown>): Promise<ApiResponse> => {
    let attempt = buyer;
    return outcomeOf(`buyer ${buyer}`, (idempotencyKey) => {
      const { api } = apps[attempt++ % apps.length]!;
      const headers = { prefer: 'wait=20' };
      return api.post('/v1/checkouts', basket(sku, body), { idempotencyKey, headers }).catch(() => undefined);
    });
  };
  const counted = (answers: readonly ApiResponse[]) => {
    const counts: Record<string, number> = {};
    for (const { status, body } of answers) {
      const what = status === 201 ? (body.amountDue > 0 ? 'paid by card' : 'paid by credit') : String(body.code);
      counts[what] = (counts[what] ?? 0) + 1;
    }
    return counts;
  };

  it('of credit is spent to the last cent and no further, also when Redis dies in the middle', async () => {
    const card = await newGiftCard(apps[0]!.api, 10 * PRICE);
    const credit = [{ giftCardCode: card.code }];
    const crowd = Array.from({ length: 200 }, (_, buyer) =>
      purchase(buyer, { payment: buyer % 2 ? { credit } : { credit, method: 'pm_card_visa' } }),
    );
    await Promise.race(crowd);
    await redis.kill();
    const counts = counted(await Promise.all(crowd));
    process.stdout.write(`\n200 buyers, one gift card of 10 × the price, Redis killed: ${JSON.stringify(counts)}\n`);
    expect(counts['paid by credit']).toBe(10);
    expect((counts['paid by card'] ?? 0) + (counts['INSUFFICIENT_CREDIT'] ?? 0)).toBe(190);
    expect(await balanceOf(apps[0]!.api, card.accountId)).toEqual({ balance: 0, held: 0 });
    const [spent] = await database.query(
      `SELECT -sum(amount)::int AS spent FROM account_entries WHERE account_id = $1 AND kind = 'PURCHASE'`,
      [card.accountId],
    );
    expect(spent).toEqual({ spent: 10 * PRICE });
  });

  it('of a coupon is redeemed as often as it may be, whoever declines or walks away', async () => {
    const LIMIT = 50;
    const coupon = await newCoupon(apps[0]!.api, { maxRedemptions: LIMIT });
    const isOver = async () => (await usesOf(apps[0]!.api, coupon)).redeemed >= LIMIT;
    const declined = (buyer: number) =>
      purchase(buyer, { coupons: [coupon], payment: { method: 'pm_card_chargeDeclined' } });
    const walkAway = (buyer: number) =>
      outcomeOf(`hold ${buyer}`, (idempotencyKey) => {
        const body = { currency: 'EUR', lines: [{ sku, quantity: 1 }], coupons: [coupon] };
        return apps[buyer % 2]!.api.post('/v1/reservations', body, { idempotencyKey });
      });
    /** Whoever finds the coupon held by others comes again until it is gone for good. */
    const insist = async (buyer: number): Promise<ApiResponse> => {
      for (;;) {
        const answer = await purchase(buyer, { coupons: [coupon] });
        if (answer.body.code !== 'COUPON_EXHAUSTED' || (await isOver())) return answer;
        await delay(100);
      }
    };
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, buyer) =>
        buyer % 5 === 0 ? declined(buyer) : buyer % 5 === 1 ? walkAway(buyer) : insist(buyer),
      ),
    );
    const confirmed = answers.filter(({ status, body }) => status === 201 && body.state === 'CONFIRMED');
    const held = answers.filter(({ status, body }) => status === 201 && body.state === 'HELD');
    process.stdout.write(
      `\n500 buyers, one coupon for ${LIMIT}: ${confirmed.length} confirmed, ${held.length} walked away with it\n`,
    );
    expect(confirmed).toHaveLength(LIMIT);
    expect(confirmed.every(({ body }) => body.total === PRICE * 0.9)).toBe(true);
    const rest = await eventually('nothing is held', () => usesOf(apps[0]!.api, coupon), {
      until: ({ held: left }) => left === 0,
    });
    expect(rest).toEqual({ redeemed: LIMIT, held: 0 });
  });

  it('of one customer holds: two of a limited SKU, in fifty attempts at once', async () => {
    const limited = newSkuId('limited');
    const goods = { name: 'Limited', unitAmount: PRICE, currency: 'EUR', onHand: 1_000, maxPerCustomer: 2 };
    await apps[0]!.api.put(`/v1/skus/${limited}`, goods);
    const lines = [{ sku: limited, quantity: 1 }];
    const attempts = Array.from({ length: 50 }, (_, buyer) => purchase(buyer, { lines, customer: { id: 'greedy' } }));
    expect(counted(await Promise.all(attempts))).toEqual({ 'paid by card': 2, LIMIT_EXCEEDED: 48 });
  });
});
