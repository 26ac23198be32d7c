import { randomUUID } from 'node:crypto';
import { SagaRegistry } from '../../../src/saga/saga-registry.js';
import { isForetold } from '../../../src/operations/preview/step-effects.js';
import { setFaults, stuckCancellation } from '../../setup/outages.js';
import { eventually } from '../../setup/eventually.js';
import { checkOut, newSku, orderIn } from '../../setup/shop.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';

const admin = { key: 'admin' } as const;

describe('what needs a person', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ SAGA_BACKOFF_FACTOR: '0.001' });
  });
  afterAll(() => test.close());

  const attention = async () => (await test.api.get('/v1/attention', admin)).body;
  const groupOf = async (cause: RegExp): Promise<any> =>
    (await attention()).groups.find((group: { cause: string }) => cause.test(group.cause));

  it('is nothing at first', async () => {
    expect(await attention()).toMatchObject({ count: 0, groups: [] });
  });

  it('foretells the effects of every step of every saga', () => {
    const registry = test.app.get(SagaRegistry);
    const steps = registry.keys().flatMap((key) => {
      const [name = '', version] = key.split('@');
      return registry.find(name, Number(version))!.steps.map((step) => step.name);
    });
    expect(steps.filter((step) => !isForetold(step))).toEqual([]);
  });

  it('is a cancellation that cannot pay back: with its reason, its verb, and what that will do', async () => {
    const sku = await newSku(test.api, 10, { unitAmount: 1_999 });
    const { orderId, sagaId } = await stuckCancellation(test.api, sku, 2);
    const group = await groupOf(/^stuck:cancel-order:return-payment/);
    expect(group).toMatchObject({
      kind: 'stuck-saga',
      title: 'A refund does not go through',
      count: 1,
      recommended: 'retry',
      summary: `refunds 39.98 EUR, puts 2 × ${sku} back into stock, cancels the order`,
      bulk: { action: 'retry-sagas', filter: { name: 'cancel-order', step: 'return-payment', direction: 'on' } },
    });
    expect(group.why).toMatch(/sandbox|500|error/i);
    expect(group.items).toEqual([expect.objectContaining({ subjectKind: 'saga', subject: sagaId, orderId })]);
    expect(group.items[0].verbs.map(({ verb, summary }: any) => [verb, summary])).toEqual([
      ['retry', `refunds 39.98 EUR, puts 2 × ${sku} back into stock, cancels the order`],
      ['resolve', 'leaves 39.98 EUR with the provider'],
    ]);

    await setFaults(test.api);
    const retried = await test.api.post(`/v1/sagas/${sagaId}/retry`, { reason: 'the provider is back' }, admin);
    expect(retried.status).toBe(200);
    expect(await orderIn(test.api, orderId, 'CANCELLED')).toMatchObject({ payment: { state: 'REFUNDED' } });
    expect(await groupOf(/^stuck/)).toBeUndefined();
    const trail = (await test.api.get(`/v1/operator-actions?orderId=${orderId}`, admin)).body;
    expect(trail.items.map(({ verb, subjectKind, reason }: any) => [verb, subjectKind, reason])).toEqual([
      ['retry', 'saga', 'the provider is back'],
      ['cancel', 'order', 'a test'],
    ]);
  });

  it('is a dead callback, a dead delivery, a dead letter and a broken invariant', async () => {
    const { database, api } = test;
    const endpointId = randomUUID();
    const orderId = (await checkOut(api, await newSku(api, 5))).body.id as string;
    const callback = (type: string, of: string) =>
      database.query(
        `INSERT INTO webhook_inbox (id, provider, event_id, type, transaction_id, event, state, attempts, error)
         VALUES (gen_random_uuid(), 'sandbox', $1, $1, 'ch_x', $2, 'DEAD', 12, 'it failed')`,
        [type, JSON.stringify({ orderId: of })],
      );
    await callback('charge.captured', orderId);
    await callback('charge.refunded', randomUUID());
    await database.query(
      `INSERT INTO webhook_endpoints (id, url, events, secret) VALUES ($1, 'https://shop.example/hooks', '{order.confirmed}', '')`,
      [endpointId],
    );
    await database.query(
      `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, type, subject, body, state, attempts, last_status)
       VALUES (gen_random_uuid(), $1, gen_random_uuid(), 'order.confirmed', $2, '{}', 'DEAD', 15, 503)`,
      [endpointId, orderId],
    );
    await database.query(
      `INSERT INTO dead_letters (id, source, message_id, body, code, reason, deliveries)
       VALUES (gen_random_uuid(), 's', 'm', '{}', 'VALIDATION_FAILED', 'currency: must be an ISO 4217 code', 1)`,
    );
    const sku = await newSku(api, 5);
    await database.query(`UPDATE skus SET reserved = 1 WHERE sku = $1`, [sku]);
    expect((await api.get('/v1/invariants', admin)).body.ok).toBe(false);
    expect(await groupOf(/^dead-callback:charge.captured/)).toMatchObject({
      count: 1,
      recommended: 'replay',
      why: 'it failed',
      bulk: { action: 'replay-callbacks', filter: { type: 'charge.captured' } },
      items: [{ orderId }],
    });
    // An order that nobody knows is nothing to look at.
    expect(await groupOf(/^dead-callback:charge.refunded/)).toMatchObject({ items: [{ orderId: null }] });
    expect(await groupOf(/^dead-delivery/)).toMatchObject({
      title: 'Events do not reach https://shop.example/hooks',
      recommended: 'replay',
      summary: 'sends order.confirmed again',
      items: [{ endpointId, problem: 'order.confirmed: answered 503' }],
    });
    expect(await groupOf(/^dead-letter/)).toMatchObject({ recommended: 'discard', why: /ISO 4217/ as never });
    expect(await groupOf(/^broken-invariant:reserved-equals-held/)).toMatchObject({
      recommended: null,
      items: [{ problem: expect.stringContaining(sku) }],
    });
    await database.query(`UPDATE skus SET reserved = 0 WHERE sku = $1`, [sku]);
    expect((await api.get('/v1/invariants', admin)).body.ok).toBe(true);
    expect(await groupOf(/^broken-invariant/)).toBeUndefined();
    const { items } = (await api.get('/v1/invariants/history?name=reserved-equals-held', admin)).body;
    expect(items.map(({ ok, count }: any) => [ok, count])).toEqual([
      [true, 0],
      [false, 1],
    ]);
  });

  it('is a charge that nobody has heard of for long', async () => {
    const sku = await newSku(test.api, 5, { unitAmount: 700 });
    await setFaults(test.api, { next: Array.from({ length: 20 }, () => ({ operation: 'lookup', effect: 'timeout' })) });
    const order = await test.api.post(
      '/v1/checkouts',
      {
        currency: 'EUR',
        lines: [{ sku, quantity: 1 }],
        payment: { method: 'pm_sandbox_timeout_after_charge' },
      },
      { headers: { prefer: 'respond-async' } },
    );
    await eventually('the payment is in doubt', async () => {
      const moved = await test.database.query(
        `UPDATE payments SET updated_at = now() - interval '10 minutes' WHERE order_id = $1 AND state = 'IN_DOUBT' RETURNING id`,
        [order.body.id],
      );
      return moved.length > 0;
    });
    const group = await groupOf(/^payment-in-doubt/);
    expect(group).toMatchObject({ recommended: null, items: [{ orderId: order.body.id }] });
    expect(group.items[0].problem).toBe('7.00 EUR may have been charged');
    expect(group.items[0].verbs[0].summary).toContain('refunds up to 7.00 EUR, as far as it was charged');
    await setFaults(test.api);
    await orderIn(test.api, order.body.id, 'CONFIRMED');
  });
});
