import { LockService } from '../../../src/lock/lock.service.js';
import { ApiResponse } from '../../setup/api-client.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { createTestDatabase, requiredEnv, TestDatabase } from '../../setup/test-database.js';
import { newSku, newSkuId, outcomeOf, shelve } from '../../setup/shop.js';
import { hold, stockOf, tally, violations, withToken } from './inventory-fixture.js';

const drivers = [
  { driver: 'redis', env: () => ({ REDIS_URL: requiredEnv('TEST_REDIS_URL') }) },
  { driver: 'postgres', env: () => ({ LOCK_DRIVER: 'postgres' }) },
] as const;

describe.each(drivers)('two instances and the $driver lock driver', ({ env }) => {
  let database: TestDatabase;
  let instances: TestApp[];
  const instance = (index: number) => instances[index % instances.length]!;

  beforeAll(async () => {
    database = await createTestDatabase();
    instances = [await startTestApp(env(), database), await startTestApp(env(), database)];
  });
  afterAll(async () => {
    for (const one of instances) await one.close();
    await database.drop();
  });

  it('gives 50 units to exactly 50 of 300 buyers, and takes them back', async () => {
    const sku = await newSku(instance(0).api, 50);
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => insistentHold(instance(index), [{ sku, quantity: 1 }])),
    );
    expect(tally(answers)).toEqual({ 201: 50, 409: 250 });
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.every(({ body }) => body.code === 'OUT_OF_STOCK')).toBe(true);
    expect(refused[0]?.body.shortages).toEqual([{ sku, requested: 1, available: 0 }]);
    expect(await stockOf(database, sku)).toEqual({ onHand: 50, reserved: 50 });

    const held = answers.filter(({ status }) => status === 201);
    const released = await Promise.all(
      held.map((answer, index) => instance(index).api.delete(`/v1/reservations/${answer.body.id}`, withToken(answer))),
    );
    expect(tally(released)).toEqual({ 200: 50 });
    expect(await stockOf(database, sku)).toEqual({ onHand: 50, reserved: 0 });
    expect(await violations(database)).toEqual([]);
  });

  it('holds overlapping pairs of seats whole or not at all', async () => {
    const show = newSkuId('show');
    const seats = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        shelve(instance(index).api, `${show}:seat:${index}`, 1, undefined, { group: show }),
      ),
    );
    const pairs = Array.from({ length: 200 }, (_, index) => {
      const first = Math.floor(Math.random() * seats.length);
      const second = (first + 1 + Math.floor(Math.random() * (seats.length - 1))) % seats.length;
      // Both orders of naming them: the order of locking must not follow it.
      return index % 2 === 0 ? [seats[first]!, seats[second]!] : [seats[second]!, seats[first]!];
    });
    const answers = await Promise.all(
      pairs.map((pair, index) =>
        insistentHold(
          instance(index),
          pair.map((sku) => ({ sku, quantity: 1 })),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    const taken = answers.filter(({ status }) => status === 201).flatMap(seatsOf);
    expect(taken.length).toBeGreaterThan(0);
    expect(new Set(taken).size).toBe(taken.length);
    const [row] = await database.query<{ reserved: number }>(
      'SELECT sum(reserved)::int AS reserved FROM skus WHERE sku_group = $1',
      [show],
    );
    expect(row?.reserved).toBe(taken.length);
    expect(await violations(database)).toEqual([]);
  });
});

describe('a lock that grants everybody', () => {
  let test: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
    other = await startTestApp({}, test.database);
    for (const { app } of [test, other]) breakLocks(app.get(LockService));
  });
  afterAll(async () => {
    await other.close();
    await test.close();
  });

  it('still sells nothing twice: the database alone holds', async () => {
    const sku = await newSku(test.api, 50);
    const held: ApiResponse[] = [];
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => hold((index % 2 ? test : other).api, [{ sku, quantity: 1 }])),
      );
      expect(answers.filter(({ status }) => ![201, 409, 503].includes(status))).toEqual([]);
      held.push(...answers.filter(({ status }) => status === 201));
    }
    expect(held).toHaveLength(50);
    expect(await stockOf(test.database, sku)).toEqual({ onHand: 50, reserved: 50 });
    expect(await violations(test.database)).toEqual([]);
  });
});

/** On a slow machine a crowd may wait for longer than a request does: whoever hears that the lock is busy asks again. */
function insistentHold({ api }: TestApp, lines: readonly { sku: string; quantity: number }[]): Promise<ApiResponse> {
  return outcomeOf('a hold', (idempotencyKey) => hold(api, lines, { idempotencyKey }));
}

function seatsOf({ body }: ApiResponse): string[] {
  return (body.lines as { sku: string }[]).map(({ sku }) => sku);
}

/** Tokens out of order too: a stale holder writes after a later one. */
function breakLocks(locks: LockService): void {
  let token = 1_000n;
  const signal = new AbortController().signal;
  locks.withLock = async (_keys, _options, work) => {
    token += BigInt(Math.floor(Math.random() * 3));
    return work({ token, signal, assertHeld: () => undefined, remainingMs: () => 10_000 });
  };
}
