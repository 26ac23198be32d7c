import { randomUUID } from 'node:crypto';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { buy, newGiftCard } from '../setup/balances.js';
import { eventually } from '../setup/eventually.js';
import { setFaults } from '../setup/outages.js';
import { basket, orderEnded, orderIn, shelve } from '../setup/shop.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const admin = { key: 'admin' } as const;

interface Span {
  readonly kind: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly ms: number;
  readonly by?: string;
  readonly result?: string;
  readonly error?: string;
  readonly isBack?: boolean;
}

describe('an order as an operator sees it', () => {
  let database: TestDatabase;
  let shop: AppProcess;
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startAppProcess({ DATABASE_URL: database.url, SAGA_LEASE_MS: '3000', ...more });
  beforeAll(async () => {
    database = await createTestDatabase();
    shop = await start();
    await shelve(shop.api, 'lamp', 100, 1_999);
  });
  afterAll(async () => {
    await shop.stop('SIGKILL');
    await database.drop();
  });

  const get = async (path: string) => (await shop.api.get(path, admin)).body;
  const dossierOf = (id: string) => get(`/v1/orders/${id}/dossier`);
  const search = (q: string) => get(`/v1/search?q=${encodeURIComponent(q)}`);

  it('shows a checkout that was declined after another instance had taken it over', async () => {
    const victim = await start({ FAULT_POINT: 'after-call:process-payment:call=kill' });
    const key = randomUUID();
    const body = basket('lamp', {
      customer: { email: 'Ada@example.com' },
      payment: { method: 'pm_card_chargeDeclinedInsufficientFunds' },
    });
    await victim.api.post('/v1/checkouts', body, { idempotencyKey: key }).catch(() => undefined);
    await victim.exited();
    const { items } = await get('/v1/orders?email=ada@example.com');
    const order = await orderEnded(shop.api, items[0].id);
    expect(order).toMatchObject({ state: 'REJECTED', rejection: { code: 'PAYMENT_DECLINED' } });

    const dossier = await dossierOf(order.id);
    const axis = dossier.axis as Span[];
    const find = (kind: string, name: string) => axis.filter((span) => span.kind === kind && span.name === name);
    const [takeover] = find('takeover', 'taken over');
    expect(takeover?.ms).toBeGreaterThan(2_000);
    const instances = [...new Set(axis.map(({ by }) => by).filter(Boolean))];
    expect(instances).toHaveLength(2);
    expect(find('step', 'create-order')[0]?.by).toBe(instances[0]);
    expect(find('step', 'process-payment').at(-1)).toMatchObject({
      result: 'failed',
      error: 'PAYMENT_DECLINED',
      by: instances[1],
    });
    expect(find('call', 'process-payment')[0]).toMatchObject({ by: instances[1], result: 'answered' });
    expect(find('step', 'reserve-inventory').at(-1)).toMatchObject({ isBack: true, result: 'done' });
    expect(find('note', 'payment.declined')).toHaveLength(1);
    expect(axis.map(({ from }) => from)).toEqual(axis.map(({ from }) => from).toSorted());
    expect(dossier).toMatchObject({
      order: { id: order.id },
      payment: { state: 'DECLINED', declineCode: 'insufficient_funds', provider: 'sandbox' },
      sagas: [{ name: 'checkout', state: 'COMPENSATED', verbs: [] }],
      verbs: [],
      refunds: [],
    });
    expect(await get(`/v1/orders/${order.id}/comparison`)).toMatchObject({ problems: [], isOpen: false });

    for (const [q, matchedBy] of [
      [order.id, 'order id'],
      [order.sagaId, 'saga id'],
      [dossier.payment.id, 'payment id'],
      ['ADA@example.com', 'e-mail'],
      [key, 'Idempotency-Key'],
    ] as const) {
      const found = await search(q);
      expect(found).toMatchObject({ items: [{ matchedBy }], notes: [] });
    }
    expect(await search('lamp')).toMatchObject({ items: [{ kind: 'sku', id: 'lamp' }] });
    expect(await search('no such thing')).toEqual({ items: [], notes: [] });
  });

  it('shows a cancellation beside the checkout, its refund, its callbacks and its deliveries, and foretells the next verb', async () => {
    const { body } = await shop.api.post('/v1/checkouts', basket('lamp', { lines: [{ sku: 'lamp', quantity: 2 }] }));
    const before = await dossierOf(body.id);
    expect(before.verbs.map(({ verb, summary }: any) => [verb, summary])).toEqual([
      ['cancel', 'refunds 39.98 EUR, puts 2 × lamp back into stock, cancels the order'],
      ['refund', 'refunds 39.98 EUR'],
    ]);
    const transactionId = before.payment.transactionId as string;
    expect(await search(transactionId)).toMatchObject({ items: [{ id: body.id, matchedBy: 'transaction' }] });
    await setFaults(shop.api, { everyCallback: true });
    await shop.api.post(`/v1/orders/${body.id}/cancel`, { reason: 'a wrong size' }, admin);
    await orderIn(shop.api, body.id, 'CANCELLED');
    const after = await eventually('the callback of the refund', () => dossierOf(body.id), {
      until: ({ callbacks }) => callbacks.some(({ state }: { state: string }) => state === 'PROCESSED'),
    });
    expect(after.sagas.map(({ name, state }: any) => [name, state])).toEqual([
      ['checkout', 'COMPLETED'],
      ['cancel-order', 'COMPLETED'],
    ]);
    expect(after).toMatchObject({
      verbs: [],
      refunds: [{ state: 'SETTLED', amount: 3_998 }],
      actions: [{ verb: 'cancel', subjectKind: 'order', reason: 'a wrong size', detail: { amount: 3_998 } }],
    });
    const kinds = new Set((after.axis as Span[]).map(({ kind }) => kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['step', 'call', 'commit', 'note', 'callback', 'action']));
    await setFaults(shop.api);
  });

  it('that credit paid a part of differs from nothing, and its cancellation gives the credit back', async () => {
    const card = await newGiftCard(shop.api, 500);
    const payment = { method: 'pm_card_visa', credit: [{ giftCardCode: card.code }] };
    const { body } = await buy(shop.api, 'lamp', { payment });
    expect((await get(`/v1/orders/${body.id}/comparison`)).problems).toEqual([]);
    expect((await dossierOf(body.id)).verbs.map(({ verb, summary }: any) => [verb, summary])).toEqual([
      [
        'cancel',
        'refunds 14.99 EUR, puts 1 × lamp back into stock, returns 5.00 EUR of store credit, cancels the order',
      ],
      ['refund', 'refunds 14.99 EUR, returns 5.00 EUR of store credit'],
    ]);
    await shop.api.post(`/v1/orders/${body.id}/cancel`, {}, admin);
    await orderIn(shop.api, body.id, 'CANCELLED');
    expect((await get(`/v1/orders/${body.id}/comparison`)).problems).toEqual([]);
    expect((await dossierOf(body.id)).verbs).toEqual([]);
  });

  it('is compared with the provider, and says where they differ', async () => {
    const { body } = await shop.api.post('/v1/checkouts', basket('lamp'));
    await database.query(`UPDATE sandbox.charges SET amount = 1500 WHERE order_id = $1`, [body.id]);
    expect(await get(`/v1/orders/${body.id}/comparison`)).toMatchObject({
      order: { state: 'CONFIRMED', total: 1_999 },
      payment: { state: 'CAPTURED', amount: 1_999 },
      provider: { name: 'sandbox', charges: [{ state: 'CAPTURED', amount: 1_500, isStray: false }] },
      problems: ['the provider has captured 15.00 EUR, we have 19.99 EUR'],
    });
    expect((await get('/v1/differences')).items).toEqual([]);
    expect((await get('/v1/invariants')).ok).toBe(false);
    expect((await get('/v1/differences')).items).toEqual([expect.objectContaining({ orderId: body.id })]);
    await database.query(`UPDATE sandbox.charges SET amount = 1999 WHERE order_id = $1`, [body.id]);
    expect((await get('/v1/differences')).items).toEqual([]);
    expect((await get('/v1/invariants')).ok).toBe(true);
    expect((await shop.api.get(`/v1/orders/${randomUUID()}/dossier`, admin)).body.code).toBe('ORDER_NOT_FOUND');
  });
});
