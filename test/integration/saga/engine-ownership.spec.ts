import { setTimeout as delay } from 'node:timers/promises';
import { SagaEngine } from '../../../src/saga/engine/saga-engine.service.js';
import { SagaHandedOverError } from '../../../src/saga/saga.errors.js';
import { eventually } from '../../setup/eventually.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import { gate } from '../../setup/timing.js';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.js';
import { abandon, calling, createToyTable, effectsOf, register, saga, start, step, stored } from './toy-sagas.js';

/** Renewed at a quarter, looked for at a quarter: a machine that stalls for a second does not end it. */
const LEASE_MS = 2_000;

describe('who drives a saga', () => {
  let database: TestDatabase;
  let here: TestApp;
  let there: TestApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    await createToyTable(database);
    const env = { SAGA_LEASE_MS: String(LEASE_MS), SHUTDOWN_GRACE_MS: '200' };
    [here, there] = await Promise.all([startTestApp(env, database), startTestApp(env, database)]);
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await database.drop();
  });

  const ended = (id: string) =>
    eventually(`${id} ends`, async () => {
      const row = await stored(database, id);
      return row?.phase === 'end' ? row : undefined;
    });

  it('is whoever renews the lease: a call much longer than it is not taken over', async () => {
    let calls = 0;
    const execute = calling(async () => {
      calls += 1;
      await delay(LEASE_MS * 1.5);
      return 'slow';
    });
    const definition = saga([step('one', { execute, timeoutMs: 60_000 })]);
    register(there, definition);
    const ticket = start(here, definition);
    await ticket.rested;
    expect(await stored(database, ticket.run.id)).toMatchObject({ state: 'COMPLETED', epoch: 1 });
    expect(calls).toBe(1);
  });

  it('is another one after the lease of a dead one: it goes on where the dead one stopped', async () => {
    const definition = saga([step('one'), step('two'), step('three')]);
    register(here, definition);
    register(there, definition);
    const forward = await abandon(database, definition, { position: 1, phase: 'execute' });
    const backward = await abandon(database, definition, { position: 1, phase: 'undo', state: 'COMPENSATING' });
    expect(await ended(forward)).toMatchObject({ state: 'COMPLETED', epoch: 2 });
    expect(await ended(backward)).toMatchObject({ state: 'COMPENSATED', epoch: 2 });
    expect(await effectsOf(database, forward)).toEqual(['two', 'three']);
    expect(await effectsOf(database, backward)).toEqual(['compensate two', 'compensate one']);
  });

  it('is nobody any more after it has ended eight owners in a row, until an operator says otherwise', async () => {
    const definition = saga([step('one'), step('two')]);
    register(here, definition);
    register(there, definition);
    const seven = Array.from({ length: 7 }, (_, number) => `0123456789a${number}`);
    const lost = (owners: readonly string[]) =>
      abandon(database, definition, { position: 1, phase: 'execute', owner: owners.join(' ') });
    expect(await ended(await lost(seven))).toMatchObject({ state: 'COMPLETED' });
    const id = await lost([...seven, '0123456789ff']);
    const stuck = await eventually('it is put aside', async () => {
      const row = await stored(database, id);
      return row?.state === 'STUCK' ? row : undefined;
    });
    expect(stuck.failure).toMatchObject({ detail: '8 instances in a row were lost while they drove it' });
    expect(await effectsOf(database, id)).toEqual([]);
    expect(await database.query(`SELECT type FROM outbox WHERE payload->>'sagaId' = $1`, [id])).toEqual([
      { type: 'saga.stuck' },
    ]);
    const retried = await here.api.post(`/v1/sagas/${id}/retry`, { reason: 'repaired' }, { key: 'admin' });
    expect(retried.status).toBe(200);
    expect(await ended(id)).toMatchObject({ state: 'COMPLETED' });
  });

  it('asks about a call that a dead one may have made, and does not make it twice', async () => {
    let calls = 0;
    const execute = calling(() => Promise.resolve(`call ${(calls += 1)}`), {
      resolve: () => Promise.resolve('found'),
    });
    const definition = saga([step('one', { execute })]);
    register(here, definition);
    const id = await abandon(database, definition, { position: 0, phase: 'call' });
    await ended(id);
    expect(await effectsOf(database, id)).toEqual(['answer found']);
    expect(calls).toBe(0);
  });

  it('is told by the epoch: an owner that was taken for dead writes nothing, and its waiter follows the new one', async () => {
    const { opened, open } = gate();
    let calls = 0;
    const execute = calling(async () => {
      calls += 1;
      if (calls === 1) await opened;
      return `answer ${calls}`;
    });
    const definition = saga([step('one', { execute, timeoutMs: 60_000 })]);
    register(there, definition);
    const ticket = start(here, definition);
    await ticket.started;
    const { id } = ticket.run;
    await eventually('the call', () => calls === 1);
    // As if this process had slept: nobody renews, and the lease runs out.
    ticket.run.lose();
    await database.query(`UPDATE sagas SET due_at = now() - interval '1 second' WHERE id = $1`, [id]);
    await ended(id);
    open();
    await expect(ticket.rested).rejects.toBeInstanceOf(SagaHandedOverError);
    expect(await effectsOf(database, id)).toEqual(['answer answer 2']);
    expect(await stored(database, id)).toMatchObject({ state: 'COMPLETED', epoch: 2 });
  });

  it('by the version a saga started with: both versions finish their own, and compensate their own', async () => {
    const name = 'toy-versioned';
    const refuse = calling(() => Promise.resolve('no'), {
      record: (_, answers) => {
        for (const { run } of answers) run.fail({ code: 'INVALID_STATE', detail: 'changed my mind' });
        return Promise.resolve();
      },
    });
    const v1 = saga([step('old one'), step('old two')], 1, name);
    const v2 = saga([step('new zero'), step('new one'), step('new two', { execute: refuse })], 2, name);
    register(there, v2);
    const old = await abandon(database, v1, { position: 1, phase: 'execute' });
    const oldBack = await abandon(database, v1, { position: 1, phase: 'undo', state: 'COMPENSATING' });
    const fresh = await abandon(database, v2, { position: 2, phase: 'execute' });
    expect(await ended(fresh)).toMatchObject({ state: 'COMPENSATED' });
    expect(await effectsOf(database, fresh)).toEqual(['compensate new one', 'compensate new zero']);
    // Nobody knows version 1 yet: it is left alone, however long it has been due.
    await delay(600);
    expect(await stored(database, old)).toMatchObject({ state: 'RUNNING', position: 1, owner: 'dead', epoch: 1 });
    register(here, v1);
    expect(await ended(old)).toMatchObject({ state: 'COMPLETED' });
    expect(await effectsOf(database, old)).toEqual(['old two']);
    expect(await ended(oldBack)).toMatchObject({ state: 'COMPENSATED' });
    expect(await effectsOf(database, oldBack)).toEqual(['compensate old two', 'compensate old one']);
  });

  it('claims no more than it can drive', async () => {
    const small = await startTestApp({ SAGA_LEASE_MS: String(LEASE_MS), SAGA_MAX_IN_FLIGHT: '2' }, database);
    const { opened, open } = gate();
    const execute = calling(async (run) => {
      await opened;
      return run.data.id;
    });
    const definition = saga([step('one', { execute, timeoutMs: 60_000 })]);
    register(small, definition);
    const ids = await Promise.all(
      [1, 2, 3].map(() => abandon(database, definition, { position: 0, phase: 'execute' })),
    );
    const engine = small.app.get(SagaEngine);
    await eventually('two are driven', () => engine.activeRuns.length === 2);
    expect(engine.capacity).toBe(0);
    expect(() => start(small, definition)).toThrow(expect.objectContaining({ code: 'DEPENDENCY_UNAVAILABLE' }));
    open();
    await Promise.all(ids.map(ended));
    await small.close();
  });

  it('hands over at once what does not come to rest before the end', async () => {
    const leaving = await startTestApp({ SAGA_LEASE_MS: '180000', SHUTDOWN_GRACE_MS: '100' }, database);
    let calls = 0;
    const execute = calling(async (_, signal) => {
      calls += 1;
      if (calls === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return `call ${calls}`;
    });
    const definition = saga([step('one', { execute, timeoutMs: 2_000 })]);
    register(there, definition);
    const ticket = start(leaving, definition);
    await ticket.started;
    const rested = expect(ticket.rested).rejects.toBeInstanceOf(SagaHandedOverError);
    const since = performance.now();
    const closing = leaving.close();
    expect(await ended(ticket.run.id)).toMatchObject({ state: 'COMPLETED' });
    expect(performance.now() - since).toBeLessThan(60_000); // its own lease was three minutes
    await Promise.all([closing, rested]);
  });

  it('does not burn the attempts of a saga when it stops', async () => {
    const leaving = await startTestApp({ SAGA_LEASE_MS: '60000' }, database);
    let isUp = false;
    let calls = 0;
    const execute = calling(() => {
      calls += 1;
      return isUp ? Promise.resolve('yes') : Promise.reject(new Error('away'));
    });
    const retry = { maxAttempts: 5, baseMs: 30_000, capMs: 60_000 };
    const definition = saga([step('one', { execute, retry })]);
    const ticket = start(leaving, definition);
    await ticket.started;
    await eventually('a first attempt', () => calls === 1);
    const rested = expect(ticket.rested).rejects.toBeInstanceOf(SagaHandedOverError);
    await leaving.close();
    await rested;
    isUp = true;
    register(there, definition);
    expect(await ended(ticket.run.id)).toMatchObject({ state: 'COMPLETED', attempts: 1 });
    expect(calls).toBe(2);
  });

  it('leaves effects of one owner only', async () => {
    const [row] = await database.query<{ twice: number }>(
      `SELECT count(*)::int AS twice FROM (SELECT 1 FROM toy_effects GROUP BY saga_id, effect HAVING count(*) > 1) AS doubles`,
    );
    expect(row).toEqual({ twice: 0 });
  });
});
