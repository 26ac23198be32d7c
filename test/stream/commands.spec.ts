import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { deferred } from '../../src/common/deferred.js';
import { CommandHandler } from '../../src/checkout/commands/command-handler.service.js';
import { LockService } from '../../src/lock/lock.service.js';
import type { CommandMessage } from '../../src/platform/stream/stream-broker.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { type NatsServer, startNats } from '../setup/nats-server.js';
import { basket, newSku, orderIn } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { StreamClient } from './stream-client.js';

const admin = { key: 'admin' } as const;

describe('checkouts from a stream', () => {
  let nats: NatsServer;
  let test: TestApp;
  let client: StreamClient;
  let sku: string;

  beforeAll(async () => {
    nats = await startNats();
    test = await startTestApp({ STREAM_URL: nats.url, STREAM_MAX_DELIVERIES: '2', STREAM_ACK_WAIT_MS: '1500' });
    client = await StreamClient.open(nats.url);
    await client.shortenDuplicateWindow();
    await client.commandsAreReady();
    sku = await newSku(test.api, 1_000);
  });
  afterAll(async () => {
    expect(await violations(test.database)).toEqual({});
    await client.close();
    await test.close();
    await nats.remove();
  });

  const named = (name: string, overrides: Readonly<Record<string, unknown>> = {}) =>
    basket(sku, { metadata: { name }, ...overrides });
  const ordersNamed = (name: string) =>
    test.database.query<{ id: string; state: string }>(`SELECT id, state FROM orders WHERE metadata->>'name' = $1`, [
      name,
    ]);
  const orderNamed = (name: string, state: string) =>
    eventually(`an order of ${name} is ${state}`, async () => (await ordersNamed(name))[0], {
      until: (order) => order?.state === state,
    });
  const deadLetters = async (): Promise<any[]> => (await test.api.get('/v1/dead-letters?limit=200', admin)).body.items;
  const deadLetterOf = (id: string | null) =>
    eventually(`a dead letter of ${id}`, async () => (await deadLetters()).find(({ messageId }) => messageId === id));
  const metric = async (line: string): Promise<number> => {
    const { body } = await test.api.get('/metrics', admin);
    return Number(
      (body as string)
        .split('\n')
        .find((each) => each.startsWith(`${line} `))
        ?.split(' ')[1],
    );
  };

  it('are orders like any other, and acknowledged', async () => {
    const name = randomUUID();
    await client.send(name, named(name, { customer: { id: 'c-7', email: 'ada@example.com' } }));
    const { id } = await orderNamed(name, 'CONFIRMED');
    await client.everythingIsAcknowledged();
    expect((await test.api.get(`/v1/orders/${id}`, admin)).body).toMatchObject({
      total: 1_000,
      customer: { id: 'c-7' },
      payment: { state: 'CAPTURED' },
    });
    expect(await metric('stream_commands_total{outcome="confirmed"}')).toBeGreaterThan(0);
  });

  it('happen once, however often the message is sent, at once or after a while', async () => {
    const names = Array.from({ length: 20 }, () => randomUUID());
    await Promise.all([...names, ...names, ...names].map((name) => client.send(name, named(name))));
    await client.everythingIsAcknowledged();
    for (const name of names) await client.send(name, named(name));
    await client.everythingIsAcknowledged();
    const orders = await Promise.all(names.map(ordersNamed));
    expect(orders.map((found) => found.map(({ state }) => state))).toEqual(names.map(() => ['CONFIRMED']));
    expect((await deadLetters()).filter(({ messageId }) => names.includes(messageId))).toEqual([]);
  });

  it('come from the program of the guide', async () => {
    const name = randomUUID();
    const program = path.resolve(import.meta.dirname, '../../docs/guide/examples/send-command.mjs');
    const guide = readFileSync(path.resolve(program, '../../streams.md'), 'utf8');
    expect(guide).toContain(readFileSync(program, 'utf8'));
    const rare = await newSku(test.api, 1);
    const { stdout } = await promisify(execFile)(process.execPath, [program, nats.url, name, rare]);
    expect(stdout).toMatch(/^stored as \d+ of CHECKOUT_COMMANDS\n$/);
    const left = async () => (await test.api.get(`/v1/skus/${rare}`)).body.onHand;
    await eventually('it is sold', left, { until: (onHand) => onHand === 0 });
  });

  it('are a client of their own: an id is no Idempotency-Key of somebody else', async () => {
    const name = randomUUID();
    const overHttp = await test.api.post('/v1/checkouts', named(name), { idempotencyKey: name });
    expect(overHttp.status).toBe(201);
    await client.send(name, named(name));
    await eventually('two orders', () => ordersNamed(name), { until: (orders) => orders.length === 2 });
  });

  it('end with their outcome, whichever it is: declined, sold out, or waiting for the customer', async () => {
    const [declined, soldOut, waiting] = [randomUUID(), randomUUID(), randomUUID()];
    const scarce = await newSku(test.api, 0);
    await client.send(declined, named(declined, { payment: { method: 'pm_card_chargeDeclined' } }));
    await client.send(soldOut, named(soldOut, { lines: [{ sku: scarce, quantity: 1 }] }));
    await client.send(waiting, named(waiting, { payment: { method: 'pm_card_authenticationRequired' } }));
    await orderNamed(declined, 'REJECTED');
    await orderNamed(soldOut, 'REJECTED');
    const { id } = await orderNamed(waiting, 'PENDING');
    await client.everythingIsAcknowledged();
    const events = await eventually('their events', () => client.events(), {
      until: (all) => all.filter(({ event }) => event.type === 'order.rejected').length === 2,
    });
    expect(events.filter(({ event }) => event.type === 'payment.declined')).toHaveLength(1);
    await orderIn(test.api, id, 'CONFIRMED'); // the sandbox's customer approves
    expect(await deadLetters()).toEqual([]);
  });

  it('take longer than the broker waits, and are not given to somebody else meanwhile', async () => {
    const name = randomUUID();
    await client.send(name, named(name, { payment: { method: 'pm_sandbox_slow' } }));
    await orderNamed(name, 'CONFIRMED');
    await client.everythingIsAcknowledged();
    expect(await metric('stream_commands_total{outcome="retried"}')).toBe(0);
    expect(await ordersNamed(name)).toHaveLength(1);
  });

  it('come again after a lock timeout', async () => {
    const name = randomUUID();
    const busy = await newSku(test.api, 10);
    const release = deferred<undefined>();
    const holding = test.app
      .get(LockService)
      .withLock([`inventory:reserve:${busy}`], { waitMs: 5_000, leaseMs: 60_000 }, () => release.promise);
    await client.send(name, named(name, { lines: [{ sku: busy, quantity: 1 }] }));
    const retried = () => metric('stream_commands_total{outcome="retried"}');
    await eventually('a delivery is given back', retried, { until: (count) => count === 1, everyMs: 100 });
    release.resolve(undefined);
    await holding;
    await orderNamed(name, 'CONFIRMED');
    await client.everythingIsAcknowledged();
  });

  it.each([
    ['no JSON', '{"currency":', 'VALIDATION_FAILED'],
    ['a prototype', '{"__proto__": {}}', 'VALIDATION_FAILED'],
    ['a body that no checkout has', { currency: 'EUR', payment: {} }, 'VALIDATION_FAILED'],
    ['a SKU that does not exist', basket('no-such-sku'), 'SKU_NOT_FOUND'],
    ['another price', { ...basket('sku'), expectedTotal: 1 }, 'PRICE_CHANGED'],
  ])('are dead letters at once with %s', async (_, body, code) => {
    const name = randomUUID();
    const text = JSON.stringify(body).replace('"sku":"sku"', `"sku":"${sku}"`);
    await client.send(name, typeof body === 'string' ? body : text);
    expect(await deadLetterOf(name)).toMatchObject({ code, state: 'OPEN', deliveries: 1, reason: expect.any(String) });
    await client.everythingIsAcknowledged();
  });

  it('are dead letters without an id, and with an id that was used for something else', async () => {
    await client.send(undefined, named('nameless'));
    expect(await deadLetterOf(null)).toMatchObject({ code: 'IDEMPOTENCY_KEY_MISSING' });
    const name = randomUUID();
    await client.send(name, named(name));
    await orderNamed(name, 'CONFIRMED');
    await client.send(name, named(name, { lines: [{ sku, quantity: 2 }] }));
    expect(await deadLetterOf(name)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await ordersNamed(name)).toHaveLength(1);
  });

  it('leave no card number behind', async () => {
    const name = randomUUID();
    await client.send(name, named(name, { payment: { method: '4242 4242 4242 4242' } }));
    const letter = await deadLetterOf(name);
    expect(letter).toMatchObject({ code: 'VALIDATION_FAILED', body: null });
    const answer = await test.api.post(`/v1/dead-letters/${letter.id}/retry`, undefined, admin);
    expect([answer.status, answer.body.code]).toEqual([409, 'INVALID_STATE']);
    expect(JSON.stringify(await client.events())).not.toContain('4242 4242');
  });

  it('are dead letters with their reason after too many deliveries, and orders when an operator retries them', async () => {
    await test.database.query(
      `ALTER TABLE orders ADD CONSTRAINT test_poison CHECK (NOT coalesce(metadata->>'poison' = 'yes', false))`,
    );
    const name = randomUUID();
    await client.send(name, named(name, { metadata: { name, poison: 'yes' } }));
    const letter = await deadLetterOf(name);
    expect(letter).toMatchObject({ code: 'INTERNAL_ERROR', deliveries: 2, state: 'OPEN' });
    expect(letter.reason).toContain('test_poison');
    await client.everythingIsAcknowledged();
    const retry = () => test.api.post(`/v1/dead-letters/${letter.id}/retry`, undefined, admin);
    expect((await retry()).body).toMatchObject({ state: 'OPEN', code: 'INTERNAL_ERROR' });
    await test.database.query(`ALTER TABLE orders DROP CONSTRAINT test_poison`);
    expect((await retry()).body).toMatchObject({ state: 'RETRIED', orderId: expect.any(String), resolvedBy: 'admin' });
    expect((await retry()).body.code).toBe('INVALID_STATE');
    await orderNamed(name, 'CONFIRMED');
  });

  describe('that come again without a trace of an earlier attempt', () => {
    /** A delivery that only a crash in the middle of the others could make. */
    const deliver = async (name: string, deliveries: number, sentAt = new Date()) => {
      const said: string[] = [];
      const message: CommandMessage = {
        id: name,
        source: randomUUID(),
        body: Buffer.from(JSON.stringify(named(name))),
        deliveries,
        sentAt,
        keep: () => said.push('keep'),
        acknowledge: () => said.push('acknowledge'),
        retryAfter: () => said.push('retry'),
        discard: () => said.push('discard'),
      };
      await test.app.get(CommandHandler).handle(message, new AbortController().signal);
      return said;
    };
    const DAYS_AGO = new Date(Date.now() - 2 * 24 * 3_600_000);

    it('are not tried once more than allowed: they may have ended every process that took them', async () => {
      const name = randomUUID();
      expect(await deliver(name, 3)).toEqual(['discard']);
      expect(await deadLetterOf(name)).toMatchObject({
        code: 'INTERNAL_ERROR',
        reason: expect.stringContaining('2 times'),
      });
      expect(await ordersNamed(name)).toEqual([]);
    });

    it('are not tried after a day, when their order may have been forgotten', async () => {
      const name = randomUUID();
      expect(await deliver(name, 2, DAYS_AGO)).toEqual(['discard']);
      expect(await deadLetterOf(name)).toMatchObject({ code: 'INVALID_STATE' });
      expect(await ordersNamed(name)).toEqual([]);
    });

    it('are acknowledged if there is a trace, and tried if they only waited long', async () => {
      const name = randomUUID();
      expect(await deliver(name, 1, DAYS_AGO)).toEqual(['acknowledge']);
      expect(await deliver(name, 3, DAYS_AGO)).toEqual(['acknowledge']);
      expect(await ordersNamed(name)).toHaveLength(1);
    });
  });

  it('are seen as dead letters in the metrics, in an event, and until an operator has discarded them', async () => {
    const open = (await deadLetters()).filter(({ state }) => state === 'OPEN');
    await eventually('the metric', async () => (await metric('dead_letters_open')) === open.length);
    const ids = (await deadLetters()).map(({ id }) => id).sort();
    const published = async () => {
      const events = (await client.events()).filter(({ event }) => event.type === 'command.dead_lettered');
      return events.map(({ event }) => event.data.deadLetterId as string).sort();
    };
    expect(await eventually('an event of each', published, { until: ({ length }) => length >= ids.length })).toEqual(
      ids,
    );
    for (const { id } of open) await test.api.post(`/v1/dead-letters/${id}/discard`, undefined, admin);
    await eventually('no open dead letter', async () => (await metric('dead_letters_open')) === 0);
    expect((await test.api.get('/v1/dead-letters?state=OPEN', admin)).body).toEqual({ items: [], nextCursor: null });
    expect((await test.api.get(`/v1/dead-letters/${open[0].id}`, admin)).body).toMatchObject({ state: 'DISCARDED' });
    expect((await test.api.get(`/v1/dead-letters/${randomUUID()}`, admin)).status).toBe(404);
  });
});
