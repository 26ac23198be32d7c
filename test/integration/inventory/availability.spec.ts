import { Availability } from '../../../src/inventory/sku/availability.service.js';
import { KEYS } from '../../setup/app-process.js';
import { eventually } from '../../setup/eventually.js';
import { newSkuId } from '../../setup/shop.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { openEvents } from '../events/sse-client.js';
import { hold } from './inventory-fixture.js';

describe('availability for crowds', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  const seatMap = async (seats: number) => {
    const group = newSkuId('show');
    for (let number = 1; number <= seats; number += 1) {
      const body = { name: `Seat ${number}`, unitAmount: 1_000, currency: 'EUR', group, row: 'A', number, onHand: 1 };
      expect((await test.api.put(`/v1/skus/${group}:${number}`, body)).status).toBe(201);
    }
    return group;
  };
  const list = (group: string, headers: Record<string, string> = {}) =>
    test.api.get(`/v1/skus?group=${group}`, { headers });
  const take = (sku: string) => hold(test.api, [{ sku, quantity: 1 }]);

  it('keeps the place of a seat, and shows none for what is no seat', async () => {
    const group = await seatMap(2);
    const [first] = (await list(group)).body.items;
    expect(first).toMatchObject({ sku: `${group}:1`, row: 'A', number: 1, available: 1 });
    const moved = { name: 'Seat', unitAmount: 1_000, currency: 'EUR', group, row: 'B', number: 7 };
    expect((await test.api.put(`/v1/skus/${group}:1`, moved)).body).toMatchObject({ row: 'B', number: 7, version: 2 });
    const { body } = await test.api.put(`/v1/skus/${newSkuId()}`, { name: 'Mug', unitAmount: 1, currency: 'EUR' });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['row']));
  });

  it('answers 304 while nothing has changed, for a map and for a seat, and names what was sold at once', async () => {
    const group = await seatMap(3);
    const map = await list(group);
    expect(map.headers.get('cache-control')).toBe('max-age=1');
    const known = { 'if-none-match': map.headers.get('etag')! };
    const unchanged = await list(group, known);
    expect([unchanged.status, unchanged.body, unchanged.headers.get('etag')]).toEqual([
      304,
      '',
      known['if-none-match'],
    ]);
    const seat = await test.api.get(`/v1/skus/${group}:2`);
    const ofSeat = { 'if-none-match': `W/${seat.headers.get('etag')}` };
    expect((await test.api.get(`/v1/skus/${group}:2`, { headers: ofSeat })).status).toBe(304);
    await take(`${group}:2`);
    expect((await list(group, known)).body.items.map((item: any) => item.available)).toEqual([1, 0, 1]);
    expect((await test.api.get(`/v1/skus/${group}:2`, { headers: ofSeat })).body.available).toBe(0);
    const left = await test.api.get(`/v1/skus?group=${group}&available=true&limit=1`);
    expect(left.body.items).toHaveLength(1);
    const next = await test.api.get(`/v1/skus?group=${group}&available=true&limit=1&cursor=${left.body.nextCursor}`);
    expect(next.body).toMatchObject({ items: [{ sku: `${group}:3` }], nextCursor: null });
  });

  it('packs a large map for those who can unpack it', async () => {
    const group = await seatMap(40);
    const plain = await list(group, { 'accept-encoding': 'identity' });
    const packed = await list(group, { 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(packed.body).toEqual(plain.body);
    expect(packed.headers.get('etag')).toBe(plain.headers.get('etag'));
  });

  it('costs the database about one query a second, however many read and whatever is sold meanwhile', async () => {
    const group = await seatMap(10);
    const { transactions } = test.app.get(Availability) as any;
    let queries = 0;
    const query = transactions.query.bind(transactions);
    transactions.query = (statement: { name: string }, params: unknown[]) => {
      if (statement.name === 'sku.list-group') queries += 1;
      return query(statement, params);
    };
    const startedAt = performance.now();
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([take(`${group}:${round + 1}`), ...Array.from({ length: 100 }, () => list(group))]);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    transactions.query = query;
    // A few before it is a crowd; then one a second.
    expect(queries).toBeLessThanOrEqual(6 + Math.ceil(seconds));
    await eventually('all are sold in the map', async () =>
      (await list(group)).body.items.every((item: any) => item.available === 0),
    );
  });

  it('sends what changes, and to who comes back only what it missed', async () => {
    const group = await seatMap(3);
    const headers = { 'x-api-key': KEYS.STOREFRONT_API_KEY };
    const url = `${test.url}/v1/skus/events?group=${group}`;
    const [stream, other] = await Promise.all([openEvents(url, headers), openEvents(url, headers)]);
    const [state] = await stream.until((messages) => messages.length === 1);
    expect([state!.event, state!.data.items.length]).toEqual(['skus.state', 3]);
    await take(`${group}:1`);
    const [, change] = await stream.until((messages) => messages.length === 2);
    expect(change).toMatchObject({ event: 'skus.changed', data: { items: [{ sku: `${group}:1`, available: 0 }] } });
    expect(change!.data.items).toHaveLength(1);
    stream.close();
    await take(`${group}:3`);
    await other.until((messages) => messages.length === 3);
    const again = await openEvents(url, { ...headers, 'last-event-id': change!.id! });
    const [missed] = await again.until((messages) => messages.length === 1);
    expect(missed!.data.items.map((item: any) => item.sku)).toEqual([`${group}:3`]);
    again.close();
    other.close();
  });

  it('limits the streams of one caller', async () => {
    const limited = await startTestApp({ EVENT_STREAMS_PER_CALLER: '1' }, test.database);
    const headers = { 'x-api-key': KEYS.STOREFRONT_API_KEY };
    const url = `${limited.url}/v1/skus/events?group=nothing`;
    const first = await openEvents(url, headers);
    const second = await fetch(url, { headers });
    expect([first.status, second.status, second.headers.get('retry-after')]).toEqual([200, 429, '5']);
    first.close();
    await limited.close();
  });
});
