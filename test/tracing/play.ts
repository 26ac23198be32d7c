import { randomUUID } from 'node:crypto';
import { type Receiver, startReceiver } from '../integration/events/receiver.js';
import type { ApiResponse } from '../setup/api-client.js';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { type CollectedSpan, type Collector, newTraceparent } from '../setup/otlp-collector.js';
import { setFaults } from '../setup/outages.js';
import { basket, newSku } from '../setup/shop.js';
import { openDatabase, type OpenTestDatabase } from '../setup/test-database.js';

export interface Play {
  readonly traceId: string;
  /** The storefront's own span: from the click to the answer, over both requests. */
  readonly storefront: CollectedSpan;
  readonly spans: readonly CollectedSpan[];
  readonly killedAt: number;
  readonly answer: ApiResponse;
  readonly receiver: Receiver;
  /** What the instance that took over has logged. */
  readonly log: () => string;
}

/** The provider's own ledger. */
const DECLINED = `SELECT FROM sandbox.charges WHERE state = 'DECLINED'`;
/** As the service asks for, while the first request is in progress. */
const RETRY_AFTER_MS = 1_000;

/** All that has to be there before the trace is complete. */
const LAST = ['saga checkout', 'takeover', 'compensate create-order', 'webhook order.rejected'];

/**
 * A checkout whose instance is killed while it waits for the provider, which has declined; another instance takes it over and
 * rejects the order, and the client, which asks again with its key and in its trace, learns so.
 */
export async function declinedAfterTakeover(databaseUrl: string, collector: Collector): Promise<Play> {
  const receiver = await startReceiver();
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startAppProcess({
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: '6',
      SAGA_LEASE_MS: '3000',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      WEBHOOK_ALLOWED_HOSTS: receiver.host,
      ...more,
    });
  const database = openDatabase(databaseUrl);
  const survivor = await start();
  const victim = await start({ GATEWAY_TIMEOUT_MS: '60000' });
  try {
    await survivor.api.post('/v1/webhook-endpoints', { url: receiver.url, events: ['*'] }, { key: 'admin' });
    return await play({ survivor, victim, collector, receiver, database });
  } finally {
    await Promise.all([survivor.stop('SIGKILL'), victim.stop('SIGKILL'), receiver.close(), database.close()]);
  }
}

interface Stage {
  readonly survivor: AppProcess;
  readonly victim: AppProcess;
  readonly collector: Collector;
  readonly receiver: Receiver;
  readonly database: OpenTestDatabase;
}

async function play({ survivor, victim, collector, receiver, database }: Stage): Promise<Play> {
  const sku = await newSku(survivor.api);
  await setFaults(survivor.api, { next: [{ operation: 'charge', effect: 'timeout-after' }] });
  const { traceId, spanId, traceparent } = newTraceparent();
  const idempotencyKey = randomUUID();
  const body = basket(sku, { payment: { method: 'pm_card_chargeDeclined' } });
  const ask = ({ api }: AppProcess) =>
    api.post('/v1/checkouts', body, { idempotencyKey, headers: { traceparent, prefer: 'wait=25' } });

  const from = Date.now();
  const lost = ask(victim).catch(() => undefined);
  await collector.until(traceId, ['intake', 'commit', 'step process-payment']);
  await eventually('the provider has declined', async () => (await database.query(DECLINED)).length > 0);
  const killedAt = Date.now();
  await victim.stop('SIGKILL');
  await lost;
  const answer = await eventually('the outcome', () => ask(survivor), {
    until: ({ status }) => status === 402,
    everyMs: RETRY_AFTER_MS,
  });
  const to = Date.now();
  await collector.until(traceId, LAST);
  const spans = await eventually('the span of the answer', () => collector.of(traceId), {
    until: (found) => found.some(({ attributes }) => attributes['http.response.status_code'] === 402),
  });
  const root = { traceId, spanId, name: 'buy', kind: 3, from, to, attributes: {}, links: [], isError: false };
  return {
    ...{ traceId, spans, killedAt, answer, receiver },
    storefront: { ...root, instance: 'storefront' },
    log: survivor.output,
  };
}
