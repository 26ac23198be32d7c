import pg from 'pg';
import { statement } from '../../../src/platform/postgres/statement.js';
import { LockService } from '../../../src/lock/lock.service.js';
import { eventually } from '../../setup/eventually.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import { gate } from '../../setup/timing.js';
import { calling, createToyTable, effectsOf, leave, local, saga, start, step, stored, type Toy } from './toy-sagas.js';

const keyOf = ({ id, note }: Toy) => `toy:call:${note ?? id}`;
const locks = { keys: (data: Toy) => [keyOf(data)], terms: { leaseMs: 60_000, waitMs: 2_000 } };
const TURNSTILE = 4_711;
const PASS = statement('toy.pass', `SELECT pg_advisory_xact_lock_shared($1)`);

/** Its transaction waits on the server until the test lets it pass, the COMMIT behind it. */
const slow = local((tx, batch) => {
  tx.send(PASS, [TURNSTILE]);
  return leave(tx, batch, 'intent');
});

describe('the lock of the first call of a saga', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
    await createToyTable(test.database);
  });
  afterAll(() => test.close());

  /** Keeps transactions that want to pass waiting, until the answered function is called. */
  const block = async () => {
    const client = new pg.Client({ connectionString: test.database.url });
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [TURNSTILE]);
    return () => client.end();
  };
  const held = () =>
    test.app
      .get(LockService)
      .held()
      .map(({ key }) => key);
  const heldSoon = (keys: readonly string[]) =>
    eventually(`${keys.join(', ') || 'nothing'} is locked`, held, {
      until: (found) => found.toSorted().join() === keys.toSorted().join(),
    });

  it('is taken while the intent commits, and held until the answer is stored', async () => {
    const { opened, open } = gate();
    const execute = calling(() => opened.then(() => 'yes'), { locks });
    const definition = saga([step('one', { execute: slow }), step('two', { execute })]);
    const pass = await block();
    const tickets = ['a', 'b'].map((note) => start(test, definition, note));
    await heldSoon(['toy:call:a', 'toy:call:b']);
    expect(await stored(test.database, tickets[0]!.run.id)).toBeUndefined();
    await pass();
    await Promise.all(tickets.map(({ started }) => started));
    expect(held()).toHaveLength(2);
    open();
    await Promise.all(tickets.map(({ rested }) => rested));
    expect(await effectsOf(test.database, tickets[1]!.run.id)).toEqual(['intent', 'answer yes']);
    await heldSoon([]);
  });

  it('is free again if the intent does not commit', async () => {
    const pass = await block();
    const execute = local((tx, batch) => {
      tx.send(PASS, [TURNSTILE]);
      return leave(tx, batch, 'forbidden');
    });
    const ticket = start(
      test,
      saga([step('one', { execute }), step('two', { execute: calling(() => Promise.resolve('no'), { locks }) })]),
    );
    ticket.rested.catch(() => undefined);
    await heldSoon([keyOf(ticket.run.data)]);
    await pass();
    await expect(ticket.rested).rejects.toThrow();
    await heldSoon([]);
    expect(await stored(test.database, ticket.run.id)).toBeUndefined();
  });

  it('is let go by those that will not call', async () => {
    const one = local((tx, batch) => {
      for (const run of batch) if (run.data.note === 'refused') run.fail({ code: 'OUT_OF_STOCK', detail: 'none' });
      return slow.run(tx, batch, { lease: undefined, isOptimistic: true });
    });
    const definition = saga([
      step('one', { execute: one }),
      step('two', { execute: calling(() => Promise.resolve('yes'), { locks }) }),
    ]);
    const pass = await block();
    const tickets = ['refused', 'fine'].map((note) => start(test, definition, note));
    await heldSoon(['toy:call:fine', 'toy:call:refused']);
    await pass();
    await Promise.all(tickets.map(({ rested }) => rested));
    expect(tickets.map(({ run }) => run.state)).toEqual(['COMPENSATED', 'COMPLETED']);
    await heldSoon([]);
  });

  it('is waited for while another holds it, after the commit and not before; who has a lock of its own goes on', async () => {
    const { opened, open } = gate();
    const other = test.app.get(LockService).withLock(['toy:call:taken'], { leaseMs: 60_000, waitMs: 0 }, () => opened);
    await heldSoon(['toy:call:taken']);
    const retry = { maxAttempts: 200, baseMs: 20, capMs: 100 };
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
