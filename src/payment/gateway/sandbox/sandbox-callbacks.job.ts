import { BeforeApplicationShutdown, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { backoffMs } from '../../../common/backoff.js';
import { messageOf } from '../../../common/error-message.js';
import type { Queryable, Tx } from '../../../platform/postgres/tx.js';
import type { Loop } from '../../../platform/loops/loop.js';
import { Loops } from '../../../platform/loops/loops.js';
import {
  Callback,
  claimCallbacks,
  deleteCallback,
  insertCallbacks,
  msToNextDue,
  postponeCallback,
} from './sandbox-callback.repository.js';
import { expireDueAuthorizations } from './sandbox-authorization.repository.js';
import { approveDueCharges, type Charge, lockCharge } from './sandbox-charge.repository.js';
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
/**
 * The longest rest, after which the work of a dead instance is found. This instance's own work wakes the job at once.
 */
const IDLE_MS = 5_000;
const MIN_SLEEP_MS = 10;
/** Due callbacks that another instance has claimed are looked at again after this time, in case it died. */
const BUSY_ELSEWHERE_MS = 250;

/**
 * Completes due charges, ends authorisations, fails refunds that are to fail late, and delivers callbacks at least once. All of that is
 * stored in the ledger, so any instance can take it over (SKIP LOCKED) and a restart loses nothing. It sleeps until the
 * next one is due.
 */
export class SandboxCallbacksJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SandboxCallbacksJob.name);
  private readonly loop: Loop;
  private baseUrl: string | undefined;

  constructor(
    private readonly db: SandboxDatabase,
    private readonly settings: SandboxSettings,
    loops: Loops,
  ) {
    this.loop = loops.create({
      name: 'sandbox-callbacks',
      pace: { minMs: MIN_SLEEP_MS, maxMs: IDLE_MS },
      round: () => this.drain(),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** The service's own URL, known once it listens. Until then callbacks wait. */
  setBaseUrl(url: string): void {
    this.baseUrl = url.replace(/\/+$/, '');
    this.wake();
  }

  get serviceUrl(): string {
    return this.baseUrl ?? '';
  }

  /**
   * Called before a transaction that may enqueue: inside it, waiting for a second connection of such a small pool could
   * deadlock.
   */
  async prepare(): Promise<void> {
    await this.settings.refreshed();
  }

  /** Part of the transaction that caused the event. The caller wakes the job after its commit. */
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
    this.loop.wake();
  }

  /** Resolves when every due item was tried once. */
  runNow(): Promise<void> {
    return this.loop.runNow();
  }

  /** Returns when the next one is due. An idle provider costs one such query. */
  private async drain(): Promise<number> {
    for (;;) {
      const dueMs = await msToNextDue(this.db, this.baseUrl !== undefined);
      if (dueMs === undefined || dueMs > 0) return dueMs ?? IDLE_MS;
      const approved = await this.announce((tx) => approveDueCharges(tx, BATCH));
      const expired = await this.announce((tx) => expireDueAuthorizations(tx, BATCH));
      const failed = await this.failDue();
      const delivered = this.baseUrl === undefined ? 0 : await this.deliverDue(this.baseUrl);
      if (approved + expired + failed + delivered === 0) return BUSY_ELSEWHERE_MS;
    }
  }

  /** Changes charges, and announces what became of them in the same transaction. */
  private async announce(change: (tx: Tx) => Promise<Charge[]>): Promise<number> {
    await this.prepare();
    return this.db.run(async (tx) => {
      const charges = await change(tx);
      await this.enqueue(
        tx,
        charges.map(chargeEvent).filter((event) => event !== undefined),
      );
      return charges.length;
    });
  }

  /** One at a time: two instances that fail several refunds of the same charges could deadlock. */
  private async failDue(): Promise<number> {
    for (let failed = 0; ; failed += 1) {
      const hasFailed = await this.db.run(async (tx) => {
        const refund = await failDueRefund(tx);
        const charge = refund && (await lockCharge(tx, refund.chargeId));
        if (charge) await this.enqueue(tx, [refundEvent(charge, refund)]);
        return refund !== undefined;
      });
      if (!hasFailed || this.loop.isStopped) return failed;
    }
  }

  private async deliverDue(baseUrl: string): Promise<number> {
    const callbacks = await claimCallbacks(this.db, BATCH, CLAIM_MS);
    await Promise.all(callbacks.map((callback) => this.deliver(callback, baseUrl)));
    return callbacks.length;
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
