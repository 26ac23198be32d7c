import { createPostgresBackend, type Job, Queue, withBackend, Worker, type WorkerOptions } from 'bullmq';
import { within } from '../common/deadline.js';
import { createRedis, type RedisClient, redisOptions } from '../platform/redis/redis-client.js';
import { explain, explained } from '../platform/redis/redis-errors.js';
import { type DeliveryProcessor, PostponedError } from './delivery-processor.js';
import { pauseAfterErrors, type PausableWorker } from './worker-pauses.js';
import { openQueuePools } from './postgres-queue-pools.js';

/**
 * A job's id is its delivery's id, so that adding it twice adds one job. The delivery's row is the truth: a lost job is
 * added again.
 */
export interface DeliveryQueue {
  add(deliveryIds: readonly string[]): Promise<void>;
  /** Moves a waiting job to now. */
  hurry(deliveryId: string): Promise<void>;
  close(): Promise<void>;
}

export interface QueueSettings {
  readonly redisUrl: string | undefined;
  readonly redisTimeoutMs: number;
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly onError: (error: unknown) => void;
}

const NAME = 'webhook-deliveries';
const CONCURRENCY = 40;
/** BullMQ's own limits never apply: the row counts the attempts. */
const JOB = { attempts: 10_000, backoff: { type: 'custom' }, removeOnComplete: true, removeOnFail: true };
/**
 * A job of a dead worker is picked up within four seconds: its lock has to expire, and two checks in a row have to find
 * it. A busy process would lose a shorter lock, and its deliveries would be sent twice.
 */
const WORKER = {
  // A worker that is started before it is ready, and never becomes ready, asks for jobs in an endless loop of
  // microtasks that blocks the process.
  autorun: false,
  concurrency: CONCURRENCY,
  lockDuration: 3_000,
  stalledInterval: 1_000,
  maxStalledCount: 10_000,
  settings: { backoffStrategy: (_: number, __?: string, error?: Error) => delayAfter(error) },
} as const satisfies Partial<WorkerOptions>;
const RETRY_AFTER_FAILURE_MS = 5_000;
/** A store that accepts the connection and then stays silent must not block the sweep. */
const READY_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * On Redis if it is configured, else in PostgreSQL, in its own schema. A queue that could not be opened is closed
 * completely.
 */
export async function openDeliveryQueue(settings: QueueSettings, process: DeliveryProcessor): Promise<DeliveryQueue> {
  const processor = (job: Job) => process(job.id ?? '');
  const opened = settings.redisUrl
    ? await openOnRedis(settings.redisUrl, settings, processor)
    : await openOnPostgres(settings, processor);
  const { queue, worker } = opened;
  let isOpen = false; // before that, the rejection reports it
  const onError = (error: Error) => {
    if (isOpen) settings.onError(opened.explain(error));
  };
  queue.on('error', onError);
  worker.on('error', onError);
  try {
    await within(READY_TIMEOUT_MS, Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]), noAnswer);
  } catch (error) {
    await closeQueue(opened, true);
    throw opened.explain(error);
  }
  isOpen = true;
  const pauses = pauseAfterErrors(worker);
  worker.run().catch(onError);
  return {
    add: async (ids) => {
      await queue.addBulk(ids.map((id) => ({ name: 'deliver', data: {}, opts: { ...JOB, jobId: id } })));
    },
    hurry: async (id) => {
      const job = await queue.getJob(id);
      if (job && (await job.isDelayed())) await job.promote();
      else await queue.add('deliver', {}, { ...JOB, jobId: id });
    },
    close: async () => {
      pauses.stop();
      await closeQueue(opened, false);
    },
  };
}

/** The part of both back ends that we use. */
interface Opened {
  readonly queue: {
    add(name: string, data: object, options: JobOptions): Promise<unknown>;
    addBulk(jobs: { name: string; data: object; opts: JobOptions }[]): Promise<unknown>;
    getJob(id: string): Promise<{ isDelayed(): Promise<boolean>; promote(): Promise<void> } | undefined>;
    waitUntilReady(): Promise<unknown>;
    on(event: 'error', listener: (error: Error) => void): unknown;
    close(): Promise<void>;
  };
  readonly worker: PausableWorker & {
    waitUntilReady(): Promise<unknown>;
    run(): Promise<void>;
    close(force?: boolean): Promise<void>;
  };
  explain(error: unknown): unknown;
  disconnect(): void;
}
type JobOptions = typeof JOB & { readonly jobId: string };

/**
 * The producer fails at once while Redis is away (the sweep adds the job later); the worker waits for Redis, as BullMQ
 * demands.
 */
async function openOnRedis(
  url: string,
  settings: QueueSettings,
  processor: (job: Job) => Promise<void>,
): Promise<Opened> {
  const base = redisOptions(settings.redisTimeoutMs);
  const producer = createRedis(url, { ...base, enableAutoPipelining: false });
  await connected(producer);
  const { retryStrategy, connectTimeout } = base;
  const consumer = createRedis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    ...(retryStrategy && { retryStrategy }),
    ...(connectTimeout !== undefined && { connectTimeout }),
  });
  const prefix = `{checkout-${settings.namespace}}`;
  return {
    queue: new Queue<object>(NAME, { connection: producer, prefix }),
    worker: new Worker(NAME, processor, { ...WORKER, connection: consumer, prefix }),
    explain: (error) => explain(producer, error),
    disconnect: () => {
      producer.disconnect();
      consumer.disconnect();
    },
  };
}

/** BullMQ's producer gives up for good if its first command fails, so it gets a connection that already works. */
async function connected(redis: RedisClient): Promise<void> {
  try {
    await explained(redis, redis.connect());
  } catch (error) {
    redis.disconnect();
    throw error;
  }
}

async function openOnPostgres({ databaseUrl }: QueueSettings, processor: (job: Job) => Promise<void>): Promise<Opened> {
  const pools = await openQueuePools(databaseUrl);
  return {
    queue: new PostgresQueue<object>(NAME, { connection: pools.producer }),
    worker: new PostgresWorker(NAME, processor, { ...WORKER, connection: pools.consumer }),
    explain: (error) => error,
    disconnect: () => void pools.close().catch(() => undefined),
  };
}

function delayAfter(error: Error | undefined): number {
  return error instanceof PostponedError ? error.delayMs : RETRY_AFTER_FAILURE_MS;
}

const { Queue: PostgresQueue, Worker: PostgresWorker } = withBackend(createPostgresBackend);

/** A hanging store must not block the shutdown: another worker picks up an unfinished job. */
async function closeQueue(opened: Opened, isForced: boolean): Promise<void> {
  await within(CLOSE_TIMEOUT_MS, opened.worker.close(isForced)).catch(() => undefined);
  await within(CLOSE_TIMEOUT_MS, opened.queue.close()).catch(() => undefined);
  opened.disconnect();
}

function noAnswer(): Error {
  return new Error(`the store of the webhook queue did not answer within ${READY_TIMEOUT_MS} ms`);
}
