import { createClient, createStorefront } from '../../packages/client/src/public-api.js';
import { KEYS } from '../setup/app-process.js';
import { newSkuId, shelve } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.js';

/** Enough for the head of the answer and the first message, and not for much more. */
const CUT_AFTER_BYTES = 2_500;

describe('following a group of SKUs', () => {
  let test: TestApp;
  let proxy: CuttingProxy;
  beforeAll(async () => {
    test = await startTestApp();
    proxy = await startCuttingProxy(test.url, () => CUT_AFTER_BYTES);
  });
  afterAll(async () => {
    await proxy.close();
    await test.close();
  });

  it('has all of it at any time, over connections that break: what is sold, what comes and what goes', async () => {
    const group = newSkuId('group');
    const [first, second] = [`${group}:1`, `${group}:2`] as const;
    const admin = createClient({ url: test.url, apiKey: KEYS.ADMIN_API_KEY });
    const put = (sku: string, inGroup: string) =>
      admin.putSku(sku, { name: sku, unitAmount: 1, currency: 'EUR', group: inGroup, onHand: 40 });
    await shelve(test.api, first, 40, 1, { group });

    const shop = createStorefront({ url: proxy.url, apiKey: KEYS.STOREFRONT_API_KEY });
    const stop = new AbortController();
    const steps = [
      () => put(second, group),
      () => put(first, `${group}:elsewhere`),
      // Each is a message of some 200 bytes: the connection breaks among them.
      ...Array.from(
        { length: 12 },
        () => () => admin.createReservation({ currency: 'EUR', lines: [{ sku: second, quantity: 1 }] }),
      ),
    ];
    const wanted = [
      `${first}:40`,
      `${first}:40 ${second}:40`,
      ...Array.from({ length: 13 }, (_, held) => `${second}:${40 - held}`),
    ];
    for await (const skus of shop.followSkus(group, { signal: stop.signal })) {
      const seen = skus.map(({ sku, available }) => `${sku}:${available}`).join(' ');
      if (seen !== wanted[0]) continue;
      wanted.shift();
      const step = steps.shift();
      if (!step) break;
      await step();
    }
    expect(wanted).toEqual([]);
    expect(proxy.cuts).toBeGreaterThan(0);
  });
});
