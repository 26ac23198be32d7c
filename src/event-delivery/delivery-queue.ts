import { createPostgresBackend, type Job, Queue, withBackend, Worker, type WorkerOptions } from 'bullmq';
import { within } from '../common/deadline.js';
import { createRedis, type RedisClient, redisOptions } from '../platform/redis/redis-client.js';
import { explain, explained } from '../platform/redis/redis-errors.js';
import { type DeliveryProcessor, PostponedError } from './delivery-processor.js';
import { pauseAfterErrors, type PausableWorker } from './worker-pauses.js';
import { openQueuePools } from './postgres-queue-pools.js';

/** Jobs are named by their delivery, so that adding one twice is adding it once. The delivery's row is the truth: a job that is lost is added again. */
export interface DeliveryQueue {
  add(deliveryIds: readonly string[]): Promise<void>;
  /** Now rather than at the time it waits for. */
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
/** BullMQ's own limits never decide: the row counts the attempts. */
const JOB = { attempts: 10_000, backoff: { type: 'custom' }, removeOnComplete: true, removeOnFail: true };
/**
 * What died with its worker is picked up within four seconds: its lock has to run out, and two looks in a row have to
 * find it. A shorter lock would be lost by a process that is merely busy, and what it delivers would come twice.
 */
const WORKER = {
  // A worker that runs before it is ready, and then never is, asks for jobs in an endless loop of microtasks: nothing else in the process runs again.
  autorun: false,
  concurrency: CONCURRENCY,
  lockDuration: 3_000,
  stalledInterval: 1_000,
  maxStalledCount: 10_000,
  settings: { backoffStrategy: (_: number, __?: string, error?: Error) => delayAfter(error) },
} as const satisfies Partial<WorkerOptions>;
const RETRY_AFTER_FAILURE_MS = 5_000;
/** A store that accepts the connection and then says nothing must not keep the sweep waiting. */
const READY_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 3_000;

/** On Redis where there is one, else in PostgreSQL, in a schema of its own. Nothing is left of a queue that could not be opened. */
export async function openDeliveryQueue(settings: QueueSettings, process: DeliveryProcessor): Promise<DeliveryQueue> {
  const processor = (job: Job) => process(job.id ?? '');
  const opened = settings.redisUrl
    ? await openOnRedis(settings.redisUrl, settings, processor)
    : await openOnPostgres(settings, processor);
  const { queue, worker } = opened;
  let isOpen = false; // until then whoever opens it is told by the rejection
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

/** What both back ends have in common, as far as we use it. */
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

/** The producer fails at once while Redis is away (the sweep comes back to it); the worker waits for it, as BullMQ demands. */
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

/** BullMQ's producer gives up for good if its first command fails, so it gets a connection that works, or none yet. */
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

/** A store that hangs must not hang the shutdown: an unfinished job is picked up by another worker. */
async function closeQueue(opened: Opened, isForced: boolean): Promise<void> {
  await within(CLOSE_TIMEOUT_MS, opened.worker.close(isForced)).catch(() => undefined);
  await within(CLOSE_TIMEOUT_MS, opened.queue.close()).catch(() => undefined);
  opened.disconnect();
}

function noAnswer(): Error {
  return new Error(`the store of the webhook queue did not answer within ${READY_TIMEOUT_MS} ms`);
}
