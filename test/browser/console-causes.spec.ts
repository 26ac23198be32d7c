import { randomUUID } from 'node:crypto';
import { checkOut, newSku } from '../setup/shop.js';
import { confirm, Desk } from './desk.js';

const admin = { key: 'admin' } as const;

describe('an operator with several causes', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  }, 300_000);
  afterAll(() => desk?.close());

  it('reads a dead command, discards it with a reason, and replays a dead callback', async () => {
    const { database } = desk.test;
    await database.query(
      `INSERT INTO dead_letters (id, source, message_id, body, code, reason, deliveries)
       VALUES (gen_random_uuid(), 's', 'order-4711', '{"currency":"EURO"}', 'VALIDATION_FAILED', 'currency: must be an ISO 4217 code', 3)`,
    );
    await database.query(
      `INSERT INTO webhook_inbox (id, provider, event_id, type, transaction_id, event, state, attempts, error)
       VALUES (gen_random_uuid(), 'sandbox', 'e', 'charge.captured', 'ch_x', $1, 'DEAD', 12, 'no order knows the charge')`,
      [JSON.stringify({ type: 'charge.captured', orderId: randomUUID(), transactionId: 'ch_x' })],
    );
    const page = await desk.sit();
    const messages = page.getByRole('region', { name: 'Messages' });
    const command = messages.getByRole('region', { name: /^A command from the stream/ });
    await command.getByText('Correct the command and send it again under a new id').waitFor();
    await command.getByText('The message').click();
    await command.getByText('Id order-4711, delivered 3 times').waitFor();
    await command.getByText('"currency": "EURO"').waitFor();
    await confirm(page, 'Discard', 'sent again as order-4712');
    await command.waitFor({ state: 'detached' });

    const callback = messages.getByRole('region', { name: /^A callback of the provider/ });
    await callback.getByText('No order knows the charge').waitFor();
    await confirm(page, 'Replay', 'the order is there by now');
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByRole('row', { name: /discard dead letter.*sent again as order-4712/ }).waitFor();
    await page.getByRole('row', { name: /replay callback/ }).waitFor();
    expect(await desk.complaints()).toEqual([]);
  });

  it('sees where the provider and we differ, which rows break an invariant, and that they did before', async () => {
    const { api, database } = desk.test;
    const sku = await newSku(api, 5, { unitAmount: 1_250 });
    const { body } = await checkOut(api, sku);
    const tamper = (by: number) =>
      database.query(`UPDATE payments SET amount = amount + $2 WHERE order_id = $1`, [body.id, by]);
    await tamper(100);
    const page = await desk.sit('/checks');
    await page.getByRole('button', { name: 'Check everything now' }).click();
    const differences = page.getByRole('region', { name: 'Provider, payments and orders' });
    await differences.getByText('the provider has captured 12.50 EUR, we have 13.50 EUR').waitFor();
    await differences.getByText("the order's total is 12.50 EUR, its payment 13.50 EUR").waitFor();
    const invariants = page.getByRole('region', { name: 'Invariants' });
    const paidOnce = invariants.getByRole('listitem').filter({ hasText: 'confirmed paid once' });
    await paidOnce.getByText('amount', { exact: true }).waitFor();
    await paidOnce.getByText('1350').waitFor();
    await page.getByRole('link', { name: /Needs a person/ }).click();
    await page.getByRole('region', { name: 'An invariant is broken: confirmed-paid-once' }).waitFor();

    await tamper(-100);
    await page.getByRole('link', { name: 'Checks' }).first().click();
    await page.getByRole('button', { name: 'Check everything now' }).click();
    await differences.getByText('They agree wherever they were found to differ').waitFor();
    await paidOnce.getByText('broken before, once').waitFor();
    await page.getByRole('link', { name: /Needs a person/ }).click();
    await page.getByRole('heading', { name: 'Needs a person' }).waitFor();
    await page
      .getByRole('region', { name: 'An invariant is broken: confirmed-paid-once' })
      .waitFor({ state: 'detached' });
    expect((await api.get('/v1/invariants', admin)).body.ok).toBe(true);
    expect(await desk.complaints()).toEqual([]);
  });

  it('is told while the service does not answer, and sees everything again afterwards', async () => {
    const page = await desk.sit('/overview');
    await page.getByText('Checkouts a second', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('The service does not answer. What you see may be old').waitFor();
    await page.getByText('Checkouts a second', { exact: true }).waitFor(); // what was read stays
    await page.context().setOffline(false);
    await page.getByText('The service does not answer. What you see may be old').waitFor({ state: 'detached' });
    expect((await desk.complaints()).filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });

  it('goes around by keys, which can be switched off', async () => {
    const { api } = desk.test;
    await checkOut(api, await newSku(api, 5));
    const page = await desk.sit();
    const heading = (name: string) => page.getByRole('heading', { level: 1, name });
    await heading('Needs a person').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await heading('Orders').waitFor();
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.getByLabel('Single keys work').uncheck();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.keyboard.press('?'); // only the list of keys still has one
    await help.waitFor();
    await page.getByRole('heading', { level: 1, name: /^Order /, includeHidden: true }).waitFor();
    expect(await desk.complaints()).toEqual([]);
  });
});
