import { eventually } from '../setup/eventually.js';
import { Lantern, orderShown, payWith } from './lantern.js';
import { useStage } from './page-stage.js';

const admin = { key: 'admin' } as const;

describe('the flash sale in the shop', () => {
  const shop = useStage(() => Lantern.open());

  /** The sale that is on, opened to one at a time right now; or with other terms. */
  const openDoors = (terms: object = {}) =>
    eventually('the doors are open', async () => {
      const { body: sale } = await shop().test.api.post('/v1/sandbox/drops', undefined);
      const startsAt = sale.state === 'SCHEDULED' ? new Date().toISOString() : (sale.startsAt as string);
      const rate = { admitPerSecond: 100, maxActive: 1, ticketTtlSeconds: 600, ...terms };
      const { status } = await shop().test.api.put(`/v1/sales/${sale.id}`, { group: sale.group, startsAt, ...rate });
      return status === 200 && { id: sale.id as string, sku: `${sale.group}:print` };
    });

  it('lets one in after the other, keeps a place over a reload, sells out, and is followed by another', async () => {
    const { sku } = await openDoors();
    await shop().test.api.post(`/v1/skus/${sku}/adjustments`, { delta: -11, reason: 'one is enough' }, admin);
    const first = (await shop().visit('/drop')).page;
    await first.getByRole('button', { name: 'Join the queue' }).click();
    await first.getByRole('heading', { name: 'You are in.' }).waitFor();
    const second = (await shop().visit('/drop')).page;
    await second.getByRole('button', { name: 'Join the queue' }).click();
    await second.getByText('Your place', { exact: true }).waitFor();
    expect(await second.locator('.queue-place').innerText()).toBe('1');
    await second.reload();
    await second.getByText('Your place', { exact: true }).waitFor();

    await first.getByRole('button', { name: 'Reserve my print' }).click();
    await payWith(first, 'Visa');
    await orderShown(first, 'It’s yours.');
    await second.getByRole('heading', { name: 'Sold out.' }).waitFor();
    await first.getByRole('link', { name: 'Drop' }).click();
    await first.getByRole('heading', { name: 'The doors open in' }).waitFor();
    await second.getByRole('button', { name: 'Wait for the next drop' }).click();
    await second.getByRole('heading', { name: 'The doors open in' }).waitFor();
  });

  it('is played against a crowd, and sells each print once', async () => {
    const { sku } = await openDoors({ maxActive: 100 });
    const { page } = await shop().visit('/drop');
    await page.getByRole('button', { name: 'Invite a crowd of 20' }).click();
    await page.getByText(/20 other people joined, \d+ of them bought\./).waitFor();
    const bought = async () => {
      const shown = /(\d+) of them bought/.exec(await page.locator('.crowd').innerText())?.[1];
      const { onHand, reserved } = (await shop().test.api.get(`/v1/skus/${sku}`)).body;
      const [orders] = await shop().test.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM orders WHERE state = 'CONFIRMED' AND lines @> $1`,
        [JSON.stringify([{ sku }])],
      );
      return { shown: Number(shown), orders: orders!.count, taken: 12 - onHand, reserved };
    };
    await eventually('everybody has bought or left', bought, {
      until: ({ shown, orders, taken, reserved }) =>
        reserved === 0 && orders > 8 && orders <= 12 && orders === taken && orders === shown,
    });
  });
});
