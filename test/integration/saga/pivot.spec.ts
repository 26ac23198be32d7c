import { CheckoutSaga } from '../../../src/checkout/checkout.saga.js';
import type { CheckoutData } from '../../../src/checkout/checkout-data.js';
import type { SagaStep } from '../../../src/saga/saga-definition.js';
import { SagaRegistry } from '../../../src/saga/saga-registry.js';
import { basket, chargesOf, expectSound, newSku } from '../../setup/shop.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';

/** Behind the pivot of a checkout, and never done: it refuses, or it throws, as the order's metadata says. */
const failing: SagaStep<CheckoutData> = {
  name: 'fail-behind-pivot',
  retry: { maxAttempts: 2, baseMs: 1, capMs: 1 },
  timeoutMs: 1_000,
  execute: {
    kind: 'local',
    run: (_, batch) => {
      for (const run of batch) {
        if (run.data.metadata['how'] === 'throws') throw new Error('not today');
        run.fail({ code: 'INVALID_STATE', detail: 'never' });
      }
      return Promise.resolve();
    },
  },
};

describe('a step that fails behind the pivot', () => {
  let test: TestApp;
  let steps: readonly SagaStep<CheckoutData>[];
  beforeAll(async () => {
    test = await startTestApp();
    const { name, version } = test.app.get(CheckoutSaga);
    steps = test.app.get(CheckoutSaga).steps;
    test.app.get(SagaRegistry).register({ name, version: version + 100, steps: [...steps, failing] });
  });
  afterAll(() => test.close());

  it.each(['refuses', 'throws'])('and %s leaves the saga STUCK and the order CONFIRMED and paid', async (how) => {
    const sku = await newSku(test.api);
    const answer = await test.api.post('/v1/checkouts', basket(sku, { metadata: { how } }), {
      headers: { prefer: 'wait=25' },
    });
    expect([answer.status, answer.body.state]).toEqual([201, 'CONFIRMED']);
    const { body: order } = await test.api.get(`/v1/orders/${answer.body.id}`, { key: 'admin' });
    expect(order).toMatchObject({ state: 'CONFIRMED', payment: { state: 'CAPTURED', refundedAmount: 0 } });
    expect(await chargesOf(test.database, order.id)).toEqual({ charges: 1, net: 1_000 });
    const { body: saga } = await test.api.get(`/v1/sagas/${order.sagaId}`, { key: 'admin' });
    expect(saga).toMatchObject({ state: 'STUCK', phase: 'execute', position: steps.length });
    const refused = await test.api.post(`/v1/sagas/${order.sagaId}/compensate`, {}, { key: 'admin' });
    expect([refused.status, refused.body.code]).toEqual([409, 'INVALID_STATE']);
    await expectSound(test.api);
  });

  it('is a violation where it paid the order back all the same', async () => {
    const [order] = await test.database.query<{ id: string; saga_id: string }>(
      `SELECT id, saga_id FROM orders LIMIT 1`,
    );
    await test.database.query(`UPDATE sagas SET state = 'COMPENSATED', phase = 'end' WHERE id = $1`, [order?.saga_id]);
    await test.database.query(`UPDATE payments SET state = 'REFUNDED' WHERE order_id = $1`, [order?.id]);
    const { body } = await test.api.get('/v1/invariants', { key: 'admin' });
    const check = body.checks.find(({ name }: { name: string }) => name === 'confirmed-paid-once');
    expect(check).toMatchObject({ ok: false, violations: [{ orderId: order?.id }] });
  });
});
