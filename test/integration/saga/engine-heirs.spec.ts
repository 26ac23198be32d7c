import { LockService } from '../../../src/lock/lock.service.js';
import type { SagaDefinition } from '../../../src/saga/saga-definition.js';
import { SagaHandedOverError } from '../../../src/saga/saga.errors.js';
import { eventually } from '../../setup/eventually.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import { gate } from '../../setup/timing.js';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.js';
import {
  abandon,
  calling,
  createToyTable,
  effectsOf,
  QUICK,
  register,
  saga,
  start,
  step,
  stored,
  type Toy,
} from './toy-sagas.js';

/** Longer than the test waits for anything: whoever waits for it has failed. */
const TERMS = { leaseMs: 180_000, waitMs: 300 };
const locks = { keys: ({ id }: Toy) => [`toy:own:${id}`], terms: TERMS };
/** Tried for so long that only a lock that stays held makes it fail. */
const retry = { maxAttempts: 200, baseMs: 20, capMs: 200 };

describe('the locks of a saga that is taken over', () => {
  let database: TestDatabase;
  let here: TestApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    await createToyTable(database);
    here = await startTestApp({ SAGA_LEASE_MS: '4000' }, database);
  });
  afterAll(async () => {
    await here.close();
    await database.drop();
  });

  const lockedBy = (process: string, keys: readonly string[]) =>
    database.query(
      `INSERT INTO lock_leases (key, owner, token, acquired_at, expires_at)
       SELECT key, $1, (extract(epoch FROM now()) * 1000000)::bigint, now(), now() + interval '180 seconds' FROM unnest($2::text[]) AS key`,
      [`${process}.1`, keys],
    );
  const holderOf = async (key: string) => {
    const [row] = await database.query<{ owner: string }>(`SELECT owner FROM lock_leases WHERE key = $1`, [key]);
    return row?.owner;
  };
  /** A saga that the named processes drove, newest first, as the last of them left it. */
  const abandonedBy = async (owners: string, definition: SagaDefinition<Toy>) => {
    const id = await abandon(database, definition, { position: 0, phase: 'call' });
    await database.query(`UPDATE sagas SET owner = $2 WHERE id = $1`, [id, owners]);
    return id;
  };
  const ended = (id: string) =>
    eventually(`${id} ends`, async () => {
      const row = await stored(database, id);
      return row?.phase === 'end' && row;
    });

  it('are taken over from the owner before, and from those before it that came to nothing', async () => {
    const definition = saga([step('one', { execute: calling(() => Promise.resolve('yes'), { locks, retry }) })]);
    const ids = await Promise.all(
      ['killed', 'younger killed', 'killed killed2 killed3'].map((owners) => abandonedBy(owners, definition)),
    );
    await lockedBy(
      'killed',
      ids.map((id) => `toy:own:${id}`),
    );
    register(here, definition);
    for (const id of ids) expect(await ended(id)).toMatchObject({ state: 'COMPLETED', owner: null, attempts: 0 });
  });

  it('stay with a process that never owned the saga', async () => {
    const definition = saga([step('one', { execute: calling(() => Promise.resolve('yes'), { locks, retry: QUICK }) })]);
    const [mine, foreign] = [await abandonedBy('killed', definition), await abandonedBy('other', definition)];
    await lockedBy(
      'killed',
      [mine, foreign].map((id) => `toy:own:${id}`),
    );
    register(here, definition);
    expect(await ended(mine)).toMatchObject({ state: 'COMPLETED' });
    expect(await ended(foreign)).toMatchObject({ state: 'COMPENSATED' });
    expect(await holderOf(`toy:own:${foreign}`)).toBe('killed.1');
  });

  it('are named by a claim until the first save, so that a chain of deaths loses none', async () => {
    const { opened, open } = gate();
    const execute = calling(() => opened.then(() => 'yes'), { locks, retry });
    const definition = saga([step('one', { execute })]);
    const id = await abandonedBy('second first', definition);
    register(here, definition);
    const claimed = await eventually('it is claimed', async () => {
      const row = await stored(database, id);
      return row?.epoch === 2 ? row : undefined;
    });
    expect(claimed.owner).toMatch(/^[0-9a-f]{12} second first$/);
    const { body } = await here.api.get(`/v1/sagas/${id}`, { key: 'admin' });
    expect(body.owner).toBe(claimed.owner!.split(' ')[0]);
    const list = await here.api.get('/v1/sagas?state=RUNNING', { key: 'admin' });
    expect(list.body.items.find((item: { id: string }) => item.id === id).owner).toBe(body.owner);
    open();
    await ended(id);
  });

  it('are taken over after a hand-over, too', async () => {
    const leaving = await startTestApp({ SAGA_LEASE_MS: '60000', SHUTDOWN_GRACE_MS: '50' }, database);
    let calls = 0;
    const execute = calling(
      async (_, signal) => {
        calls += 1;
        if (calls === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return `call ${calls}`;
      },
      { locks, retry: { maxAttempts: 2, baseMs: 1, capMs: 1 } },
    );
    const definition = saga([step('one', { execute, timeoutMs: 60_000 })]);
    const ticket = start(leaving, definition);
    await ticket.started;
    await eventually('the call', () => calls === 1);
    const rested = expect(ticket.rested).rejects.toBeInstanceOf(SagaHandedOverError);
    register(here, definition);
    await Promise.all([leaving.close(), rested]);
    expect(await ended(ticket.run.id)).toMatchObject({ state: 'COMPLETED', attempts: 0 });
    expect(calls).toBe(2);
  });

  it('are waited for where an operator turns a saga back in the middle of its call', async () => {
    const { opened, open } = gate();
    let isCalling = false;
    const execute = calling(
      async () => {
        isCalling = true;
        await opened;
        isCalling = false;
        return 'yes';
      },
      { locks, retry },
    );
    const seen: boolean[] = [];
    const compensate = calling(
      () => {
        seen.push(isCalling);
        return Promise.resolve('undone');
      },
      { locks, retry },
    );
    const definition = saga([step('one', { execute, compensate, timeoutMs: 60_000 })]);
    const there = await startTestApp({ SAGA_LEASE_MS: '60000' }, database);
    const ticket = start(there, definition);
    ticket.rested.catch(() => undefined);
    await eventually('the call', () => isCalling);
    const { id } = ticket.run;
    register(here, definition);
    const answer = await here.api.post(`/v1/sagas/${id}/compensate`, { reason: 'test' }, { key: 'admin' });
    expect(answer.status).toBe(200);
    await eventually('the way back has met the lock', async () => {
      const row = await stored(database, id);
      return row?.phase === 'undo-call' && row.attempts > 0;
    });
    expect(seen).toEqual([]);
    open();
    expect(await ended(id)).toMatchObject({ state: 'COMPENSATED' });
    expect(seen).toEqual([false]);
    expect(await effectsOf(database, id)).toEqual(['answer undone']);
    await there.close();
  });

  it('are given back when the application stops, while the store can still be reached', async () => {
    const leaving = await startTestApp({}, database);
    let isHeld = false;
    const working = leaving.app.get(LockService).withLock(['toy:leaving'], TERMS, async (lease) => {
      isHeld = true;
      await new Promise((resolve) => lease.signal.addEventListener('abort', resolve));
    });
    await eventually('it is held', () => isHeld);
    await leaving.close();
    expect(await holderOf('toy:leaving')).toBe('-');
    await working;
  });
});
