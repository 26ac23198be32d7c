import type { StripeServer } from '../../payment/stripe-server.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import type { TestDatabase } from '../../setup/test-database.js';

export const HOUR_MS = 3_600_000;

/** The service on the local Stripe, with pauses between attempts that a test can wait for. */
export function startOnStripe(
  server: StripeServer,
  env: Readonly<Record<string, string>> = {},
  shared?: TestDatabase,
): Promise<TestApp> {
  return startTestApp({ ...stripeEnv(server), ...env }, shared);
}

export function stripeEnv(server: StripeServer): Record<string, string> {
  return {
    PAYMENT_GATEWAY: 'stripe',
    STRIPE_SECRET_KEY: server.secretKey,
    STRIPE_WEBHOOK_SECRET: server.webhookSecret,
    STRIPE_API_BASE: server.url,
    STRIPE_RETURN_URL: 'https://shop.example/return',
    GATEWAY_TIMEOUT_MS: '2000',
    SAGA_LEASE_MS: '1000',
    SAGA_BACKOFF_FACTOR: '0.01',
    RECONCILE_SECONDS: '3600',
  };
}

/** Lets time pass: everything in Stripe's books and in ours gets that much older. */
export async function passTime(database: TestDatabase, server: StripeServer, ms: number): Promise<void> {
  server.passTime(ms);
  const ago = `$1 * interval '1 millisecond'`;
  for (const table of ['orders', 'payments', 'refunds', 'stray_charges'])
    await database.query(`UPDATE ${table} SET created_at = created_at - ${ago}, updated_at = updated_at - ${ago}`, [
      ms,
    ]);
  await database.query(`UPDATE payments SET authorized_until = authorized_until - ${ago}`, [ms]);
  await database.query(
    `UPDATE sagas SET created_at = created_at - ${ago}, due_at = due_at - ${ago},
       changes = CASE WHEN changes ->> 'actionDeadline' IS NULL THEN changes
         ELSE jsonb_set(changes::jsonb, '{actionDeadline}', to_jsonb((changes ->> 'actionDeadline')::int8 - $1))::json END`,
    [ms],
  );
}

/**
 * As if the process had died in the call: the intent is stored, and nobody has learnt what the provider made of it. Its saga
 * is taken over when its time comes.
 */
export async function loseAnswer(database: TestDatabase, orderId: string, dueInMs: number): Promise<void> {
  await database.query(
    `UPDATE reservations SET pinned_by = saga_id FROM orders WHERE orders.id = $1 AND order_id = $1 AND reservations.state = 'HELD'`,
    [orderId],
  );
  await database.query(
    `UPDATE payments SET state = 'PENDING', transaction_id = NULL, next_action = NULL WHERE order_id = $1`,
    [orderId],
  );
  await database.query(
    `UPDATE sagas SET state = 'RUNNING', due_at = now() + $2 * interval '1 millisecond', owner = NULL, epoch = epoch + 1, changes = (changes::jsonb - 'charge' - 'actionDeadline')::json
     WHERE subject = $1 AND state = 'WAITING'`,
    [orderId, dueInMs],
  );
}
