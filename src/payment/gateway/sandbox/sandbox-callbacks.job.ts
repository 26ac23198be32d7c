import { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { backoffMs } from '../../../common/backoff.js';
import { messageOf } from '../../../common/error-message.js';
import type { Queryable } from '../../../infrastructure/database/tx.js';
import {
  Callback,
  claimCallbacks,
  deleteCallback,
  insertCallbacks,
  msToNextDue,
  postponeCallback,
} from './sandbox-callback.repository.js';
import { approveDueCharges, lockCharge } from './sandbox-charge.repository.js';
import { SandboxDatabase } from './sandbox-database.js';
import { chargeEvent, refundEvent, SandboxEvent } from './sandbox-events.js';
import type { SandboxFaults } from './sandbox-faults.js';
import { failDueRefund } from './sandbox-refund.repository.js';
import { SandboxSettings } from './sandbox-settings.service.js';
import { SIGNATURE_HEADER, signatureOf } from './sandbox-signature.js';

const WEBHOOK_PATH = '/v1/webhooks/sandbox';
const BATCH = 50;
const CLAIM_MS = 15_000;
const DELIVERY_TIMEOUT_MS = 5_000;
const BACKOFF = { baseMs: 100, capMs: 30_000 };
const REORDER_MS = 1_000;
/** The longest sleep. Finds the work of an instance that died; this instance's own work wakes it at once. */
const IDLE_MS = 5_000;
const MIN_SLEEP_MS = 10;

/**
 * Completes charges that are due, fails refunds that are to fail late, and delivers callbacks, at least once. All wait in
 * the ledger, not in memory: any instance takes them over (SKIP LOCKED), and a restart loses none. It sleeps until the next
 * one is due.
 */
export class SandboxCallbacksJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SandboxCallbacksJob.name);
  private baseUrl: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  private isStopped = false;

  constructor(
    private readonly db: SandboxDatabase,
    private readonly settings: SandboxSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** The service's own URL, known only once it listens. Until then callbacks wait. */
  setBaseUrl(url: string): void {
    this.baseUrl = url.replace(/\/+$/, '');
    this.wake();
  }

  get serviceUrl(): string {
    return this.baseUrl ?? '';
  }

  /** Before a transaction that may enqueue: inside it, a second connection of so small a pool could wait for ever. */
  async prepare(): Promise<void> {
    await this.settings.refreshed();
  }

  /** Part of the transaction that made the event true. The caller wakes the job after its commit. */
  async enqueue(tx: Queryable, events: readonly SandboxEvent[]): Promise<void> {
    if (events.length === 0) return;
    const faults = this.settings.currentFaults;
    await insertCallbacks(
      tx,
      events.flatMap((event) => {
        const callback = { eventId: event.id, body: JSON.stringify(event), delayMs: delayMs(event, faults) };
        return Array.from({ length: 1 + faults.duplicateCallbacks }, () => callback);
      }),
    );
  }

  wake(): void {
    this.isWoken = true;
    this.schedule(0);
  }

  /** Resolves when everything that is due now was tried once. */
  async runNow(): Promise<void> {
    this.isWoken = true;
    await this.running; // it may have claimed before the caller's commit
    await this.run();
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.isWoken = true;
      void this.run();
    }, ms).unref();
  }

  private run(): Promise<void> {
    this.running ??= this.drain().finally(() => (this.running = undefined));
    return this.running;
  }

  private async drain(): Promise<void> {
    try {
      while (this.takeWake()) {
        await this.approveDue();
        await this.failDue();
        if (this.baseUrl !== undefined) await this.deliverDue(this.baseUrl);
      }
      const dueMs = (await msToNextDue(this.db, this.baseUrl !== undefined)) ?? IDLE_MS;
      this.schedule(this.isWoken ? 0 : Math.min(IDLE_MS, Math.max(MIN_SLEEP_MS, dueMs)));
    } catch (error) {
      this.logger.warn(`sandbox callbacks pause: ${messageOf(error)}`);
      this.schedule(IDLE_MS);
    }
  }

  /** True once per wake-up: what woke the job during a round gets a round of its own. */
  private takeWake(): boolean {
    const isWoken = this.isWoken;
    this.isWoken = false;
    return isWoken;
  }

  private async approveDue(): Promise<void> {
    await this.prepare();
    await this.db.run(async (tx) => {
      const charges = await approveDueCharges(tx, BATCH);
      if (charges.length === BATCH) this.isWoken = true;
      await this.enqueue(
        tx,
        charges.map(chargeEvent).filter((event) => event !== undefined),
      );
    });
  }

  /** One at a time: two instances that fail several refunds of the same charges could wait for each other in a circle. */
  private async failDue(): Promise<void> {
    await this.prepare();
    let isDone = false;
    while (!isDone && !this.isStopped) {
      isDone = await this.db.run(async (tx) => {
        const refund = await failDueRefund(tx);
        const charge = refund && (await lockCharge(tx, refund.chargeId));
        if (charge) await this.enqueue(tx, [refundEvent(charge, refund)]);
        return refund === undefined;
      });
    }
  }

  private async deliverDue(baseUrl: string): Promise<void> {
    const callbacks = await claimCallbacks(this.db, BATCH, CLAIM_MS);
    if (callbacks.length === BATCH) this.isWoken = true;
    await Promise.all(callbacks.map((callback) => this.deliver(callback, baseUrl)));
  }

  private async deliver(callback: Callback, baseUrl: string): Promise<void> {
    const refusal = await this.post(`${baseUrl}${WEBHOOK_PATH}`, callback.body);
    if (refusal === undefined) return deleteCallback(this.db, callback.id);
    this.logger.warn(`sandbox callback ${callback.id} was not accepted (attempt ${callback.attempts}): ${refusal}`);
    await postponeCallback(this.db, callback.id, backoffMs(BACKOFF, callback.attempts));
  }

  /** Undefined when accepted, else the reason. */
  private async post(url: string, body: string): Promise<string | undefined> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [SIGNATURE_HEADER]: signatureOf(body, this.settings.webhookSecret),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
      });
      await response.arrayBuffer();
      return response.ok ? undefined : `status ${response.status}`;
    } catch (error) {
      return messageOf(error);
    }
  }
}

function delayMs(event: SandboxEvent, faults: SandboxFaults): number {
  const isHeldBack = faults.reorder && event.type.startsWith('charge.');
  return faults.callbackDelayMs + (isHeldBack ? REORDER_MS : 0);
}
