import { expectSound } from '../../setup/shop.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { openEvents } from '../events/sse-client.js';
import { buy, fromNow, inState, join, joinAndBeCalled, newSale, readTicket, reserve, seat } from './sale-fixture.js';

/** The same stream at another instance. */
const at = (instance: string, eventsUrl: string) => {
  const { pathname, search } = new URL(eventsUrl);
  return `${instance}${pathname}${search}`;
};

describe('a sale', () => {
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
    other = await startTestApp({}, test.database);
  });
  afterAll(async () => {
    await other.close();
    await test.close();
  });

  const refusal = ({ status, body }: { status: number; body: any }) => [status, body.code, body.reason];
  const heldUnits = async (group: string) => {
    const [row] = await test.database.query<{ held: number; orders: number }>(
      `SELECT sum(reserved)::int AS held,
         (SELECT count(*)::int FROM orders JOIN sagas ON sagas.id = saga_id WHERE sagas.data::text LIKE '%' || $1 || '%') AS orders
       FROM skus WHERE sku_group = $1`,
      [group],
    );
    return row;
  };

  it('refuses who has no ticket, another’s, an expired or a used one, and holds nothing', async () => {
    const sale = await newSale(test.api, 3);
    const rival = await newSale(test.api, 1);
    const foreign = await joinAndBeCalled(test.api, rival);
    const late = await newSale(test.api, 1, { startsAt: fromNow(3_600) });
    const waiting = await join(test.api, late);
    const ticket = await joinAndBeCalled(test.api, sale, { email: 'Ada+1@example.com' });
    for (const act of [reserve, buy]) {
      expect(refusal(await act(test.api, seat(sale, 1)))).toEqual([403, 'ADMISSION_REQUIRED', 'MISSING']);
      expect(refusal(await act(other.api, seat(sale, 1), 'nonsense'))).toEqual([403, 'ADMISSION_REQUIRED', 'INVALID']);
      expect(refusal(await act(test.api, seat(sale, 1), foreign.token))[2]).toBe('OTHER_SALE');
      expect(refusal(await act(test.api, seat(late, 1), waiting.token))[2]).toBe('WAITING');
      await test.database.query(`UPDATE sale_tickets SET admitted_until = now() - interval '1 minute' WHERE id = $1`, [
        ticket.id,
      ]);
      expect(refusal(await act(test.api, seat(sale, 1), ticket.token))[2]).toBe('EXPIRED');
      await test.database.query(`UPDATE sale_tickets SET admitted_until = now() + interval '1 hour' WHERE id = $1`, [
        ticket.id,
      ]);
    }
    const stolen = await buy(test.api, { ...seat(sale, 1), customer: { email: 'eve@example.com' } }, ticket.token);
    expect(refusal(stolen)[2]).toBe('OTHER_CUSTOMER');
    expect(await heldUnits(sale.group)).toEqual({ held: 0, orders: 0 });
    const bought = await buy(test.api, { ...seat(sale, 1), customer: { email: 'ada@example.com' } }, ticket.token);
    expect(bought.status).toBe(201);
    expect(refusal(await reserve(test.api, seat(sale, 2), ticket.token))).toEqual([403, 'ADMISSION_REQUIRED', 'USED']);
    expect(refusal(await buy(other.api, seat(sale, 2), ticket.token))[2]).toBe('USED');
    expect(await heldUnits(sale.group)).toEqual({ held: 0, orders: 1 });
    expect((await reserve(test.api, { bestAvailable: { group: sale.group, quantity: 1 } })).body.saleId).toBe(sale.id);
  });

  it('is not gone around by a change of a hold', async () => {
    const sale = await newSale(test.api, 2);
    await test.api.put(`/v1/skus/other-${sale.id}`, { name: 'Other', unitAmount: 100, currency: 'EUR', onHand: 5 });
    const plain = { sku: `other-${sale.id}`, quantity: 1 };
    const held = await test.api.post('/v1/reservations', { currency: 'EUR', lines: [plain] });
    expect(held.status).toBe(201);
    const change = await test.api.put(
      `/v1/reservations/${held.body.id}/lines`,
      { lines: [plain, ...seat(sale, 1).lines] },
      { key: 'storefront', headers: { 'x-access-token': held.body.accessToken } },
    );
    expect(refusal(change)).toEqual([403, 'ADMISSION_REQUIRED', 'MISSING']);
    expect(await heldUnits(sale.group)).toMatchObject({ held: 0 });
  });

  it('lets a ticket buy once, however many try with it at once and wherever', async () => {
    const sale = await newSale(test.api, 10);
    const ticket = await joinAndBeCalled(test.api, sale);
    const tries = Array.from({ length: 10 }, (_, index) => {
      const { api } = index % 2 === 0 ? test : other;
      return index < 5
        ? reserve(api, seat(sale, index + 1), ticket.token)
        : buy(api, seat(sale, index + 1), ticket.token);
    });
    const answers = await Promise.all(tries);
    const statuses = answers.map(({ status }) => status).sort();
    expect(answers.filter(({ status }) => status === 403).every(({ body }) => body.saleId === sale.id)).toBe(true);
    expect(statuses).toEqual([201, ...Array<number>(9).fill(403)]);
    await expectSound(test.api);
  });

  it('gives a ticket back with the hold that was released and with the order that was rejected', async () => {
    const sale = await newSale(test.api, 3);
    const ticket = await joinAndBeCalled(test.api, sale);
    const held = await reserve(test.api, seat(sale, 1), ticket.token, `held-${sale.id}`);
    expect(held.status).toBe(201);
    const replay = await reserve(other.api, seat(sale, 1), ticket.token, `held-${sale.id}`);
    expect([replay.status, replay.headers.get('idempotent-replayed'), replay.body.id]).toEqual([
      201,
      'true',
      held.body.id,
    ]);
    expect((await test.api.delete(`/v1/reservations/${held.body.id}`, { key: 'admin' })).status).toBe(200);
    const declined = { ...seat(sale, 1), payment: { method: 'pm_card_chargeDeclined' } };
    expect((await buy(test.api, declined, ticket.token)).status).toBe(402);
    const again = await reserve(test.api, { bestAvailable: { group: sale.group, quantity: 1 } }, ticket.token);
    expect([again.status, again.body.lines[0].sku]).toEqual([201, `${sale.group}:2`]);
    const { id: reservationId, accessToken } = again.body;
    const checkout = { currency: 'EUR', payment: { method: 'pm_card_visa' }, reservationId };
    const headers = { 'x-access-token': accessToken, prefer: 'wait=25' };
    expect((await test.api.post('/v1/checkouts', checkout, { headers })).status).toBe(201);
    expect((await reserve(test.api, seat(sale, 1), ticket.token)).status).toBe(403);
  });

  it('gives one ticket to a customer and to a mailbox, and its state only to its holder', async () => {
    const sale = await newSale(test.api, 1, { startsAt: fromNow(3_600) });
    const path = `/v1/sales/${sale.id}/tickets`;
    const body = { customer: { id: `c-${sale.id}`, email: 'a.da@gmail.com' } };
    const first = await test.api.post(path, body, { idempotencyKey: sale.id });
    expect(first.body).toMatchObject({ state: 'WAITING', position: 1 });
    expect(first.body.estimatedWaitSeconds).toBeGreaterThan(3_500);
    expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(1);
    const replay = await other.api.post(path, body, { idempotencyKey: sale.id });
    expect([replay.status, replay.body.token]).toEqual([201, first.body.token]);
    for (const customer of [{ id: body.customer.id }, { email: 'ADA+2@googlemail.com' }]) {
      expect(refusal(await other.api.post(path, { customer })).slice(0, 2)).toEqual([409, 'LIMIT_EXCEEDED']);
    }
    expect((await test.api.post(path, { customer: {} })).status).toBe(400);
    expect((await test.api.post('/v1/sales/none/tickets', body)).body.code).toBe('SALE_NOT_FOUND');
    const mine = `${path}/${first.body.id}`;
    expect((await test.api.get(mine)).status).toBe(404);
    const stranger = await join(test.api, sale);
    expect((await test.api.get(mine, { headers: { 'x-sale-ticket': stranger.token } })).status).toBe(404);
    expect((await test.api.get(mine, { key: 'admin' })).body.position).toBe(1);
    expect(stranger.position).toBe(2);
  });

  it('draws the places of those who came before the start, and serves the others as they come', async () => {
    const early = 40;
    const sale = await newSale(test.api, 1, { startsAt: fromNow(3_600), admitPerSecond: 0.01, maxActive: 1 });
    for (let i = 0; i < early; i += 1) await join(i % 2 === 0 ? test.api : other.api, sale);
    await test.database.query(
      `UPDATE sale_tickets SET created_at = created_at - interval '1 hour' WHERE sale_id = $1`,
      [sale.id],
    );
    await test.database.query(`UPDATE sales SET starts_at = now() - interval '1 second' WHERE id = $1`, [sale.id]);
    const late = [await join(test.api, sale), await join(other.api, sale)];
    await inState(test.api, sale, late[0]!, 'WAITING');
    const drawn = async () =>
      test.database.query<{ arrival: number; place: number }>(
        `SELECT arrival, place FROM sale_tickets WHERE sale_id = $1 AND place IS NOT NULL ORDER BY place`,
        [sale.id],
      );
    let rows = await drawn();
    while (rows.length < early + 2) rows = await drawn();
    expect(rows.map(({ place }) => place)).toEqual(Array.from({ length: early + 2 }, (_, index) => index + 1));
    const arrivals = rows.map(({ arrival }) => arrival);
    expect(arrivals.slice(early)).toEqual([early + 1, early + 2]);
    expect(arrivals.slice(0, early)).not.toEqual([...arrivals.slice(0, early)].sort((a, b) => a - b));
    expect((await join(test.api, sale)).position).toBe(early + 3);
  });

  it('tells everybody at once that all is sold, and goes on when something comes back', async () => {
    const sale = await newSale(test.api, 1, { maxActive: 1 });
    const buyer = await joinAndBeCalled(test.api, sale);
    const waiting = await join(test.api, sale);
    const events = await openEvents(at(other.url, waiting.eventsUrl), {});
    const [first] = await events.until((messages) => messages.length === 1);
    expect(first).toMatchObject({ event: 'ticket.state', data: { id: waiting.id, state: 'WAITING' } });
    expect((await fetch(`${at(other.url, waiting.eventsUrl)}x`)).status).toBe(404);
    expect((await buy(test.api, seat(sale, 1), buyer.token)).status).toBe(201);
    await inState(other.api, sale, waiting, 'SOLD_OUT');
    await events.until((messages) => messages.at(-1)!.data.state === 'SOLD_OUT');
    await inState(test.api, sale, buyer, 'ADMITTED');
    const more = { delta: 1, reason: 'a seat came back' };
    await test.api.post(`/v1/skus/${sale.group}:1/adjustments`, more, { key: 'admin' });
    await events.until((messages) => messages.at(-1)!.data.state === 'ADMITTED');
    events.close();
  });

  it('is paused, resumed, sped up and ended by operators, whose names stay', async () => {
    const sale = await newSale(test.api, 2, { admitPerSecond: 0.01 });
    const admin = { key: 'admin' } as const;
    const verb = (name: string) => test.api.post(`/v1/sales/${sale.id}/${name}`, { reason: `to ${name}` }, admin);
    const ticket = await join(test.api, sale);
    expect((await verb('pause')).body.state).toBe('PAUSED');
    expect((await verb('pause')).body.code).toBe('INVALID_STATE');
    const { startsAt } = (await test.api.get(`/v1/sales/${sale.id}`)).body;
    const terms = { group: sale.group, startsAt, admitPerSecond: 1_000, maxActive: 5, ticketTtlSeconds: 60 };
    const faster = { ...terms, reason: 'the shop keeps up' };
    expect((await test.api.put(`/v1/sales/${sale.id}`, faster)).status).toBe(200);
    expect((await test.api.put(`/v1/sales/${sale.id}`, { ...faster, startsAt: fromNow(60) })).status).toBe(409);
    expect((await readTicket(test.api, sale, ticket)).body.state).toBe('WAITING');
    expect((await verb('resume')).body.state).toBe('RUNNING');
    await inState(test.api, sale, ticket, 'ADMITTED');
    expect((await verb('end')).body.state).toBe('ENDED');
    expect((await reserve(test.api, seat(sale, 1))).status).toBe(201);
    expect((await test.api.post(`/v1/sales/${sale.id}/tickets`, { customer: { id: 'x' } })).body.code).toBe(
      'INVALID_STATE',
    );
    const shown = (await test.api.get(`/v1/sales/${sale.id}`, admin)).body;
    expect(shown.audit.map(({ verb: name, detail }: any) => [name, detail.reason])).toEqual([
      ['end', 'to end'],
      ['resume', 'to resume'],
      ['change', 'the shop keeps up'],
      ['pause', 'to pause'],
      ['create', undefined],
    ]);
    const trail = (await test.api.get(`/v1/operator-actions?subject=${sale.id}`, admin)).body.items;
    expect(trail.map(({ verb: name, subjectKind, reason }: any) => [name, subjectKind, reason])).toEqual([
      ['end', 'sale', 'to end'],
      ['resume', 'sale', 'to resume'],
      ['change', 'sale', 'the shop keeps up'],
      ['pause', 'sale', 'to pause'],
      ['create', 'sale', 'not given'],
    ]);
    expect(shown.tickets).toMatchObject({ issued: 1, admitted: 1, waiting: 0 });
    expect((await verb('end')).status).toBe(409);
    expect((await test.api.post(`/v1/sales/${sale.id}/pause`, {})).status).toBe(403);
  });

  it('counts who waits, who was called and who has bought', async () => {
    const sale = await newSale(test.api, 2, { maxActive: 1 });
    const buyer = await joinAndBeCalled(test.api, sale);
    await buy(test.api, seat(sale, 1), buyer.token);
    const next = await joinAndBeCalled(test.api, sale);
    await join(test.api, sale);
    expect(next.id).not.toBe(buyer.id);
    const shown = async () => (await test.api.get(`/v1/sales/${sale.id}`)).body.tickets;
    let tickets = await shown();
    while (tickets.waiting !== 1 || tickets.bought !== 1) tickets = await shown();
    expect(tickets).toEqual({ issued: 3, waiting: 1, admitted: 2, active: 1, bought: 1 });
    const metrics = (await test.api.get('/metrics', { key: 'admin' })).body as string;
    expect(metrics).toContain(`sale_tickets{sale="${sale.id}",state="waiting"} 1`);
    expect(metrics).toContain(`sale_conversion_ratio{sale="${sale.id}"} 0.5`);
    expect(metrics).toMatch(/sale_admission_wait_seconds_count [1-9]/);
  });
});
