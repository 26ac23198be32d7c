import { newSku } from '../setup/shop.js';
import { confirm, Desk } from './desk.js';

describe('an operator at the shelves, and in the sandbox', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  }, 300_000);
  afterAll(() => desk?.close());

  it('adjusts the stock, never below what is held, with a reason', async () => {
    const { api } = desk.test;
    const sku = await newSku(api, 10, { name: 'Bowl' });
    await api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku, quantity: 4 }] });
    const page = await desk.sit(`/stock/${encodeURIComponent(sku)}`);
    await page.getByRole('heading', { name: 'Bowl' }).waitFor();
    await page.getByRole('button', { name: 'Adjust stock' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason, for the audit trail').fill('counted');
    await dialog.getByLabel('Change by').fill('-7');
    await dialog.getByText('4 are held: it cannot fall below that.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Adjust', exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel('Change by').fill('12');
    await dialog.getByText('10 on hand become 22.').waitFor();
    await dialog.getByRole('button', { name: 'Adjust', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('region', { name: 'Adjustments' }).getByRole('row', { name: /counted/ });
    await row.getByText('+12').waitFor();
    expect((await api.get(`/v1/skus/${sku}`)).body).toMatchObject({ onHand: 22, reserved: 4, available: 18 });
    expect(await desk.complaints()).toEqual([]);
  });

  it('switches a fault on, makes an order, and watches it being compensated', async () => {
    const page = await desk.sit('/sandbox');
    const fault = page.getByRole('switch', { name: 'Charges fail', exact: true });
    await fault.click();
    await page.getByRole('switch', { name: 'Charges fail', exact: true, checked: true }).waitFor();
    await page.getByRole('button', { name: 'pays', exact: true }).click();
    await page
      .getByRole('region', { name: 'Try it' })
      .getByRole('link', { name: /^order / })
      .click();
    const axis = page.getByRole('region', { name: 'What happened, over time' });
    await axis.getByText('reserve inventory: compensation').waitFor();
    await axis.getByText('order rejected').waitFor();
    await page.getByText(/^Rejected: /).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Switch everything off' }).click();
    await page.getByRole('switch', { name: 'Charges fail', exact: true, checked: false }).waitFor();
    await page.getByRole('button', { name: 'pays', exact: true }).click();
    await page
      .getByRole('region', { name: 'Try it' })
      .getByRole('link', { name: /^order / })
      .first()
      .click();
    await axis.getByText('order confirmed').waitFor();
    await confirm(page, 'Cancel', 'only a test');
    await axis.getByText('order cancelled').waitFor();
    expect(await desk.complaints()).toEqual([]);
  });
});
