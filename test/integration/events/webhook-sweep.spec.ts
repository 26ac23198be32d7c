import { requiredEnv } from '../../setup/test-database.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { runningMs, smallest } from '../../setup/timing.js';
import { Receiver, startReceiver } from './receiver.js';

const admin = { key: 'admin' } as const;

describe('the sweep for deliveries whose job is lost', () => {
  let test: TestApp;
  const receivers: Receiver[] = [];
  beforeAll(async () => {
    test = await startTestApp({
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      WEBHOOK_TIMEOUT_MS: '30000',
      REDIS_URL: requiredEnv('TEST_REDIS_URL'),
    });
  });
  afterAll(async () => {
    await test.close();
    for (const receiver of receivers) await receiver.close();
  });

  const register = async () => {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const { body } = await test.api.post('/v1/webhook-endpoints', { url: receiver.url }, admin);
    return { id: body.id as string, receiver };
  };
  /** As a crash leaves them between the commit and the queue. */
  const lose = (endpointId: string, count: number, dueSecondsAgo: number) =>
    test.database.query(
      `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, type, subject, body, next_attempt_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 'order.confirmed', gen_random_uuid(), '{}', now() - $3 * interval '1 second'
       FROM generate_series(1, $2)`,
      [endpointId, count, dueSecondsAgo],
    );

  it('is not held up by the crowd that waits for an endpoint which does not answer', async () => {
    const [silent, quick] = [await register(), await register()];
    silent.receiver.respond = () => undefined;
    await lose(silent.id, 1_200, 60);
    await silent.receiver.until((messages) => messages.length > 0);
    await lose(quick.id, 3, 30);
    await quick.receiver.until((messages) => messages.length === 3);
  });

  it('finds within seconds what falls due behind it', async () => {
    const { id, receiver } = await register();
    const measure = async (attempt: number) => {
      const lostAt = runningMs();
      await lose(id, 1, 0);
      await receiver.until((messages) => messages.length === attempt + 1);
      return runningMs() - lostAt;
    };
    expect(await smallest(5_000, measure)).toBeLessThan(5_000);
  });
});
