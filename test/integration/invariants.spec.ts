import { randomUUID } from 'node:crypto';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { startTestApp, TestApp } from '../setup/test-app.js';
import { buy, newCoupon, newGiftCard } from '../setup/balances.js';
import { checkOut, expectSound, newSku } from '../setup/shop.js';

const NAMES = [
  'stock-within-bounds',
  'reserved-equals-held',
  'stock-ledger-balances',
  'confirmed-paid-once',
  'confirmed-took-stock',
  'unconfirmed-net-zero',
  'refunds-add-up',
  'terminal-sagas-settled',
  'credit-within-bounds',
  'allowances-within-bounds',
  'nothing-pending-without-owner',
  'provider-ledger-equals-payments',
];

describe('GET /v1/invariants', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ GATEWAY_TIMEOUT_MS: '5000', SANDBOX_AUTHENTICATION_MS: '0' });
  });
  afterAll(() => test.close());

  const violated = async () => {
    const { body } = await test.api.get('/v1/invariants', { key: 'admin' });
    return body.checks.filter((check: any) => !check.ok).map((check: any) => check.name);
  };

  it('is for admins and names every check', async () => {
    expect((await test.api.get('/v1/invariants')).status).toBe(403);
    const { body } = await test.api.get('/v1/invariants', { key: 'admin' });
    expect(body.ok).toBe(true);
    expect(body.checks.map((check: any) => check.name)).toEqual(NAMES);
  });

  it('holds after checkouts of every kind, a refund and a cancellation', async () => {
    const sku = await newSku(test.api);
    const methods = ['pm_card_visa', 'pm_card_visa', 'pm_card_chargeDeclined', 'pm_card_authenticationRequired'];
    const [first, second] = await Promise.all(methods.map((method) => checkOut(test.api, sku, method)));
    const refund = { reason: 'test' };
    expect((await test.api.post(`/v1/orders/${first!.body.id}/refunds`, refund, { key: 'admin' })).status).toBe(201);
    expect((await test.api.post(`/v1/orders/${second!.body.id}/cancel`, {}, { key: 'admin' })).status).toBe(200);
    await expectSound(test.api);
  });

  it('holds at every moment while buyers and refunds are under way', async () => {
    const sku = await newSku(test.api, 1_000);
    let isOver = false;
    const buyers = Array.from({ length: 8 }, async () => {
      for (let round = 0; round < 6; round += 1) {
        const { body } = await checkOut(test.api, sku, round % 3 === 2 ? 'pm_card_chargeDeclined' : 'pm_card_visa');
        if (body.id)
          await test.api.post(`/v1/orders/${body.id}/refunds`, { amount: 10, reason: 'x' }, { key: 'admin' });
      }
    });
    const watching = (async () => {
      while (!isOver) await expectSound(test.api);
    })();
    await Promise.all(buyers).finally(() => (isOver = true));
    await watching;
  });

  /** The damage and how it is undone; $1 is the SKU, $2 the order. */
  const damage: readonly (readonly [string, string, string])[] = [
    ['reserved-equals-held', `skus SET reserved = reserved + 1 WHERE sku = $1`, `skus SET reserved = 0 WHERE sku = $1`],
    ['stock-ledger-balances', `skus SET on_hand = 100 WHERE sku = $1`, `skus SET on_hand = 99 WHERE sku = $1`],
    [
      'confirmed-paid-once',
      `payments SET amount = amount + 1 WHERE order_id = $2`,
      `payments SET amount = amount - 1 WHERE order_id = $2`,
    ],
    [
      'confirmed-took-stock',
      `reservations SET order_id = NULL WHERE order_id = $2`,
      `reservations SET order_id = $2 WHERE id = (SELECT reservation_id FROM orders WHERE id = $2)`,
    ],
    [
      'unconfirmed-net-zero',
      `orders SET state = 'CANCELLED' WHERE id = $2`,
      `orders SET state = 'CONFIRMED' WHERE id = $2`,
    ],
    [
      'refunds-add-up',
      `payments SET refund_reserved = 5 WHERE order_id = $2`,
      `payments SET refund_reserved = 0 WHERE order_id = $2`,
    ],
    [
      'terminal-sagas-settled',
      `payments SET state = 'IN_DOUBT' WHERE order_id = $2`,
      `payments SET state = 'CAPTURED' WHERE order_id = $2`,
    ],
    [
      'nothing-pending-without-owner',
      `orders SET state = 'PENDING' WHERE id = $2`,
      `orders SET state = 'CONFIRMED' WHERE id = $2`,
    ],
    [
      'provider-ledger-equals-payments',
      `payments SET transaction_id = 'x' || transaction_id WHERE order_id = $2`,
      `payments SET transaction_id = substr(transaction_id, 2) WHERE order_id = $2`,
    ],
    [
      'provider-ledger-equals-payments',
      `sandbox.charges SET refunded_amount = 1 WHERE order_id = $2::text`,
      `sandbox.charges SET refunded_amount = 0 WHERE order_id = $2::text`,
    ],
  ];
  it.each(damage)('finds a breach of %s: %s', async (name, breach, repair) => {
    const sku = await newSku(test.api);
    const { body } = await checkOut(test.api, sku);
    const update = (change: string) =>
      test.database.query(`WITH given AS (SELECT $1::text, $2::uuid) UPDATE ${change}`, [sku, body.id]);
    await update(breach);
    expect(await violated()).toContain(name);
    const gauge = await test.app.get(Metrics).registry.getSingleMetric('invariant_violations')!.get();
    expect(gauge.values.find(({ labels }) => labels['check'] === name)?.value).toBeGreaterThan(0);
    await update(repair);
    expect(await violated()).toEqual([]);
  });

  it('finds a breach of what accounts, coupons and orders say of each other', async () => {
    const [sku, card, coupon] = [await newSku(test.api), await newGiftCard(test.api, 400), await newCoupon(test.api)];
    const payment = { method: 'pm_card_visa', credit: [{ giftCardCode: card.code }] };
    const { body } = await buy(test.api, sku, { coupons: [coupon], payment });
    const breaches = [
      ['credit-within-bounds', `accounts SET balance = balance + $2::int WHERE id = $1`, card.accountId],
      ['allowances-within-bounds', `allowances SET taken = taken + $2::int WHERE key = 'coupon|' || $1`, coupon],
      ['confirmed-paid-once', `credit_holds SET amount = amount + $2::int WHERE order_id = $1::uuid`, body.id],
    ] as const;
    for (const [name, change, subject] of breaches) {
      await test.database.query(`UPDATE ${change}`, [subject, 1]);
      expect(await violated()).toContain(name);
      await test.database.query(`UPDATE ${change}`, [subject, -1]);
      expect(await violated()).toEqual([]);
    }
    await test.database.query(`UPDATE credit_holds SET state = 'HELD' WHERE order_id = $1`, [body.id]);
    expect(await violated()).toEqual(
      expect.arrayContaining(['terminal-sagas-settled', 'nothing-pending-without-owner']),
    );
    await test.database.query(`UPDATE credit_holds SET state = 'TAKEN' WHERE order_id = $1`, [body.id]);
    expect(await violated()).toEqual([]);
    const cancelled = test.database.query(`UPDATE orders SET state = 'CANCELLED' WHERE id = $1`, [body.id]);
    await expect(cancelled).rejects.toThrow('orders_cancelled_gave_back');
  });

  it('reports what nobody owns', async () => {
    const sold = await checkOut(test.api, await newSku(test.api));
    const [{ id }] = (await test.database.query(
      `INSERT INTO refunds SELECT gen_random_uuid(), id, order_id, 'PENDING', 1, currency, 'orphan' FROM payments WHERE order_id = $1 RETURNING id`,
      [sold.body.id],
    )) as [{ id: string }];
    const { body } = await test.api.get('/v1/invariants', { key: 'admin' });
    const check = body.checks.find((one: any) => one.name === 'nothing-pending-without-owner');
    expect(check.violations).toEqual([expect.objectContaining({ kind: 'refund', id, state: 'PENDING' })]);
    await test.database.query(`DELETE FROM refunds WHERE id = $1`, [id]);
    await test.database.query(
      `INSERT INTO sagas (id, name, version, state, subject, position, phase, data, due_at) VALUES ($1, 'x', 1, 'RUNNING', 'x', 0, 'execute', '{}', now() - interval '1 hour')`,
      [randomUUID()],
    );
    expect(await violated()).toEqual(['nothing-pending-without-owner']);
    await test.database.query(`DELETE FROM sagas WHERE name = 'x'`);
  });

  it('lists at most 100 violations', async () => {
    await test.database.query(
      `INSERT INTO skus (sku, name, unit_amount, currency, on_hand) SELECT 'many:' || n, 'x', 1, 'EUR', 1 FROM generate_series(1, 150) n`,
    );
    const { body } = await test.api.get('/v1/invariants', { key: 'admin' });
    expect(body.checks.find((check: any) => check.name === 'stock-ledger-balances').violations).toHaveLength(100);
  });
});
