import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { authorizedOrder, cancel, capture, refund } from '../setup/captures.js';
import { violations } from '../setup/invariants.js';
import { scaled } from '../setup/scale.js';
import { expectSound, ledgerOf, newSku, orderOf } from '../setup/shop.js';
import { createTestDatabase, requiredEnv, type TestDatabase } from '../setup/test-database.js';

const CAPTURES = 20;
const ROUNDS = scaled(8, 60);

describe.each(['redis', 'postgres'] as const)('two instances with locks on %s', (driver) => {
  let database: TestDatabase;
  let instances: AppProcess[];
  beforeAll(async () => {
    database = await createTestDatabase();
    const env = {
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '6',
      GATEWAY_TIMEOUT_MS: '10000',
      ...(driver === 'redis' && { REDIS_URL: requiredEnv('TEST_REDIS_URL') }),
    };
    instances = [await startAppProcess(env), await startAppProcess(env)];
  });
  afterAll(async () => {
    for (const instance of instances) await instance.stop();
    await database.drop();
  });
  afterEach(async () => {
    await expectSound(instances[0]!.api);
    expect(await violations(database)).toEqual({});
  });

  const apiOf = (number: number) => instances[number % 2]!.api;

  /** 20 captures, each of an amount of its own, and one cancellation, which comes at another place in every round. */
  const race = async (round: number) => {
    const api = apiOf(round);
    const { id } = await authorizedOrder(api, await newSku(api));
    const place = (round * 5) % (CAPTURES + 1);
    const captures: ReturnType<typeof capture>[] = [];
    let cancellation: ReturnType<typeof cancel> | undefined;
    for (let turn = 0; turn <= CAPTURES; turn += 1) {
      if (turn === place) cancellation = cancel(apiOf(turn), id);
      else captures.push(capture(apiOf(turn), id, 100 + captures.length));
    }
    return { id, cancelled: await cancellation!, captures: await Promise.all(captures) };
  };

  it('capture an order once or void it, never both: 20 captures and a cancellation at once', async () => {
    const ends = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, cancelled, captures } = await race(round);
      const refused = [cancelled, ...captures].filter(({ status }) => status !== 200);
      for (const { status, body } of refused) expect([status, body.code]).toEqual([409, 'INVALID_STATE']);
      const taken = captures.flatMap(({ status }, number) => (status === 200 ? [100 + number] : []));
      const charges = await ledgerOf(apiOf(0), id);
      const order = await orderOf(apiOf(1), id);
      const isCancelled = cancelled.status === 200;
      const wanted =
        taken.length === 0
          ? { state: 'VOIDED', capturedAmount: 0, refundedAmount: 0 }
          : {
              state: isCancelled ? 'REFUNDED' : 'CAPTURED',
              capturedAmount: taken[0],
              refundedAmount: isCancelled ? taken[0] : 0,
            };
      expect(taken.length).toBeLessThanOrEqual(1);
      expect(charges).toMatchObject([{ amount: 1_000, ...wanted }]);
      expect(order).toMatchObject({ state: isCancelled ? 'CANCELLED' : 'CONFIRMED', payment: wanted });
      ends.set(wanted.state, (ends.get(wanted.state) ?? 0) + 1);
    }
    process.stdout.write(`20 captures and a cancellation, ${driver}: ${JSON.stringify(Object.fromEntries(ends))}\n`);
  });

  it('refund a partial capture by turns, never more than was captured, and the provider adds up', async () => {
    const { id } = await authorizedOrder(apiOf(0), await newSku(apiOf(0)));
    expect((await capture(apiOf(1), id, 750)).status).toBe(200);
    const refunds = await Promise.all(Array.from({ length: 10 }, (_, turn) => refund(apiOf(turn), id, 100)));
    const paid = refunds.filter(({ status }) => status === 201);
    expect(paid).toHaveLength(7);
    for (const { status, body } of refunds.filter((answer) => !paid.includes(answer)))
      expect([status, body.code]).toEqual([409, 'REFUND_EXCEEDS_CAPTURED']);
    const part = { amount: 1_000, capturedAmount: 750, refundedAmount: 700 };
    expect(await ledgerOf(apiOf(0), id)).toMatchObject([{ ...part, state: 'CAPTURED' }]);
    expect((await refund(apiOf(1), id)).body).toMatchObject({ state: 'SETTLED', amount: 50 });
    expect(await ledgerOf(apiOf(0), id)).toMatchObject([{ ...part, refundedAmount: 750, state: 'REFUNDED' }]);
    expect((await orderOf(apiOf(0), id)).payment).toMatchObject({ ...part, refundedAmount: 750, state: 'REFUNDED' });
  });
});
