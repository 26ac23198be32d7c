import { SchedulerRegistry } from '@nestjs/schedule';
import { randomUUID } from 'node:crypto';
import { Loops } from '../../src/platform/loops/loops.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { SandboxAuthorizations } from '../../src/payment/gateway/sandbox/sandbox-authorizations.js';
import { SandboxCallbacksJob } from '../../src/payment/gateway/sandbox/sandbox-callbacks.job.js';
import { SandboxDatabase } from '../../src/payment/gateway/sandbox/sandbox-database.js';
import { NO_FAULTS, SandboxFaults } from '../../src/payment/gateway/sandbox/sandbox-faults.js';
import { SandboxGateway } from '../../src/payment/gateway/sandbox/sandbox-gateway.js';
import { SandboxLedger } from '../../src/payment/gateway/sandbox/sandbox-ledger.service.js';
import { SandboxSettings } from '../../src/payment/gateway/sandbox/sandbox-settings.service.js';
import { SIGNATURE_HEADER, signatureOf } from '../../src/payment/gateway/sandbox/sandbox-signature.js';
import type { TestDatabase } from '../setup/test-database.js';
import type { GatewayHarness } from './gateway-contract.js';

export interface SandboxInstance extends GatewayHarness {
  readonly gateway: SandboxGateway;
  readonly ledger: SandboxLedger;
  readonly settings: SandboxSettings;
  setFaults(faults: Partial<SandboxFaults>): Promise<void>;
}

export interface SandboxOptions {
  readonly authenticationMs?: number;
  /** The process that this stands for was killed: nothing is running, as after a crash. */
  readonly isDead?: boolean;
  readonly url?: string;
  readonly webhookSecret?: string;
}

/** One instance of the sandbox, as one process of the service would have it. */
export async function startSandbox(database: TestDatabase, options: SandboxOptions = {}): Promise<SandboxInstance> {
  const db = new SandboxDatabase(database.url);
  const settings = new SandboxSettings(db, options.webhookSecret);
  const callbacks = new SandboxCallbacksJob(db, settings, new Loops(new SchedulerRegistry(), new Metrics()));
  const ledger = new SandboxLedger(db, callbacks);
  const gateway = new SandboxGateway(
    ledger,
    settings,
    callbacks,
    new SandboxAuthorizations(db, callbacks),
    options.authenticationMs ?? 0,
  );
  await settings.onModuleInit();
  if (options.isDead) await callbacks.beforeApplicationShutdown();
  else callbacks.onApplicationBootstrap();
  if (options.url !== undefined) gateway.setUrls({ callbacks: options.url });
  return {
    gateway,
    ledger,
    settings,
    setFaults: async (faults) => {
      await settings.setFaults({ ...NO_FAULTS, ...faults });
    },
    loseNextAnswer: (side) => `pm_sandbox_timeout_${side === 'before-charge' ? 'before' : 'after'}_charge`,
    failTwoRefunds: () => 'pm_sandbox_refund_fails',
    authenticate: async (transactionId, verb) => {
      const declined = { state: 'DECLINED', declineCode: 'authentication_failed' } as const;
      await ledger.endPending(transactionId, verb === 'approve' ? { state: 'APPROVED' } : declined);
    },
    passTime: async (ms) => {
      for (const table of ['charges', 'refunds'])
        await database.query(`UPDATE sandbox.${table} SET created_at = created_at - $1 * interval '1 millisecond'`, [
          ms,
        ]);
      await database.query(`UPDATE sandbox.charges SET expires_at = expires_at - $1 * interval '1 millisecond'`, [ms]);
      await callbacks.runNow();
      return new Date(Date.now() + 1); // ids begin with their millisecond
    },
    processingMethod: 'pm_sandbox_processing',
    finishProcessing: async (id) => {
      await database.query(`UPDATE sandbox.charges SET due_at = now() WHERE id = $1`, [id]);
      await callbacks.runNow();
    },
    lateFailingMethod: 'pm_sandbox_refund_fails_late',
    failLate: async (id) => {
      await database.query(`UPDATE sandbox.refunds SET due_at = now() WHERE id = $1 AND due_at IS NOT NULL`, [id]);
      await callbacks.runNow();
    },
    capturedEvent: ({ transactionId: chargeId, orderId, amount }) => {
      const id = `evt_${randomUUID()}`;
      const data = { chargeId, orderId, amount, currency: 'EUR' };
      return { id, body: JSON.stringify({ id, type: 'charge.captured', createdAt: new Date().toISOString(), data }) };
    },
    sign: (body, { secret, nowMs } = {}) => ({
      [SIGNATURE_HEADER]: signatureOf(body, secret ?? settings.webhookSecret, nowMs),
    }),
    close: async () => {
      await callbacks.beforeApplicationShutdown();
      await db.onApplicationShutdown();
    },
  };
}
