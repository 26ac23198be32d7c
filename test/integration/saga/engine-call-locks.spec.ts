import { statement } from '../../../src/infrastructure/database/statement.js';
import { LockService } from '../../../src/lock/lock.service.js';
import { eventually } from '../../setup/eventually.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import {
  calling,
  createToyTable,
  effectsOf,
  gate,
  leave,
  local,
  saga,
  start,
  step,
  stored,
  type Toy,
} from './toy-sagas.js';

const keyOf = ({ id, note }: Toy) => `toy:call:${note ?? id}`;
const locks = { keys: (data: Toy) => [keyOf(data)], terms: { leaseMs: 60_000, waitMs: 400 } };
const SLOW_MS = 600;
const SLEEP = statement('toy.sleep', `SELECT pg_sleep($1)`);

/** Its transaction takes its time on the server, the COMMIT behind it. */
const slow = local((tx, batch) => {
  tx.send(SLEEP, [SLOW_MS / 1_000]);
  return leave(tx, batch, 'intent');
});

describe('the lock of the first call of a saga', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
    await createToyTable(test.database);
  });
  afterAll(() => test.close());

  const held = () =>
    test.app
      .get(LockService)
      .held()
      .map(({ key }) => key);
  const heldSoon = (keys: readonly string[]) =>
    eventually(`${keys.join(', ') || 'nothing'} is locked`, () =>
      Promise.resolve(held().toSorted().join() === keys.toSorted().join() || undefined),
    );

  it('is taken while the intent commits, and held until the answer is stored', async () => {
    const { opened, open } = gate();
    const execute = calling(() => opened.then(() => 'yes'), { locks });
    const definition = saga([step('one', { execute: slow }), step('two', { execute })]);
    const tickets = ['a', 'b'].map((note) => start(test, definition, note));
    const since = performance.now();
    await heldSoon(['toy:call:a', 'toy:call:b']);
    expect(performance.now() - since).toBeLessThan(SLOW_MS);
    expect(await stored(test.database, tickets[0]!.run.id)).toBeUndefined();
    await Promise.all(tickets.map(({ started }) => started));
    expect(held()).toHaveLength(2);
    open();
    await Promise.all(tickets.map(({ rested }) => rested));
    expect(await effectsOf(test.database, tickets[1]!.run.id)).toEqual(['intent', 'answer yes']);
    await heldSoon([]);
  });

  it('is free again if the intent does not commit', async () => {
    const execute = local((tx, batch) => {
      tx.send(SLEEP, [0.2]);
      return leave(tx, batch, 'forbidden');
    });
    const ticket = start(
      test,
      saga([step('one', { execute }), step('two', { execute: calling(() => Promise.resolve('no'), { locks }) })]),
    );
    ticket.rested.catch(() => undefined);
    await heldSoon([keyOf(ticket.run.data)]);
    await expect(ticket.rested).rejects.toThrow();
    await heldSoon([]);
    expect(await stored(test.database, ticket.run.id)).toBeUndefined();
  });

  it('is taken only for those that will call', async () => {
    const one = local((tx, batch) => {
      for (const run of batch) if (run.data.note === 'refused') run.fail({ code: 'OUT_OF_STOCK', detail: 'none' });
      return slow.run(tx, batch, { lease: undefined, isHopeful: true });
    });
    const definition = saga([
      step('one', { execute: one }),
      step('two', { execute: calling(() => Promise.resolve('yes'), { locks }) }),
    ]);
    const tickets = ['refused', 'fine'].map((note) => start(test, definition, note));
    await heldSoon(['toy:call:fine']);
    await Promise.all(tickets.map(({ rested }) => rested));
    expect(tickets.map(({ run }) => run.state)).toEqual(['COMPENSATED', 'COMPLETED']);
    await heldSoon([]);
  });

  it('is waited for while another holds it, after the commit and not before; who has a lock of its own goes on', async () => {
    const { opened, open } = gate();
    const other = test.app.get(LockService).withLock(['toy:call:taken'], { leaseMs: 60_000, waitMs: 0 }, () => opened);
    await heldSoon(['toy:call:taken']);
    const retry = { maxAttempts: 50, baseMs: 20, capMs: 100 };
    const definition = saga([
      step('one'),
      step('two', { execute: calling(() => Promise.resolve('yes'), { locks }), retry }),
    ]);
    const [taken, free] = ['taken', 'free'].map((note) => start(test, definition, note));
    await taken!.started;
    await free!.rested;
    expect(free!.run.state).toBe('COMPLETED');
    expect(await effectsOf(test.database, taken!.run.id)).toEqual(['one']);
    open();
    await Promise.all([other, taken!.rested]);
    expect(await effectsOf(test.database, taken!.run.id)).toEqual(['one', 'answer yes']);
    await heldSoon([]);
  });
});
