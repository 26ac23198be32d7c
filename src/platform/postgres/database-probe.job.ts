import { Inject, Injectable, Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../common/error-message.js';
import { RELEASE } from '../config/release.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { Loops } from '../loops/loops.js';
import { BoundedClient } from './bounded-client.js';
import { DatabaseAvailability, DatabaseAwayError } from './database-availability.js';
import { ConnectionTracker } from './connection-tracker.js';
import type { InstanceState } from './instance.entity.js';
import { applySettingsOf } from './session-settings.js';
import { TransactionRunner } from './transaction-runner.js';

/** An instance that writes nothing else writes its heartbeat this often. */
const EVERY_MS = 2_000;
const RETRY_MS = 500;
/** For connecting and for writing the heartbeat: longer than a commit takes on an overloaded machine. */
const PATIENCE_MS = 3_000;
/** After an outage, earlier requests have this long to be answered after all. */
const LATE_ANSWER_MS = 250;

const HEARTBEAT = `
  INSERT INTO instances (id, host, pid, release, state, started_at, seen_at) VALUES ($1, $2, $3, $4, $5, now(), now())
  ON CONFLICT (id) DO UPDATE SET state = excluded.state, seen_at = excluded.seen_at`;
/** Also deletes rows of instances that were killed. */
const FORGET = `DELETE FROM instances WHERE id = $1 OR seen_at < now() - interval '1 day'`;

/**
 * Writes a heartbeat on its own connection, so that a full pool cannot delay it. The heartbeat is a commit: a standby
 * refuses it, and with a silent synchronous standby it does not return, where a SELECT would succeed.
 */
@Injectable()
export class DatabaseProbe implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(DatabaseProbe.name);
  private readonly connections: ConnectionTracker;
  private readonly loop;
  private client: BoundedClient | undefined;
  private heartbeatAt = Number.NEGATIVE_INFINITY;
  private state: InstanceState = 'READY';
  private outageBeganAt: number | undefined;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly availability: DatabaseAvailability,
    private readonly transactions: TransactionRunner,
    loops: Loops,
  ) {
    this.connections = new ConnectionTracker(transactions.pool);
    availability.whenInDoubt(() => this.loop.wake());
    this.loop = loops.create({
      name: 'database-probe',
      pace: { minMs: RETRY_MS, maxMs: EVERY_MS },
      isVital: true,
      round: () => this.probe(),
      onError: (error) => this.logger.warn(`the database probe failed: ${messageOf(error)}`),
    });
  }

  async onModuleInit(): Promise<void> {
    await this.probe();
    this.loop.start();
  }

  /** Removes the instance's row, which would otherwise look like a lost instance. */
  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.connected()
      .then((client) => client.query(FORGET, [this.config.instanceId]))
      .catch(() => undefined);
    this.disconnect();
  }

  /** The state that other instances see from the next heartbeat on. */
  describeAs(state: InstanceState): void {
    if (state === this.state) return;
    this.state = state;
    this.heartbeatAt = Number.NEGATIVE_INFINITY;
    this.loop.wake();
  }

  private async probe(): Promise<number> {
    const { doubts, isInDoubt, problem, silentMs } = this.availability;
    const isConfirmed = problem === undefined && !isInDoubt && silentMs < EVERY_MS;
    const now = performance.now();
    if (isConfirmed && now - this.heartbeatAt < 2 * EVERY_MS) return EVERY_MS;
    try {
      const client = await this.connected();
      const { instanceId } = this.config;
      await client.query(HEARTBEAT, [instanceId, hostname(), process.pid, RELEASE, this.state]);
      this.heartbeatAt = now;
      this.availability.settle(doubts);
      this.noteSuccess();
      return EVERY_MS;
    } catch (error) {
      this.disconnect();
      if (this.availability.silentMs > performance.now() - now) this.noteFailure(error);
      return RETRY_MS;
    }
  }

  private async connected(): Promise<BoundedClient> {
    if (this.client) return this.client;
    const client = new BoundedClient({
      ...this.transactions.pool.options,
      connectionTimeoutMillis: PATIENCE_MS,
      deadlineMs: PATIENCE_MS,
    });
    client.on('error', () => {
      if (this.client !== client) return;
      this.client = undefined;
      this.availability.noteDoubt();
    });
    this.client = client;
    await client.connect();
    await applySettingsOf(this.transactions.pool, client);
    return client;
  }

  private disconnect(): void {
    this.client?.destroy(new DatabaseAwayError('the probe reconnects'));
    this.client = undefined;
  }

  private noteFailure(error: unknown): void {
    const wasRefusing = this.availability.isRefusing;
    const isRefusing = this.availability.noteFailure(messageOf(error));
    if (wasRefusing || !isRefusing) return;
    this.outageBeganAt = performance.now();
    this.logger.error(`the database takes no writes, requests are refused: ${messageOf(error)}`);
    // The idle connections lead to the server that is away; new ones may lead to another server.
    this.connections.destroyIdle(new DatabaseAwayError(messageOf(error)));
  }

  private noteSuccess(): void {
    this.availability.noteWrite();
    if (this.outageBeganAt === undefined) return;
    const outageMs = Math.round(performance.now() - this.outageBeganAt);
    this.outageBeganAt = undefined;
    this.logger.log(`the database takes writes again, after ${outageMs} ms`);
    const since = performance.now();
    void delay(LATE_ANSWER_MS, undefined, { ref: false }).then(() =>
      // These requests were sent to a server that is gone.
      this.connections.destroySilent(performance.now() - since, new DatabaseAwayError('no answer since the outage')),
    );
  }
}
