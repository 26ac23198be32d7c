import { SagaEngine } from '../../../src/saga/engine/saga-engine.service.js';
import { SagaHandedOverError } from '../../../src/saga/saga.errors.js';
import { LockService } from '../../../src/lock/lock.service.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import { gate } from '../../setup/timing.js';
import { calling, createToyTable, effectsOf, leave, local, saga, start, step, stored } from './toy-sagas.js';

describe('sagas that share a commit', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
    await createToyTable(test.database);
  });
  afterAll(() => test.close());

  it('come in one batch when they arrive together, each with its own verdict', async () => {
    const sizes: number[] = [];
    const execute = local((tx, batch) => {
      sizes.push(batch.length);
      for (const run of batch) if (run.data.note === 'refused') run.fail({ code: 'OUT_OF_STOCK', detail: 'none' });
      return leave(
        tx,
        batch.filter((run) => !run.hasVerdict),
        'granted',
      );
    });
    const definition = saga([step('one', { execute })]);
    const tickets = ['a', 'refused', 'b', 'refused', 'c'].map((note) => start(test, definition, note));
    await Promise.all(tickets.map((ticket) => ticket.rested));
    expect(sizes).toEqual([5]);
    expect(tickets.map(({ run }) => run.state)).toEqual([
      'COMPLETED',
      'COMPENSATED',
      'COMPLETED',
      'COMPENSATED',
      'COMPLETED',
    ]);
  });

  it('are split when one of them is poison, which hurts nobody else', async () => {
    const execute = local((tx, batch) => {
      const poisoned = batch.filter(({ data }) => data.note === 'poison');
      void leave(tx, poisoned, 'forbidden');
      return leave(
        tx,
        batch.filter((run) => !poisoned.includes(run)),
        'fine',
      );
    });
    const definition = saga([step('one', { execute })]);
    const tickets = ['a', 'poison', 'b', 'c'].map((note) => start(test, definition, note));
    const results = await Promise.allSettled(tickets.map((ticket) => ticket.rested));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await effectsOf(test.database, tickets[0]!.run.id)).toEqual(['fine']);
    expect(await stored(test.database, tickets[1]!.run.id)).toBeUndefined();
  });

  it('lose the one that another instance has claimed meanwhile: the others commit, it writes nothing', async () => {
    const { opened, open } = gate();
    const execute = calling(async () => {
      await opened;
      return 'yes';
    });
    const definition = saga([step('one', { execute }), step('two')]);
    const tickets = ['a', 'b', 'c'].map((note) => start(test, definition, note));
    await Promise.all(tickets.map((ticket) => ticket.started));
    const [, stolen] = tickets;
    await test.database.query(
      `UPDATE sagas SET epoch = epoch + 1, owner = 'other', due_at = now() + interval '1 hour' WHERE id = $1`,
      [stolen!.run.id],
    );
    open();
    const results = await Promise.allSettled(tickets.map((ticket) => ticket.rested));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(SagaHandedOverError);
    expect(await effectsOf(test.database, stolen!.run.id)).toEqual([]);
    expect(await stored(test.database, stolen!.run.id)).toMatchObject({ state: 'RUNNING', phase: 'call', epoch: 2 });
    expect(await effectsOf(test.database, tickets[2]!.run.id)).toEqual(['answer yes', 'two']);
    expect(test.app.get(SagaEngine).activeRuns).toEqual([]);
  });

  it('wait for a lock that is held elsewhere only where they need it', async () => {
    const keysOf = ({ id, note }: { id: string; note?: string }) => [note === 'contended' ? 'toy:held' : `toy:${id}`];
    const execute = calling(() => Promise.resolve('yes'), {
      locks: { keys: keysOf, terms: { leaseMs: 60_000, waitMs: 300 } },
    });
    const definition = saga([step('one', { execute, retry: { maxAttempts: 200, baseMs: 20, capMs: 100 } })]);
    const { opened, open } = gate();
    const holder = test.app.get(LockService).withLock(['toy:held'], { leaseMs: 60_000, waitMs: 60_000 }, () => opened);
    const free = start(test, definition, 'free');
    const contended = start(test, definition, 'contended');
    await free.rested;
    expect(free.run.state).toBe('COMPLETED');
    expect(contended.run.isEnded).toBe(false);
    open();
    await Promise.all([holder, contended.rested]);
    expect(contended.run.state).toBe('COMPLETED');
  });

  it('do not let a slow call burn the attempts of a quick one that failed', async () => {
    let failures = 0;
    const { opened, open } = gate();
    const execute = calling(
      async (run) => {
        if (run.data.note === 'slow') await opened;
        else if ((failures += 1) === 1) throw new Error('once');
        return 'yes';
      },
      { locks: { keys: ({ id }) => [`toy:${id}`], terms: { leaseMs: 60_000, waitMs: 2_000 } } },
    );
    const retry = { maxAttempts: 2, baseMs: 1, capMs: 1 };
    // The quick one needs the lock that they share, so it waits until the slow one is given up.
    const definition = saga([step('one', { execute, retry, timeoutMs: 5_000 })]);
    const [slow, quick] = [start(test, definition, 'slow'), start(test, definition, 'quick')];
    await quick.rested;
    open();
    await slow.rested;
    expect([slow, quick].map(({ run }) => run.state)).toEqual(['COMPLETED', 'COMPLETED']);
  });
});
