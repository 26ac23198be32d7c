import { KEYS } from '../setup/app-process.js';
import { setFaults, stuckCancellation } from '../setup/outages.js';
import { newSku, orderIn } from '../setup/shop.js';
import { confirm, Desk } from './desk.js';

describe('an operator with something to repair', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  }, 300_000);
  afterAll(() => desk?.close());

  it('is let in with an admin’s key alone, which is kept for this tab alone', async () => {
    const page = await desk.visit();
    const enter = async (key: string) => {
      await page.getByLabel('Admin’s API key').fill(key);
      await page.getByRole('button', { name: 'Open the console' }).click();
    };
    await enter('nobody knows this one');
    await page.getByText('The service does not know this key.').waitFor();
    await enter(KEYS.STOREFRONT_API_KEY);
    await page.getByText('This is a storefront’s key.').waitFor();
    await enter(KEYS.ADMIN_API_KEY);
    await page.getByText('Nothing needs you').waitFor();
    await page.reload();
    await page.getByText('Nothing needs you').waitFor();
    expect(await page.evaluate('Object.values(localStorage).join()')).not.toContain(KEYS.ADMIN_API_KEY);
    expect(await page.context().cookies()).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Admin’s API key').waitFor();
    expect(await page.evaluate(`sessionStorage.getItem('admin-key')`)).toBe('null');
    // The two keys that were refused are 401 and 403 on the browser's console.
    expect((await desk.complaints()).filter((text) => !/40[13]/.test(text))).toEqual([]);
  });

  it('sees why a saga is stuck and what a retry will do, and repairs it', async () => {
    const { api } = desk.test;
    const sku = await newSku(api, 10, { unitAmount: 1_999, name: 'Lamp' });
    const { orderId } = await stuckCancellation(api, sku, 2);
    const page = await desk.sit();
    const group = page.getByRole('region', { name: 'A refund does not go through' });
    await group.getByText('the sandbox answered with status 500').first().waitFor();
    expect(
      await group
        .getByText(/Refunds/)
        .first()
        .textContent(),
    ).toContain('Refunds');
    await group.getByText('€39.98').first().waitFor();
    await group.getByText(`2 × ${sku}`).first().waitFor();

    await group.getByRole('link', { name: /^order / }).click();
    await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor();
    const saga = page.getByRole('region', { name: 'Saga cancel-order' });
    await saga.getByText('It gave up at').waitFor();
    await saga.getByText('the sandbox answered with status 500').waitFor();
    const attempts = page.getByText('return payment: call to the provider, in doubt, 12 attempts');
    await attempts.getByRole('button', { name: 'show each' }).click();
    await page.getByText('return payment: call to the provider, in doubt, attempt 12').waitFor();

    await setFaults(api);
    await confirm(page, 'Retry', 'the provider is back');
    await page.getByRole('region', { name: 'Provider, payment and order' }).getByText('cancelled').waitFor();
    await page.getByText('They agree.').waitFor();
    await orderIn(api, orderId, 'CANCELLED');

    await page.getByRole('link', { name: 'Audit trail' }).click();
    const row = page.getByRole('row', { name: /retry/ });
    await row.getByText('the provider is back').waitFor();
    await page.getByRole('link', { name: /Needs a person/ }).click();
    await page.getByText('Nothing needs you').waitFor();
    expect(await desk.complaints()).toEqual([]);
  });

  it('is told why a verb was refused, and nothing is done', async () => {
    const { api } = desk.test;
    const sku = await newSku(api, 10);
    const { sagaId, orderId } = await stuckCancellation(api, sku);
    const page = await desk.sit(`/orders/${orderId}`);
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Leaves with the provider').waitFor();
    await dialog.getByText(/^Saga .*, of order /).waitFor();
    expect(await dialog.getByRole('button', { name: 'Resolve' }).isDisabled()).toBe(true); // without a reason
    await setFaults(api);
    // Somebody else is quicker.
    await api.post(`/v1/sagas/${sagaId}/retry`, { reason: 'quicker' }, { key: 'admin' });
    // The page reads anew and takes the button away; the dialog stays, and says so.
    await dialog.getByText('It has moved on since you opened this.').waitFor();
    await dialog.getByLabel('Reason, for the audit trail').fill('paid in cash');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByRole('alert').getByText('cannot be told to resolve').waitFor();
    await page.keyboard.press('Escape');
    await orderIn(api, orderId, 'CANCELLED');
    expect((await desk.complaints()).filter((text) => !text.includes('409'))).toEqual([]);
  });
});
