import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { TransactionRunner } from '../../../src/platform/postgres/transaction-runner.js';
import type { EventEnvelope } from '../../../src/platform/outbox/domain-event.js';
import { OutboxPurgeJob } from '../../../src/platform/outbox/outbox-purge.job.js';
import { OutboxRelayJob } from '../../../src/platform/outbox/outbox-relay.job.js';
import { OutboxRepository } from '../../../src/platform/outbox/outbox.repository.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { eventually } from '../../setup/eventually.js';

const INSERT = `WITH event AS (
    INSERT INTO outbox (id, type, subject, payload) VALUES (gen_random_uuid(), 'order.confirmed', $1, '{}') RETURNING position)
  INSERT INTO outbox_queue (positions) SELECT array_agg(position) FROM event`;

describe('the outbox relay', () => {
  let apps: TestApp[];
  const heard: EventEnvelope[] = [];
  beforeAll(async () => {
    const first = await startTestApp();
    apps = [first, await startTestApp({}, first.database)];
  });
  afterAll(async () => {
    for (const app of apps.reverse()) await app.close();
  });

  const database = () => apps[0]!.database;
  const append = (subjects: string[]) => {
    const transactions = apps[0]!.app.get(TransactionRunner);
    const events = subjects.map((subject) => ({ type: 'order.confirmed' as const, subject, payload: {} }));
    return transactions.run((tx) => {
      apps[0]!.app.get(OutboxRepository).append(tx, events);
      return Promise.resolve();
    });
  };
  const published = () =>
    eventually(
      'everything is published',
      () => database().query<{ open: number }>('SELECT count(*)::int AS open FROM outbox_queue'),
      { until: ([row]) => row!.open === 0 },
    );

  it('marks events while nobody listens', async () => {
    await append(Array.from({ length: 2_500 }, () => randomUUID()));
    await published();
  });

  it('hands every event to its sinks once, in order, whichever instance relays', async () => {
    for (const { app } of apps) {
      app.get(OutboxRelayJob).addSink({
        subscribe: () => Promise.resolve({ accept: (_, events) => keep(events), committed: () => undefined }),
      });
    }
    const subjects = Array.from({ length: 40 }, () => randomUUID());
    for (let round = 0; round < 20; round += 1) await append(subjects);
    await published();
    expect(heard).toHaveLength(800);
    expect(new Set(heard.map(({ id }) => id)).size).toBe(800);
    for (const subject of subjects) {
      const stored = await database().query('SELECT id FROM outbox WHERE subject = $1 ORDER BY position', [subject]);
      expect(heard.filter((event) => event.subject === subject).map(({ id }) => id)).toEqual(
        stored.map((row) => row['id']),
      );
    }
  });

  it('does not pass over the event of a slow transaction', async () => {
    const slow = new pg.Client({ connectionString: database().url });
    await slow.connect();
    const [early, late] = [randomUUID(), randomUUID()];
    await slow.query('BEGIN');
    await slow.query(INSERT, [early]);
    await append([late]);
    await eventually('the late event', () => heard, {
      until: (events) => events.some(({ subject }) => subject === late),
    });
    await slow.query('COMMIT');
    await slow.end();
    await eventually('the early event', () => heard, {
      until: (events) => events.some(({ subject }) => subject === early),
    });
  });

  it('delivers again what a failed batch had taken', async () => {
    let failures = 2;
    for (const { app } of apps) {
      app.get(OutboxRelayJob).addSink({
        subscribe: () => {
          failures -= 1;
          return failures >= 0 ? Promise.reject(new Error('not now')) : Promise.resolve(undefined);
        },
      });
    }
    const subject = randomUUID();
    await append([subject]);
    await published();
    expect(failures).toBeLessThan(0);
    expect(heard.filter((event) => event.subject === subject)).toHaveLength(1);
  });

  it('purges what is published and old, and nothing else', async () => {
    const [old, recent] = [randomUUID(), randomUUID()];
    await append([old, recent]);
    await published();
    await database().query(`UPDATE outbox SET created_at = now() - interval '8 days' WHERE subject = $1`, [old]);
    await apps[0]!.app.get(OutboxPurgeJob).run();
    const left = await database().query('SELECT subject FROM outbox WHERE subject = ANY($1)', [[old, recent]]);
    expect(left.map((row) => row['subject'])).toEqual([recent]);
  });

  async function keep(events: readonly EventEnvelope[]): Promise<void> {
    heard.push(...events);
    await Promise.resolve();
  }
});
