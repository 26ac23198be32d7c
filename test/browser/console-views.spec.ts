import { setFaults, stuckCancellation } from '../setup/outages.js';
import { checkOut, newSku } from '../setup/shop.js';
import { Desk } from './desk.js';
import { seriousFindings } from './visitor.js';

const PHONE = { viewport: { width: 390, height: 844 } };
const COLOURS = ['color-contrast', 'link-in-text-block'];

describe('every view of the console', () => {
  let desk: Desk;
  let orderId: string;
  let sagaId: string;
  beforeAll(async () => {
    desk = await Desk.open();
    const { api } = desk.test;
    const sku = await newSku(api, 50);
    await Promise.all(Array.from({ length: 5 }, () => checkOut(api, sku)));
    ({ orderId, sagaId } = await stuckCancellation(api, sku));
    await setFaults(api);
    const plan = { action: 'retry-sagas', reason: 'a test' };
    await api.post('/v1/bulk-runs', plan, { key: 'admin' });
    await api.get('/v1/invariants', { key: 'admin' });
    const terms = { skus: [sku], admitPerSecond: 1, maxActive: 5, ticketTtlSeconds: 60 };
    await api.put('/v1/sales/noon', { ...terms, startsAt: new Date(Date.now() + 3_600_000).toISOString() });
  }, 300_000);
  afterAll(() => desk?.close());

  const views = async () => {
    const { items } = (await desk.test.api.get('/v1/bulk-runs', { key: 'admin' })).body;
    return {
      '/': 'Needs a person',
      '/overview': 'Overview',
      '/orders': 'Orders',
      [`/orders/${orderId}`]: 'Order',
      '/sagas?state=STUCK': 'Sagas',
      [`/sagas/${sagaId}`]: 'cancel order',
      '/stock': 'Stock',
      '/stock/demo-mug': 'Mug',
      '/sales': 'Flash sales',
      '/sales/noon': 'noon',
      '/bulk': 'Bulk runs',
      '/bulk/new': 'Plan a bulk run',
      [`/bulk/${items[0].id}`]: 'retry sagas',
      '/trail': 'Audit trail',
      '/checks': 'Checks',
      '/sandbox': 'Sandbox',
      '/search?q=nothing': '“nothing”',
    };
  };

  // A context of its own for each theme: Chromium repaints a page whose scheme is switched piece by piece.
  it.each([
    ['light', {}, undefined],
    ['dark', PHONE, undefined],
    ['dark', {}, COLOURS],
    ['light', PHONE, COLOURS],
  ] as const)('is clean in %s, on %o', async (colorScheme, options, rules) => {
    const page = await desk.sit('', { colorScheme, reducedMotion: 'reduce', ...options });
    const findings: string[] = [];
    for (const [path, heading] of Object.entries(await views())) {
      await page.goto(`${desk.test.url}/console${path}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.getByText('Reading …').first().waitFor({ state: 'detached' });
      findings.push(...(await seriousFindings(page, rules)).map((finding) => `${path}: ${finding}`));
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (overflow > 0) findings.push(`${path}: ${overflow} pixels too wide`);
    }
    expect(findings).toEqual([]);
    expect(await desk.complaints()).toEqual([]);
  });

  it('can be worked with the keyboard alone', async () => {
    const page = await desk.sit();
    const focused = () => page.evaluate<string>(`document.activeElement?.textContent ?? ''`);
    await page.getByRole('region', { name: 'A refund does not go through' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    for (let tabs = 0; tabs < 20 && (await focused()) !== 'Retry'; tabs += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Retry'); // where it was
    expect(await desk.complaints()).toEqual([]);
  });
});
