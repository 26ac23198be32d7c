import { setFaults, stuckCancellation } from '../setup/outages.js';
import { newSku, orderIn } from '../setup/shop.js';
import { confirm, Desk } from './desk.js';

describe('an operator with many of a kind', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  }, 300_000);
  afterAll(() => desk?.close());

  it('plans a retry of all, reads what it will do, starts it, stops it, and lets it go on', async () => {
    const { api } = desk.test;
    const sku = await newSku(api, 50, { unitAmount: 1_000 });
    const stuck = await Promise.all(Array.from({ length: 5 }, () => stuckCancellation(api, sku)));
    await setFaults(api);
    const page = await desk.sit();
    await page.getByRole('link', { name: 'Retry all 5 …' }).click();
    await page.getByRole('heading', { name: 'Plan a bulk run' }).waitFor();
    expect(await page.getByLabel('At step').inputValue()).toBe('return-payment');
    await page.getByLabel('Rate, items a second').fill('0.5');
    await page.getByLabel('Reason, for the audit trail').fill('the provider is back');
    await page.getByRole('button', { name: 'Dry run' }).click();

    const foretold = page.getByRole('region', { name: 'What it will do' });
    await foretold.getByText('€50.00 in 5 orders').waitFor();
    await foretold.getByText(`5 × ${sku}`).waitFor();
    await page.getByText('0 of 5').waitFor();
    await confirm(page, 'Start', 'go', 'Start it');
    await page.getByText(/^[1-4] of 5$/).waitFor();
    await confirm(page, 'Stop', 'let me look', 'Stop it');
    await page.getByRole('button', { name: 'Go on' }).waitFor();
    const pending = page.getByRole('region', { name: 'Items' }).getByText('pending');
    expect(await pending.count()).toBeGreaterThan(0);

    await confirm(page, 'Go on', 'it looks good');
    await page.getByText(/^5 of 5$/).waitFor();
    await page.getByText('completed').waitFor();
    for (const { orderId } of stuck) await orderIn(api, orderId, 'CANCELLED');
    await page.getByRole('link', { name: 'its actions' }).click();
    await page
      .getByRole('row', { name: /retry in bulk/ })
      .first()
      .waitFor();
    expect(await page.getByRole('row', { name: /retry in bulk/ }).count()).toBe(5);
    expect(await desk.complaints()).toEqual([]);
  });
});
