import { startAppProcess } from '../setup/app-process.js';
import { authorizedOrder } from '../setup/captures.js';
import { basket, checkOut, newSku, orderEnded, orderOf } from '../setup/shop.js';
import { confirm, Desk } from './desk.js';

describe('an operator who looks into an order', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  }, 300_000);
  afterAll(() => desk?.close());

  it('sees on one axis a checkout that was taken over and declined', async () => {
    const { api, database } = desk.test;
    const sku = await newSku(api, 10);
    const victim = await startAppProcess({
      DATABASE_URL: database.url,
      SAGA_LEASE_MS: '2000',
      FAULT_POINT: 'after-call:process-payment:call=kill',
    });
    const customer = { email: 'Grace@example.com' };
    const declined = basket(sku, { customer, payment: { method: 'pm_card_chargeDeclined' } });
    await victim.api.post('/v1/checkouts', declined).catch(() => undefined);
    await victim.exited();
    const { items } = (await api.get('/v1/orders?email=grace@example.com', { key: 'admin' })).body;
    await orderEnded(api, items[0].id);

    const page = await desk.sit();
    await page.keyboard.press('/');
    await page.keyboard.type('GRACE@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor(); // the only one is opened
    expect(page.url()).toContain(`/console/orders/${items[0].id}`);
    await page.getByText('Rejected: payment declined').waitFor();
    const axis = page.getByRole('region', { name: 'What happened, over time' });
    await axis.getByText('another instance takes it over').waitFor();
    await axis.getByText(/nobody for [23]\.\d s/).waitFor({ state: 'attached' });
    await axis.getByText('process payment: step, failed').waitFor();
    await axis.getByText('PAYMENT_DECLINED').first().waitFor();
    await axis.getByText('reserve inventory: compensation').waitFor();
    const instances = new Set(await axis.getByRole('listitem').locator('code').allTextContents());
    instances.delete('');
    expect(instances.size).toBe(2);
    await page.getByText('They agree.').waitFor();
    expect(await desk.complaints()).toEqual([]);
  });

  it('finds orders by filters that are in the address, page by page', async () => {
    const { api } = desk.test;
    const sku = await newSku(api, 100);
    await Promise.all(Array.from({ length: 55 }, () => checkOut(api, sku)));
    await checkOut(api, sku, 'pm_card_chargeDeclined');
    const page = await desk.sit('/orders');
    await page.getByLabel('SKU', { exact: true }).fill(sku);
    await page.getByRole('button', { name: 'Filter' }).click();
    const rows = page.getByRole('row').filter({ hasText: sku });
    await rows.first().waitFor();
    expect(new URL(page.url()).searchParams.get('sku')).toBe(sku);
    expect(await rows.count()).toBe(50);
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByRole('button', { name: 'Newest' }).waitFor();
    await rows.nth(5).waitFor();
    expect(await rows.count()).toBe(6);
    await page.goBack();
    await rows.nth(49).waitFor();
    await page.getByLabel('State').selectOption('REJECTED');
    await page.getByText('payment declined').waitFor();
    expect(await rows.count()).toBe(1);
    await page.getByRole('link', { name: 'Cancel or refund these …' }).waitFor();
    expect(await desk.complaints()).toEqual([]);
  });

  it('captures a part of what was authorised, and sees until when it could and that it is disputed', async () => {
    const { api, database } = desk.test;
    const sku = await newSku(api, 5, { unitAmount: 2_500 });
    const { id } = await authorizedOrder(api, sku);
    const page = await desk.sit(`/orders/${id}`);
    await page.getByText('Authorised until').waitFor();
    await page.getByRole('button', { name: 'Capture', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByLabel('Amount in EUR');
    expect(await amount.inputValue()).toBe('25.00');
    await amount.fill('25.01');
    await dialog.getByText('No more than €25.00 is authorised.').waitFor();
    await amount.fill('20');
    const foretold = dialog.getByRole('region', { name: 'What it will do' }).getByRole('listitem');
    expect(await foretold.allTextContents()).toEqual(['Captures €20.00', 'Releases on the card €5.00']);
    await dialog.getByLabel('Reason, for the audit trail').fill('shipped without the saucer');
    await dialog.getByRole('button', { name: 'Capture' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('captured €20.00').first().waitFor();
    await page.getByText('They agree.').waitFor();
    expect(await page.getByRole('button', { name: 'Capture', exact: true }).count()).toBe(0);
    expect((await orderOf(api, id)).payment).toMatchObject({ state: 'CAPTURED', amount: 2_500, capturedAmount: 2_000 });

    const dispute = { id: 'du_1', state: 'OPEN', amount: 2_000, currency: 'EUR', reason: 'product_not_received' };
    const openedAt = new Date().toISOString();
    await database.query(`UPDATE payments SET dispute = $2 WHERE order_id = $1`, [
      id,
      JSON.stringify({ ...dispute, openedAt, respondBy: openedAt }),
    ]);
    await page.getByText('Dispute open: €20.00, product not received').waitFor();
    expect(await desk.complaints()).toEqual([]);
  });

  it('refunds a part and then the rest, and sees the provider agree', async () => {
    const { api } = desk.test;
    const sku = await newSku(api, 5, { unitAmount: 2_500 });
    const { body } = await checkOut(api, sku);
    const page = await desk.sit(`/orders/${body.id}`);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByLabel('Amount in EUR');
    expect(await amount.inputValue()).toBe('25.00');
    await amount.fill('25.01');
    await dialog.getByText('No more than €25.00 is left.').waitFor();
    await amount.fill('10,50');
    await dialog.getByText('€14.50 of €25.00 stay paid.').waitFor();
    await dialog.getByRole('region', { name: 'What it will do' }).getByText('€10.50').waitFor();
    await dialog.getByLabel('Reason, for the audit trail').fill('arrived scratched');
    await dialog.getByRole('button', { name: 'Refund' }).click();
    await dialog.waitFor({ state: 'detached' });
    const refunds = page.getByRole('region', { name: 'Refunds' });
    await refunds.getByText('arrived scratched').waitFor();
    await page.getByText('refunded €10.50').first().waitFor();

    await confirm(page, 'Refund', 'arrived broken');
    await refunds.getByText('arrived broken').waitFor();
    await page.getByText('refunded €25.00').first().waitFor();
    await page.getByText('They agree.').waitFor();
    expect((await orderOf(api, body.id)).payment).toMatchObject({ state: 'REFUNDED', refundedAmount: 2_500 });
    expect(await desk.complaints()).toEqual([]);
  });

  it('refunds once although the answer got lost', async () => {
    const { api } = desk.test;
    const { body } = await checkOut(api, await newSku(api, 5, { unitAmount: 2_500 }));
    const page = await desk.sit(`/orders/${body.id}`);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount in EUR').fill('5');
    await dialog.getByLabel('Reason, for the audit trail').fill('a button came off');
    await page.route('**/refunds', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Refund' }).click();
    await dialog.getByText('It may have been done.').waitFor();
    expect(await dialog.getByLabel('Amount in EUR').isDisabled()).toBe(true);
    await page.unroute('**/refunds');
    await dialog.getByRole('button', { name: 'Ask again' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('refunded €5.00').first().waitFor();
    expect((await orderOf(api, body.id)).payment).toMatchObject({ state: 'CAPTURED', refundedAmount: 500 });
    expect((await desk.complaints()).filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
  });
});
