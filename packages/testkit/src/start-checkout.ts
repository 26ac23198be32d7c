import { type Client, createClient, createStorefront, type Storefront } from '@checkout-saga/client';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Faults, faultsOf } from './faults.js';
import { type ServiceProcess, startService } from './service-process.js';
import { type DeliveredEvent, startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

export interface StartOptions {
  /** Settings of the service, such as `RESERVATION_TTL_SECONDS`, in place of the kit's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A running service and what a test needs to play with it. */
export interface Checkout {
  readonly url: string;
  readonly adminKey: string;
  readonly storefrontKey: string;
  readonly admin: Client;
  readonly storefront: Storefront;
  /** What the payment provider does wrong. */
  readonly faults: Faults;
  /** Everything is as after the start: for `beforeEach`. */
  reset(): Promise<void>;
  /** Ends a hold, as if its time were over. */
  expireHold(reservationId: string): Promise<void>;
  /** The domain events that were delivered as webhooks, with a good signature, in order of arrival. */
  deliveredEvents(): DeliveredEvent[];
  /** The first event that fits, as soon as it was delivered. */
  deliveredEvent(isWanted: (event: DeliveredEvent) => boolean, withinMs?: number): Promise<DeliveredEvent>;
  /** What the service has written: for a test that fails. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

const POLL_MS = 25;

/** Real in everything but the money: PostgreSQL in a folder of its own, the sandbox as the payment provider. */
export async function startCheckout({ env = {} }: StartOptions = {}): Promise<Checkout> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'checkout-testkit-'));
  chmodSync(dataDir, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  const adminKey = randomBytes(16).toString('hex');
  const storefrontKey = randomBytes(16).toString('hex');
  const receiver = await startWebhookReceiver();
  let service: ServiceProcess | undefined;
  const stop = async () => {
    await service?.stop();
    await receiver.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const keys = { ADMIN_API_KEY: adminKey, STOREFRONT_API_KEY: storefrontKey };
    service = await startService({ ...settingsOf(dataDir), ...keys, ...env, ...allowing(receiver, env) });
    const { url, output } = service;
    const admin = createClient({ url, apiKey: adminKey });
    await register(admin, receiver);
    return {
      ...controls(admin, receiver),
      url,
      adminKey,
      storefrontKey,
      admin,
      storefront: createStorefront({ url, apiKey: storefrontKey }),
      output,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Short pauses, so that what fails and is retried ends soon; a customer who authenticates does so by the test. */
function settingsOf(dataDir: string): Record<string, string> {
  return {
    NODE_ENV: 'test',
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
    RATE_LIMIT: 'off',
    SAGA_BACKOFF_FACTOR: '0.1',
    SANDBOX_AUTHENTICATION_MS: '0',
    WEBHOOK_RETRY_BASE_MS: '100',
  };
}

/** The kit's endpoint beside those that the test allows. */
function allowing({ host }: WebhookReceiver, env: Readonly<Record<string, string>>): Record<string, string> {
  const hosts = [env['WEBHOOK_ALLOWED_HOSTS'], host].filter((one) => one !== undefined);
  return { WEBHOOK_ALLOWED_HOSTS: hosts.join(',') };
}

async function register(admin: Client, receiver: WebhookReceiver): Promise<void> {
  const { secret } = await admin.createWebhookEndpoint({ url: receiver.url });
  receiver.expect(secret);
}

function controls(
  admin: Client,
  receiver: WebhookReceiver,
): Pick<Checkout, 'faults' | 'reset' | 'expireHold' | 'deliveredEvents' | 'deliveredEvent'> {
  return {
    faults: faultsOf(admin),
    reset: async () => {
      await admin.resetSandbox();
      await register(admin, receiver);
    },
    expireHold: async (reservationId) => {
      await admin.expireReservation({ reservationId });
    },
    deliveredEvents: () => receiver.delivered(),
    deliveredEvent: async (isWanted, withinMs = 30_000) => {
      for (const deadline = Date.now() + withinMs; ;) {
        const event = receiver.delivered().find(isWanted);
        if (event) return event;
        if (Date.now() > deadline) throw new Error('The event was not delivered in time');
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
  };
}
