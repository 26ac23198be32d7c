import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { TransactionRunner } from '../../../src/platform/postgres/transaction-runner.js';
import { WebhookDeliverer } from '../../../src/event-delivery/webhook-deliverer.service.js';
import { WebhookDeliveryRepository } from '../../../src/event-delivery/webhook-delivery.repository.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { eventually } from '../../setup/eventually.js';
import { Receiver, startReceiver } from './receiver.js';

const ACCEPTED = { status: 204, error: null };

describe('the deliveries about one subject', () => {
  let test: TestApp;
  let receiver: Receiver;
  let endpointId: string;
  beforeAll(async () => {
    receiver = await startReceiver();
    test = await startTestApp({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    const created = await test.api.post('/v1/webhook-endpoints', { url: receiver.url }, { key: 'admin' });
    endpointId = created.body.id as string;
  });
  afterAll(async () => {
    await test.close();
    await receiver.close();
  });

  /** `dueMs` of each: from now, or null for one that waits for those before it. */
  const chain = async (...dueMs: (number | null)[]) => {
    const subject = randomUUID();
    const ids = dueMs.map(() => randomUUID()).sort();
    for (const [index, due] of dueMs.entries()) {
      await test.database.query(
        `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, type, subject, body, next_attempt_at)
         VALUES ($1, $2, gen_random_uuid(), 'order.confirmed', $3::text, '{}', now() + $4::int * interval '1 millisecond')`,
        [ids[index], endpointId, subject, due],
      );
    }
    return ids;
  };
  const isDue = async (ids: readonly string[]) => {
    const rows = await test.database.query<{ id: string; due: boolean }>(
      `SELECT id, next_attempt_at IS NOT NULL AS due FROM webhook_deliveries WHERE id = ANY($1)`,
      [ids],
    );
    return ids.map((id) => rows.find((row) => row.id === id)!.due);
  };

  it('are not sent before their time, whoever asks', async () => {
    const [id] = await chain(60_000);
    const error: unknown = await test.app
      .get(WebhookDeliverer)
      .attempt(id!)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ delayMs: expect.any(Number) });
    expect((error as { delayMs: number }).delayMs).toBeGreaterThan(50_000);
    expect(receiver.messages).toEqual([]);
  });

  it('release the next that is open, also when two of them end together', async () => {
    // As after two replays: the first three are due, in the far future so that nobody else touches them.
    const ids = await chain(600_000, null, 600_000, null);
    const [first, second, third, fourth] = ids;
    const transactions = test.app.get(TransactionRunner);
    const deliveries = test.app.get(WebhookDeliveryRepository);
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const ending = transactions.run(async (tx) => {
      const next = await deliveries.end(tx, first!, 'DELIVERED', ACCEPTED);
      await held;
      return next;
    });
    await eventually('the first end is under way', () => isWaiting('idle in transaction'));
    const other = transactions.run((tx) => deliveries.end(tx, third!, 'DELIVERED', ACCEPTED));
    await eventually('the other one waits for it', () => isWaiting('active'));
    finish();
    expect(await ending).toBe(second);
    expect(await other).toBe(second);
    expect(await isDue(ids)).toEqual([false, true, false, false]);
    expect(await transactions.run((tx) => deliveries.end(tx, second!, 'DELIVERED', ACCEPTED))).toBe(fourth);
    expect(await isDue(ids)).toEqual([false, false, false, true]);
  });

  it('can be removed with their endpoint while they end', async () => {
    const other = await test.api.post('/v1/webhook-endpoints', { url: receiver.url }, { key: 'admin' });
    const ids = await chain(600_000, 600_000);
    await test.database.query(`UPDATE webhook_deliveries SET endpoint_id = $1 WHERE id = ANY($2)`, [
      other.body.id,
      ids,
    ]);
    const ending = new pg.Client({ connectionString: test.database.url });
    await ending.connect();
    // They are removed in order, so this transaction holds the second of them, and then wants the first.
    const touch = (id: string) => ending.query(`UPDATE webhook_deliveries SET attempts = 1 WHERE id = $1`, [id]);
    const [first, last] = ids;
    await ending.query(`BEGIN`);
    await ending.query(`SET LOCAL deadlock_timeout = '30s'`);
    await touch(last!);
    const removed = test.api.delete(`/v1/webhook-endpoints/${other.body.id}`, { key: 'admin' });
    await eventually('the removal waits', () => isWaiting('active'));
    await touch(first!);
    await ending.query(`COMMIT`);
    await ending.end();
    expect((await removed).status).toBe(204);
  });

  const isWaiting = async (state: string) => {
    const rows = await test.database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = $1
         AND query LIKE '%webhook_%' AND (state <> 'active' OR wait_event_type = 'Lock') AND pid <> pg_backend_pid()`,
      [state],
    );
    return rows.length > 0;
  };
});
