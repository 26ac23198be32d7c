import { randomUUID } from 'node:crypto';
import { TransactionRunner } from '../../../src/platform/postgres/transaction-runner.js';
import { Tx } from '../../../src/platform/postgres/tx.js';
import { HoldRequest } from '../../../src/inventory/reservation/reservation.js';
import { ReservationAdoptionRepository } from '../../../src/inventory/reservation/reservation-adoption.repository.js';
import { ReservationRepository } from '../../../src/inventory/reservation/reservation.repository.js';
import { StockRepository } from '../../../src/inventory/stock/stock.repository.js';
import { FencedOutError } from '../../../src/lock/lock-errors.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { newSku, newSkuId } from '../../setup/shop.js';
import { stockOf, violations } from './inventory-fixture.js';

describe('the reservation repository', () => {
  let test: TestApp;
  let repository: ReservationRepository;
  let adoptions: ReservationAdoptionRepository;
  beforeAll(async () => {
    test = await startTestApp({ RESERVATION_SWEEP_SECONDS: '3600' });
    repository = test.app.get(ReservationRepository);
    adoptions = test.app.get(ReservationAdoptionRepository);
  });
  afterEach(async () => expect(await violations(test.database)).toEqual([]));
  afterAll(() => test.close());

  const run = <T>(work: (tx: Tx) => Promise<T>) => test.app.get(TransactionRunner).run(work);
  const request = (sku: string, quantity = 1, overrides: Partial<HoldRequest> = {}): HoldRequest => ({
    reservationId: randomUUID(),
    currency: 'EUR',
    ttlSeconds: 900,
    alternatives: [{ lines: [{ sku, name: sku, quantity, unitAmount: 1_000 }] }],
    ...overrides,
  });
  const held = async (sku: string, quantity = 1, overrides: Partial<HoldRequest> = {}): Promise<string> => {
    const one = request(sku, quantity, overrides);
    const [verdict] = await run((tx) => repository.hold(tx, [one]));
    expect(verdict?.kind).toBe('granted');
    return one.reservationId;
  };
  const adoption = (reservationId: string, sku = '', quantity = 1) => ({
    ...{ reservationId, sagaId: randomUUID(), orderId: randomUUID() },
    lines: [{ sku, name: sku, quantity, unitAmount: 1_000 }],
    total: quantity * 1_000,
  });
  const column = async (id: string, name: string) => {
    const [row] = await test.database.query(`SELECT ${name} AS value FROM reservations WHERE id = $1`, [id]);
    return row?.['value'] as unknown;
  };

  it('serves a batch in order of arrival', async () => {
    const sku = await newSku(test.api, 3);
    const verdicts = await run((tx) =>
      repository.hold(tx, [request(sku, 2), request(sku, 2), request(sku, 1), request(newSkuId('unknown'))]),
    );
    expect(verdicts.map(({ kind }) => kind)).toEqual(['granted', 'short', 'granted', 'short']);
    expect(await stockOf(test.database, sku)).toEqual({ onHand: 3, reserved: 3 });
  });

  it('refuses the write of a holder whose time is over', async () => {
    const sku = await newSku(test.api, 3);
    await run((tx) => repository.hold(tx, [request(sku)], 20n));
    await run((tx) => repository.hold(tx, [request(sku)], 20n));
    const stale = run((tx) => repository.hold(tx, [request(sku)], 19n));
    await expect(stale).rejects.toBeInstanceOf(FencedOutError);
    await expect(stale).rejects.toMatchObject({ token: 19n, fence: 20n });
    expect((await stockOf(test.database, sku)).reserved).toBe(2);
  });

  it('lets one checkout adopt a hold, also within one batch', async () => {
    const sku = await newSku(test.api, 5);
    const id = await held(sku, 2);
    const [first, second] = [adoption(id, sku, 2), adoption(id, sku, 2)];
    const verdicts = await run((tx) => adoptions.adopt(tx, [first, second, adoption(randomUUID())]));
    expect(verdicts).toMatchObject([
      { kind: 'adopted', expiresAt: expect.any(Date) },
      { kind: 'busy' },
      { kind: 'missing' },
    ]);
    expect(await column(id, 'pinned_by')).toBe(first.sagaId);
    expect(await run((tx) => adoptions.adopt(tx, [first]))).toMatchObject([{ kind: 'adopted' }]);
    await run((tx) => {
      repository.unpin(tx, [id]);
      return Promise.resolve();
    });
    expect(await run((tx) => adoptions.adopt(tx, [second]))).toEqual([{ kind: 'busy' }]);
  });

  it('lets nobody adopt a hold for other lines than it has', async () => {
    const sku = await newSku(test.api, 5);
    const id = await held(sku, 2);
    const lines = [{ sku, name: sku, quantity: 2, unitAmount: 1_000 }];
    expect(await run((tx) => adoptions.adopt(tx, [adoption(id, sku, 1)]))).toEqual([
      { kind: 'changed', currency: 'EUR', total: 2_000, lines },
    ]);
    expect(await column(id, 'order_id')).toBeNull();
  });

  it('adopts nothing that is over', async () => {
    const sku = await newSku(test.api, 5);
    const [overdue, released] = [await held(sku), await held(sku)];
    await test.database.query(`UPDATE reservations SET expires_at = now() WHERE id = $1`, [overdue]);
    await run((tx) => repository.release(tx, [released], 'RELEASED'));
    expect(await run((tx) => adoptions.adopt(tx, [adoption(overdue), adoption(released)]))).toEqual([
      { kind: 'ended', state: 'EXPIRED', expiresAt: expect.any(Date) },
      { kind: 'ended', state: 'RELEASED', expiresAt: expect.any(Date) },
    ]);
  });

  it('uses prefetched stock only for the SKUs it was fetched for', async () => {
    const stock = test.app.get(StockRepository);
    const [first, second, third] = [await newSku(test.api, 1), await newSku(test.api, 2), await newSku(test.api, 3)];
    const onHand = (asked: readonly string[]) =>
      run(async (tx) => {
        stock.prefetch(tx, [first, second]);
        const rows = await stock.lock(tx, asked);
        return [...rows.values()].map((row) => row.onHand).sort();
      });
    expect(await onHand([first, second])).toEqual([1, 2]);
    expect(await onHand([second])).toEqual([2]);
    expect(await onHand([second, third])).toEqual([2, 3]);
    expect(await onHand([third])).toEqual([3]);
  });

  it('commits and releases each hold once', async () => {
    const sku = await newSku(test.api, 10);
    const [sold, freed, both] = [await held(sku, 2), await held(sku, 3), await held(sku, 1)];
    expect(await run((tx) => repository.release(tx, [freed], 'RELEASED'))).toEqual(new Set([freed]));
    expect(await run((tx) => repository.commit(tx, [sold, freed, both]))).toEqual(new Set([sold, both]));
    expect(await run((tx) => repository.commit(tx, [sold]))).toEqual(new Set());
    expect(await run((tx) => repository.release(tx, [sold, freed], 'RELEASED'))).toEqual(new Set());
    expect(await stockOf(test.database, sku)).toEqual({ onHand: 7, reserved: 0 });
  });

  it('ends a hold once when everybody wants to end it at the same moment', async () => {
    const skus = [await newSku(test.api, 50), await newSku(test.api, 50)] as const;
    const lines = skus.map((sku) => ({ sku, name: sku, quantity: 1, unitAmount: 1 }));
    const ids: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      ids.push(await held(skus[0], 1, { alternatives: [{ lines: index % 2 ? lines : lines.toReversed() }] }));
    }
    const ends = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        run((tx) => {
          const some = index % 2 ? ids : ids.toReversed();
          return index % 3 ? repository.commit(tx, some) : repository.release(tx, some, 'EXPIRED');
        }),
      ),
    );
    expect(ends.reduce((sum, landed) => sum + landed.size, 0)).toBe(20);
    for (const sku of skus) expect((await stockOf(test.database, sku)).reserved).toBe(0);
  });

  it('restocks an order once, with a movement per SKU', async () => {
    const [a, b] = [await newSku(test.api, 5), await newSku(test.api, 5)];
    const [order, other] = [randomUUID(), randomUUID()];
    const lines = [a, b, a].map((sku) => ({ sku, quantity: 1 }));
    const restocks = [
      { orderId: order, lines },
      { orderId: other, lines: [{ sku: a, quantity: 4 }] },
    ];
    const stock = test.app.get(StockRepository);
    await Promise.all([1, 2, 3].map(() => run((tx) => stock.restock(tx, restocks, 'saga'))));
    expect(await stockOf(test.database, a)).toEqual({ onHand: 11, reserved: 0 });
    expect(await stockOf(test.database, b)).toEqual({ onHand: 6, reserved: 0 });
    const movements = await test.database.query(
      `SELECT sku, delta, on_hand_after, actor, reference FROM stock_movements WHERE kind = 'RESTOCK' ORDER BY id`,
    );
    expect(movements).toEqual([
      { sku: a, delta: 2, on_hand_after: 7, actor: 'saga', reference: order },
      { sku: b, delta: 1, on_hand_after: 6, actor: 'saga', reference: order },
      { sku: a, delta: 4, on_hand_after: 11, actor: 'saga', reference: other },
    ]);
  });

  it('leaves the last word to the database', async () => {
    const sku = await newSku(test.api, 1);
    const oversold = test.database.query('UPDATE skus SET reserved = 2 WHERE sku = $1', [sku]);
    await expect(oversold).rejects.toMatchObject({ constraint: 'skus_never_oversold' });
    const twice = test.database.query(
      `INSERT INTO stock_movements (sku, kind, delta, on_hand_after, reason, actor) VALUES ($1, 'INITIAL', 1, 1, '', '')`,
      [sku],
    );
    await expect(twice).rejects.toMatchObject({ constraint: 'stock_movements_one_initial' });
  });
});
