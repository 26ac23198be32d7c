import { newSku } from '../setup/shop.js';
import { confirm, Desk } from './desk.js';

const admin = { key: 'admin' } as const;

describe('an operator of a flash sale', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  }, 300_000);
  afterAll(() => desk?.close());

  it('sees its queue, pauses it, changes its rate and ends it, each with a reason', async () => {
    const { api } = desk.test;
    const sku = await newSku(api, 7);
    const terms = { skus: [sku], startsAt: new Date().toISOString(), maxActive: 1, ticketTtlSeconds: 600 };
    await api.put('/v1/sales/noon', { ...terms, admitPerSecond: 100 });
    for (let came = 1; came <= 3; came += 1)
      await api.post('/v1/sales/noon/tickets', { customer: { email: `buyer${came}@example.com` } });

    const page = await desk.sit('/sales');
    await page.getByRole('link', { name: 'noon' }).click();
    const tile = (name: string) => page.getByRole('listitem').filter({ hasText: new RegExp(`^${name}`) });
    await tile('May buy now').getByText('as many as there is room for').waitFor();
    await tile('Waiting').getByText('of 3 who came').waitFor();
    await page.getByRole('region', { name: 'What is left' }).getByText('7').first().waitFor();

    await confirm(page, 'Pause', 'the shop is slow', 'Pause it');
    await page.getByText('nobody is called while it is paused').waitFor();
    await page.getByRole('button', { name: 'Change the rate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Called a second').fill('-1');
    await dialog.getByText('From 0.01 to 10,000.').waitFor();
    await dialog.getByLabel('Called a second').fill('2');
    await dialog.getByText('100 become 2.0: those who wait are called within 1.0 s.').waitFor();
    await dialog.getByLabel('Reason, for the audit trail').fill('slower');
    await dialog.getByRole('button', { name: 'Change it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await confirm(page, 'Resume', 'it keeps up', 'Resume it');
    await page.getByText('2.0 a second at most').waitFor();
    await confirm(page, 'End', 'that was it', 'End it');
    await page.getByText('ended', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);

    const { state, admitPerSecond, maxActive, skus, audit } = (await api.get('/v1/sales/noon', admin)).body;
    expect({ state, admitPerSecond, maxActive, skus }).toEqual({
      state: 'ENDED',
      admitPerSecond: 2,
      maxActive: 1,
      skus: [sku],
    });
    expect(audit.map(({ verb, detail }: any) => [verb, detail.reason])).toEqual([
      ['end', 'that was it'],
      ['resume', 'it keeps up'],
      ['change', 'slower'],
      ['pause', 'the shop is slow'],
      ['create', undefined],
    ]);
    await page.getByRole('region', { name: 'Changes' }).getByText('the shop is slow').waitFor();
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByRole('row', { name: /pause sale noon/ }).waitFor();
    expect(await desk.complaints()).toEqual([]);
  });
});
