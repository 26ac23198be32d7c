import { eventually } from '../../setup/eventually.js';
import { checkOut, newSku } from '../../setup/shop.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';

const admin = { key: 'admin' } as const;

describe('the overview', () => {
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ SANDBOX_AUTHENTICATION_MS: '0' });
    other = await startTestApp({ SANDBOX_AUTHENTICATION_MS: '0' }, test.database);
  });
  afterAll(async () => {
    await other.close();
    await test.close();
  });

  const overviewOf = async ({ api }: TestApp) => (await api.get('/v1/overview', admin)).body;

  it('shows on any instance what all of them have done, and what they have in hand', async () => {
    const sku = await newSku(test.api, 100);
    const declined = 'pm_card_chargeDeclined';
    await Promise.all([
      ...Array.from({ length: 6 }, () => checkOut(test.api, sku)),
      ...Array.from({ length: 4 }, () => checkOut(other.api, sku)),
      checkOut(other.api, sku, declined),
    ]);
    const waiting = await checkOut(test.api, sku, 'pm_card_authenticationRequired', { prefer: 'wait=0' });
    expect(waiting.body.state).toBe('PENDING');
    const overview = await eventually('both have told', () => overviewOf(test), {
      until: ({ rates, instances }) =>
        rates.perSecond.confirmed > 0.15 && instances.every(({ perSecond }: any) => perSecond > 0),
      everyMs: 500,
    });
    expect(overview).toMatchObject({
      isSandbox: true,
      rates: { seconds: 60 },
      locks: { driver: 'postgres', breaker: 'closed', timeouts: 0 },
      inDoubt: { count: 0, oldestAt: null },
    });
    expect(overview.rates.perSecond.confirmed).toBeCloseTo(10 / 60, 1);
    expect(overview.rates.perSecond.declined).toBeCloseTo(1 / 60, 1);
    expect(overview.latency.p99Ms).toBeGreaterThan(0);
    expect(overview.series.length).toBeGreaterThan(100);
    const counted = overview.series.reduce((sum: number, point: any) => sum + (point.perSecond.confirmed ?? 0) * 5, 0);
    expect(counted).toBeCloseTo(10, 0);
    expect(overview.instances).toHaveLength(2);
    expect(overview.instances[0]).toMatchObject({ state: 'READY', isSilent: false, breaker: 'closed' });
  });

  it('shows what sells, how much of it is left, and when it will be gone', async () => {
    const hot = await newSku(test.api, 20, { name: 'Hot' });
    await checkOut(test.api, hot, 'pm_card_visa', { quantity: 12 });
    await checkOut(test.api, hot, 'pm_card_chargeDeclined');
    await test.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku: hot, quantity: 3 }] });
    const board = await eventually('it is on the board', async () => (await test.api.get('/v1/hot-skus', admin)).body, {
      until: ({ items }) => items.some((item: any) => item.sku === hot && item.orders === 2),
      everyMs: 500,
    });
    expect(board.seconds).toBe(300);
    const item = board.items.find(({ sku }: any) => sku === hot);
    expect(item).toMatchObject({ name: 'Hot', available: 5, held: 3, soldUnits: 12, refused: 1, soldPerMinute: 2.4 });
    expect(item.sellsOutInSeconds).toBe(125);
    expect(item.lockWaitP99Ms).toBeGreaterThanOrEqual(0);
  });
});
