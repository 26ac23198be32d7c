import { SagaRecoveryJob } from '../../../src/saga/saga-recovery.job.js';
import { eventually } from '../../setup/eventually.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import { calling, createToyTable, effectsOf, leave, local, QUICK, saga, start, step, stored } from './toy-sagas.js';

describe('steps, failures and the way back', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
    await createToyTable(test.database);
  });
  afterAll(() => test.close());

  const runToEnd = async (definition: ReturnType<typeof saga>, note?: string) => {
    const ticket = start(test, definition, note);
    await ticket.rested;
    const { id } = ticket.run;
    return { id, effects: await effectsOf(test.database, id), saga: (await stored(test.database, id))! };
  };

  it('runs steps in order and logs each', async () => {
    const { effects, saga: row } = await runToEnd(saga([step('one'), step('two'), step('three')]));
    expect(effects).toEqual(['one', 'two', 'three']);
    expect(row).toMatchObject({ state: 'COMPLETED', phase: 'end', owner: null, epoch: 1 });
    expect(row.log.map((line) => line.step)).toEqual(['one', 'two', 'three']);
  });

  it('turns back at once on a permanent failure, in reverse order, without the step that failed', async () => {
    const failing = local((_, batch) => {
      for (const run of batch) run.fail({ code: 'OUT_OF_STOCK', detail: 'none left' });
      return Promise.resolve();
    });
    const { effects, saga: row } = await runToEnd(
      saga([step('one'), step('two'), step('three', { execute: failing })]),
    );
    expect(effects).toEqual(['one', 'two', 'compensate two', 'compensate one']);
    expect(row).toMatchObject({ state: 'COMPENSATED', failure: { code: 'OUT_OF_STOCK' } });
  });

  it('skips what has nothing to compensate', async () => {
    const { compensate: _, ...silent } = step('two');
    const refused = calling(() => Promise.resolve('no'), {
      record: (_tx, answers) => {
        for (const { run } of answers) run.fail({ code: 'PAYMENT_DECLINED', detail: 'no' });
        return Promise.resolve();
      },
    });
    const { effects } = await runToEnd(saga([step('one'), silent, step('three', { execute: refused })]));
    expect(effects).toEqual(['one', 'two', 'compensate one']);
  });

  it('tries a call again after a transient failure, within the policy, and waits longer each time', async () => {
    const times: number[] = [];
    const flaky = calling(() => {
      times.push(performance.now());
      return times.length < 3 ? Promise.reject(new Error('connection lost')) : Promise.resolve('yes');
    });
    const retry = { maxAttempts: 5, baseMs: 40, capMs: 1_000 };
    const { effects, saga: row } = await runToEnd(saga([step('one'), step('two', { execute: flaky, retry })]));
    expect(effects).toEqual(['one', 'answer yes']);
    expect(row.log.filter((line) => line.result === 'in-doubt')).toHaveLength(2);
    // Half of the ceiling is certain, the other half is jitter: 20 to 40 ms, then 40 to 80 ms.
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(19);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(39);
  });

  it('gives up a call when the policy is exhausted, and compensates it first: it may have happened', async () => {
    let calls = 0;
    const dead = calling(() => {
      calls += 1;
      return Promise.reject(new Error('connection lost'));
    });
    const { effects, saga: row } = await runToEnd(saga([step('one'), step('two', { execute: dead })]));
    expect(calls).toBe(QUICK.maxAttempts);
    expect(effects).toEqual(['one', 'compensate two', 'compensate one']);
    expect(row).toMatchObject({ state: 'COMPENSATED', failure: { code: 'DEPENDENCY_UNAVAILABLE' } });
  });

  it('asks what became of a call in doubt before it calls again', async () => {
    let calls = 0;
    const execute = calling(
      () => {
        calls += 1;
        return Promise.reject(new Error('no answer'));
      },
      { resolve: () => Promise.resolve('it happened') },
    );
    const { effects } = await runToEnd(saga([step('one', { execute })]));
    expect(calls).toBe(1);
    expect(effects).toEqual(['answer it happened']);
  });

  it('gives up a call at its timeout, also if nobody listens to the signal', async () => {
    const deaf = calling(() => new Promise(() => undefined));
    const retry = { ...QUICK, maxAttempts: 1 };
    const { effects, saga: row } = await runToEnd(saga([step('one', { execute: deaf, timeoutMs: 50, retry })]));
    expect(effects).toEqual(['compensate one']);
    expect(row.log[1]).toMatchObject({ result: 'in-doubt', error: 'no answer in time' });
  });

  it('takes what the database refuses as permanent, whatever the policy says', async () => {
    let runs = 0;
    const forbidden = calling(() => Promise.resolve('yes'), {
      record: (tx, answers) => {
        runs += 1;
        return leave(
          tx,
          answers.map(({ run }) => run),
          'forbidden',
        );
      },
    });
    const { effects, saga: row } = await runToEnd(saga([step('one'), step('two', { execute: forbidden })]));
    expect(runs).toBe(1);
    expect(effects).toEqual(['one', 'compensate two', 'compensate one']);
    expect(row.state).toBe('COMPENSATED');
  });

  it('tries a compensation by its own policy, then is STUCK, and tells the outbox', async () => {
    let undone = 0;
    const undo = local(() => {
      undone += 1;
      return Promise.reject(new Error('not today'));
    });
    const dead = calling(() => Promise.reject(new Error('away')), { retry: { ...QUICK, maxAttempts: 1 } });
    const { compensate: _, ...two } = step('two', { execute: dead });
    const definition = saga([step('one', { compensate: { ...undo, retry: { ...QUICK, maxAttempts: 5 } } }), two]);
    const { id, effects, saga: row } = await runToEnd(definition);
    expect(undone).toBe(5);
    expect(effects).toEqual(['one']);
    expect(row).toMatchObject({ state: 'STUCK', phase: 'undo', position: 0, owner: null });
    expect(await test.database.query(`SELECT type FROM outbox WHERE subject = $1`, [id])).toEqual([
      { type: 'saga.stuck' },
    ]);
  });

  it('never turns back behind its pivot', async () => {
    const dead = calling(() => Promise.reject(new Error('away')));
    const definition = saga([step('one'), step('pivot', { isPivot: true }), step('three', { execute: dead })]);
    const { effects, saga: row } = await runToEnd(definition);
    expect(effects).toEqual(['one', 'pivot']);
    expect(row).toMatchObject({ state: 'STUCK', phase: 'call', position: 2 });
  });

  it('waits when told to, and goes on when woken', async () => {
    let answer = 'later';
    const patient = calling(() => Promise.resolve(answer), {
      resolve: () => Promise.resolve(answer),
      record: async (tx, answers) => {
        for (const { run, result } of answers) {
          if (result === 'later') run.suspend(60_000);
          else await leave(tx, [run], `answer ${result}`);
        }
      },
    });
    const ticket = start(test, saga([step('one', { execute: patient }), step('two')]));
    await ticket.rested;
    const { id } = ticket.run;
    // Nobody drives it, and the row still says who did: what that one may have left locked is the next one's.
    expect((await stored(test.database, id))?.state).toBe('WAITING');
    expect((await test.api.get(`/v1/sagas/${id}`, { key: 'admin' })).body).toMatchObject({ owner: null });
    answer = 'now';
    await test.app.get(SagaRecoveryJob).recover();
    expect(await stored(test.database, id)).toMatchObject({ state: 'WAITING' });
    expect(await test.app.get(SagaRecoveryJob).wake(id)).toBe(true);
    await eventually('it goes on', async () => (await stored(test.database, id))?.state === 'COMPLETED');
    expect(await effectsOf(test.database, id)).toEqual(['answer now', 'two']);
    expect(await test.app.get(SagaRecoveryJob).wake(id)).toBe(false);
  });

  it('goes on by itself when the time to wait is over', async () => {
    let asked = 0;
    const patient = calling(() => Promise.resolve('later'), {
      resolve: () => Promise.resolve(`after ${(asked += 1)}`),
      record: async (tx, answers) => {
        for (const { run, result } of answers) {
          if (result === 'later') run.suspend(30);
          else await leave(tx, [run], result);
        }
      },
    });
    const ticket = start(test, saga([step('one', { execute: patient })]));
    await ticket.rested;
    const { id } = ticket.run;
    await eventually('the deadline', async () => (await stored(test.database, id))?.state === 'COMPLETED');
    expect(await effectsOf(test.database, id)).toEqual(['after 1']);
  });

  it('leaves nothing of a saga whose first transaction fails', async () => {
    const forbidden = local((tx, batch) => leave(tx, batch, 'forbidden'));
    const ticket = start(test, saga([step('one', { execute: forbidden })]));
    await expect(ticket.rested).rejects.toMatchObject({ code: '23514' });
    await expect(ticket.started).rejects.toBeDefined();
    expect(await stored(test.database, ticket.run.id)).toBeUndefined();
  });
});
