import { randomUUID } from 'node:crypto';
import { StrayService } from '../../../src/audit/strays/stray.service.js';
import { SIGNATURE_HEADER, signatureOf } from '../../../src/payment/gateway/sandbox/sandbox-signature.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { eventually } from '../../setup/eventually.js';
import { checkOut, expectSound, ledgerOf, newSku, orderIn, timelineOf } from '../../setup/shop.js';

const SECRET = 'sandbox-secret-for-tests';

describe('the webhook inbox', () => {
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    const env = { GATEWAY_TIMEOUT_MS: '1000', SANDBOX_AUTHENTICATION_MS: '0', SANDBOX_WEBHOOK_SECRET: SECRET };
    test = await startTestApp(env);
    other = await startTestApp(env, test.database);
  });
  afterAll(async () => {
    await other.close();
    await test.close();
  });

  const eventOf = (type: string, orderId: string, chargeId: string, id = `evt_${randomUUID()}`) =>
    JSON.stringify({
      id,
      type,
      createdAt: new Date().toISOString(),
      data: { chargeId, orderId, amount: 1_000, currency: 'EUR' },
    });
  const send = (body: string, signature = signatureOf(body, SECRET), url = test.url) =>
    fetch(`${url}/v1/webhooks/sandbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature },
      body,
    });
  const stored = async (body: string) => {
    const { id } = JSON.parse(body);
    const rows = await test.database.query<any>(`SELECT * FROM webhook_inbox WHERE event_id = $1`, [id]);
    return rows;
  };
  const settled = (body: string, state = 'PROCESSED') =>
    eventually(`event ${state}`, async () => {
      const [row] = await stored(body);
      return row?.state === state && row;
    });
  /** A checkout that waits for its customer, and the provider's charge for it. */
  const waiting = async (sku: string) => {
    const { status, body } = await checkOut(test.api, sku, 'pm_card_authenticationRequired');
    expect(status).toBe(202);
    expect(body).toMatchObject({ state: 'PENDING', payment: { state: 'REQUIRES_ACTION' } });
    const path = new URL(body.nextAction.url).pathname;
    return { id: body.id as string, path, chargeId: path.split('/').at(-1)! };
  };
  /** Ends the charge at the provider without a callback, as if it was lost. */
  const capture = (chargeId: string) =>
    test.database.query(`UPDATE sandbox.charges SET state = 'CAPTURED' WHERE id = $1`, [chargeId]);

  it('confirms an order when its customer approves, and rejects it when not', async () => {
    const sku = await newSku(test.api);
    const [approved, declined] = [await waiting(sku), await waiting(sku)];
    await test.api.post(`${approved.path}/approve`, undefined, { key: 'none' });
    await test.api.post(`${declined.path}/decline`, undefined, { key: 'none' });
    const order = await orderIn(test.api, approved.id, 'CONFIRMED');
    expect(order.payment).toMatchObject({ state: 'CAPTURED', amount: 1_000 });
    const rejected = await orderIn(test.api, declined.id, 'REJECTED');
    expect(rejected.rejection).toMatchObject({ code: 'PAYMENT_DECLINED', declineCode: 'authentication_failed' });
    expect(await ledgerOf(test.api, approved.id)).toMatchObject([{ state: 'CAPTURED', amount: 1_000 }]);
    expect(await ledgerOf(test.api, declined.id)).toEqual([]);
    const notes = await eventually('the note', async () => {
      const found = (await timelineOf(test.api, approved.id)).filter(({ kind }) => kind === 'callback.received');
      return found.length > 0 && found;
    });
    expect(notes).toMatchObject([{ detail: { type: 'charge.captured', effect: 'woken' } }]);
  });

  it('gives the same event, 100 times at once over two instances, one effect', async () => {
    const { id, chargeId } = await waiting(await newSku(test.api));
    await capture(chargeId);
    const body = eventOf('charge.captured', id, chargeId);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => send(body, undefined, n % 2 ? test.url : other.url)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 100 }, () => 200));
    expect(await answers[0]!.json()).toEqual({ received: true });
    await orderIn(test.api, id, 'CONFIRMED');
    await settled(body);
    expect(await stored(body)).toHaveLength(1);
    const kinds = (await timelineOf(test.api, id)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'callback.received')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'payment.captured')).toHaveLength(1);
    expect(await ledgerOf(test.api, id)).toMatchObject([{ state: 'CAPTURED', refundedAmount: 0 }]);
  });

  it('gives 100 different events about one charge one effect', async () => {
    const { id, chargeId } = await waiting(await newSku(test.api));
    await capture(chargeId);
    const bodies = Array.from({ length: 100 }, () => eventOf('charge.captured', id, chargeId));
    await Promise.all(bodies.map((body, n) => send(body, undefined, n % 2 ? test.url : other.url)));
    await orderIn(test.api, id, 'CONFIRMED');
    for (const body of bodies) await settled(body);
    const kinds = (await timelineOf(test.api, id)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'payment.captured')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'order.confirmed')).toHaveLength(1);
  });

  it('refuses a forged, a stale, a re-dated and a missing signature, and stores nothing', async () => {
    const { id, chargeId } = await waiting(await newSku(test.api));
    const body = eventOf('charge.captured', id, chargeId);
    const stale = signatureOf(body, SECRET, Date.now() - 301_000);
    const forgeries = [
      signatureOf(body, 'another-secret-entirely'),
      stale,
      stale.replace(/^t=\d+/, `t=${Math.floor(Date.now() / 1_000)}`),
      signatureOf(body.replace('1000', '1'), SECRET),
      'garbage',
      '',
    ];
    for (const signature of forgeries) {
      const answer = await send(body, signature);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(await answer.json()).toMatchObject({ code: 'INVALID_SIGNATURE' });
    }
    expect(await stored(body)).toEqual([]);
    expect((await send('', signatureOf('', SECRET))).status).toBe(400);
    expect(await orderIn(test.api, id, 'PENDING')).toMatchObject({ payment: { state: 'REQUIRES_ACTION' } });
  });

  it('does not believe a signed event that the provider does not confirm', async () => {
    const { id, chargeId } = await waiting(await newSku(test.api));
    const body = eventOf('charge.captured', id, chargeId);
    await send(body);
    await settled(body);
    // Woken, looked the charge up, and waits again.
    const { payment } = await orderIn(test.api, id, 'PENDING');
    expect(payment.state).toBe('REQUIRES_ACTION');
  });

  it('knows no other provider', async () => {
    const answer = await fetch(`${test.url}/v1/webhooks/stripe`, { method: 'POST' });
    expect(answer.status).toBe(404);
  });

  it('keeps an event that overtakes its order, and retries it', async () => {
    const [orderId, chargeId] = [randomUUID(), `ch_${randomUUID()}`];
    const body = eventOf('charge.declined', orderId, chargeId);
    expect((await send(body)).status).toBe(200);
    const early = await eventually('a retry', async () => {
      const [row] = await stored(body);
      return row?.attempts >= 2 && row;
    });
    expect(early).toMatchObject({ state: 'RECEIVED', error: 'the order is not known' });
    // The order appears: here a copy of a rejected one, under the id that the event names.
    const rejected = await checkOut(test.api, await newSku(test.api), 'pm_card_chargeDeclined');
    await test.database.query(
      `INSERT INTO orders SELECT (jsonb_populate_record(orders, jsonb_build_object('id', $2::text))).* FROM orders WHERE id = $1`,
      [rejected.body.orderId, orderId],
    );
    await settled(body);
    await test.database.query(`DELETE FROM orders WHERE id = $1`, [orderId]);
  });

  it('handles callbacks that come early, twice and in the wrong order', async () => {
    await test.api.put('/v1/sandbox/faults', {
      everyCallback: true,
      earlyCallbacks: true,
      duplicateCallbacks: 2,
      reorder: true,
    });
    try {
      const sku = await newSku(test.api);
      const answers = await Promise.all(Array.from({ length: 6 }, () => checkOut(test.api, sku)));
      for (const { status, body } of answers) {
        expect(status).toBe(201);
        const refund = await test.api.post(`/v1/orders/${body.id}/refunds`, { reason: 'x' }, { key: 'admin' });
        expect(refund.status).toBe(201);
      }
      await eventually('all events processed', async () => {
        const [row] = await test.database.query<any>(
          `SELECT (SELECT count(*) FROM sandbox.callbacks) + (SELECT count(*) FROM webhook_inbox WHERE state <> 'PROCESSED') AS open`,
        );
        return Number(row.open) === 0;
      });
      for (const { body } of answers) {
        const notes = (await timelineOf(test.api, body.id)).filter(({ kind }) => kind === 'callback.received');
        expect(notes.map(({ detail }) => detail.type).sort()).toEqual(['charge.captured', 'refund.settled']);
      }
      await expectSound(test.api);
    } finally {
      await test.api.put('/v1/sandbox/faults', {});
    }
  });

  it('never pays back as a stray what a payment stands for', async () => {
    const { body } = await checkOut(test.api, await newSku(test.api));
    const transactionId = (await ledgerOf(test.api, body.id))[0]?.id ?? '';
    const { ended } = await test.app.get(StrayService).payBack({
      orderId: body.id,
      transactionId,
      amount: 1_000,
      refundedAmount: 0,
      currency: 'EUR',
      source: 'callback',
    });
    await ended;
    expect(await ledgerOf(test.api, body.id)).toMatchObject([{ state: 'CAPTURED', refundedAmount: 0 }]);
    expect(await test.database.query(`SELECT FROM sagas WHERE subject = $1`, [body.id])).toHaveLength(1);
  });

  it('pays back a charge that is captured after its order was given up, once', async () => {
    const { status, body } = await checkOut(test.api, await newSku(test.api), 'pm_sandbox_timeout_before_charge');
    expect(status).toBe(503);
    const orderId = body.orderId as string;
    await orderIn(test.api, orderId, 'REJECTED');
    // The request that seemed lost arrives now, under our key, and the provider acts on it.
    const chargeId = `ch_${randomUUID()}`;
    await test.database.query(
      `INSERT INTO sandbox.charges (id, idempotency_key, order_id, amount, currency, method, state)
       SELECT $2, idempotency_key, order_id, amount, currency, 'pm_sandbox_refund_fails', 'CAPTURED' FROM payments WHERE order_id = $1`,
      [orderId, chargeId],
    );
    const bodies = Array.from({ length: 10 }, () => eventOf('charge.captured', orderId, chargeId));
    await Promise.all(bodies.map((event, n) => send(event, undefined, n % 2 ? test.url : other.url)));
    await eventually('paid back', async () => (await ledgerOf(test.api, orderId))[0]?.refundedAmount === 1_000);
    for (const event of bodies) await settled(event);
    await eventually('the saga ends', async () => {
      const { body: sagas } = await test.api.get('/v1/sagas?state=COMPLETED', { key: 'admin' });
      return (
        sagas.items.filter((saga: any) => saga.subject === orderId && saga.name === 'refund-stray-charge').length === 1
      );
    });
    expect(await ledgerOf(test.api, orderId)).toMatchObject([{ state: 'REFUNDED', amount: 1_000 }]);
    const kinds = (await timelineOf(test.api, orderId)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'payment.stray-found')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'refund.settled')).toHaveLength(1);
    expect(await orderIn(test.api, orderId, 'REJECTED')).toMatchObject({ payment: { state: 'DECLINED' } });
    await expectSound(test.api);
  });

  it('shows dead events to an operator, who replays them', async () => {
    const body = eventOf('charge.captured', randomUUID(), 'ch_nobody');
    await send(body);
    await eventually('stored', async () => (await stored(body)).length === 1);
    await test.database.query(
      `UPDATE webhook_inbox SET attempts = 9, due_at = now() WHERE event_id = $1 AND state = 'RECEIVED'`,
      [JSON.parse(body).id],
    );
    const row = await eventually('dead', async () => {
      const [found] = await stored(body);
      if (found.state === 'DEAD') return found;
      await test.database.query(
        `UPDATE webhook_inbox SET attempts = 9, due_at = now() WHERE event_id = $1 AND state = 'RECEIVED' AND attempts < 9`,
        [JSON.parse(body).id],
      );
      return false;
    });
    const { body: list } = await test.api.get('/v1/webhook-events?state=DEAD&provider=sandbox', { key: 'admin' });
    expect(list.items).toMatchObject([
      { id: row.id, state: 'DEAD', eventId: row.event_id, type: 'charge.captured', error: 'the order is not known' },
    ]);
    const path = `/v1/webhook-events/${row.id}/replay`;
    expect((await test.api.post(path, undefined)).status).toBe(403);
    expect(await test.api.post(path, undefined, { key: 'admin' })).toMatchObject({
      status: 200,
      body: { id: row.id, state: 'RECEIVED', attempts: 0 },
    });
    await eventually('tried again', async () => (await stored(body))[0].attempts >= 1);
    const unknown = await test.api.post(`/v1/webhook-events/${randomUUID()}/replay`, undefined, { key: 'admin' });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'WEBHOOK_EVENT_NOT_FOUND' } });
    await test.database.query(`DELETE FROM webhook_inbox WHERE id = $1`, [row.id]);
  });

  it('lists in pages', async () => {
    const first = (await test.api.get('/v1/webhook-events?limit=3', { key: 'admin' })).body;
    expect(first.items).toHaveLength(3);
    const next = (await test.api.get(`/v1/webhook-events?limit=3&cursor=${first.nextCursor}`, { key: 'admin' })).body;
    expect(next.items).toHaveLength(3);
    expect(next.items[0].id < first.items[2].id).toBe(true);
    expect((await test.api.get('/v1/webhook-events?state=NOPE', { key: 'admin' })).status).toBe(400);
  });
});
