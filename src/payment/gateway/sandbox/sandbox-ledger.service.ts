import { Batcher } from '../../../common/batcher.js';
import { isConstraintViolation, isUnavailable } from '../../../platform/postgres/sqlstate.js';
import type { Tx } from '../../../platform/postgres/tx.js';
import { GatewayRequestError, RefundRequest } from '../payment-gateway.js';
import { SandboxCallbacksJob } from './sandbox-callbacks.job.js';
import {
  Charge,
  endPendingCharge,
  findChangedCharges,
  findCharge,
  findChargesAfter,
  findChargesByKeys,
  findChargesOfOrder,
  forgetChargeKey,
  insertCharges,
  isServerErrorDue,
  lockCharge,
  NewCharge,
  PendingEnd,
} from './sandbox-charge.repository.js';
import { SandboxDatabase } from './sandbox-database.js';
import { chargeEvent, refundEvent } from './sandbox-events.js';
import { sandboxId } from './sandbox-id.js';
import { behaviourOf } from './sandbox-methods.js';
import {
  countRefundFailures,
  findFailedRefunds,
  findRefund,
  findRefundByKey,
  findRefundByNote,
  forgetRefundKey,
  insertRefund,
  Refund,
  RefundOfOrder,
} from './sandbox-refund.repository.js';

/** Larger batches would only delay their first member; two batches under way keep both disk and CPU busy. */
const BATCHING = { maxBatch: 256, maxInFlight: 2, isShared: isUnavailable };

export type ChargeOutcome = Pick<Charge, 'id' | 'state' | 'declineCode' | 'method'>;
export type RefundOutcome = Refund | { readonly state: 'FAILED'; readonly reason: string };

export interface RefundManner {
  readonly isAnnounced: boolean;
  /** When a late failure happens. */
  readonly lateFailureMs: number;
}

/**
 * The provider's ledger, which is always correct: idempotent by key, never refunded above captured. The gateway adds
 * the misbehaviour.
 */
export class SandboxLedger {
  private readonly charging = new Batcher((items: readonly NewCharge[]) => this.chargeAll(items), BATCHING);
  private readonly lookups = new Batcher((keys: readonly string[]) => this.findAll(keys), BATCHING);

  constructor(
    private readonly db: SandboxDatabase,
    private readonly callbacks: SandboxCallbacksJob,
  ) {}

  /** Charges that arrive together share one INSERT, which commits by itself: no transaction block, one round trip. */
  async charge(charge: NewCharge): Promise<ChargeOutcome> {
    const stored = await this.charging.run(charge);
    return stored === charge ? charge : replay(charge, stored);
  }

  /** The same, with a callback that commits with it. */
  async chargeAndAnnounce(charge: NewCharge): Promise<ChargeOutcome> {
    await this.callbacks.prepare();
    const outcome = await this.db.run(async (tx) => {
      if ((await insertCharges(tx, [charge])) === 0) return undefined;
      const event = chargeEvent(charge);
      if (event) await this.callbacks.enqueue(tx, [event]);
      return charge;
    });
    if (outcome) this.callbacks.wake();
    return outcome ?? replay(charge, await this.lookups.run(charge.key));
  }

  find(key: string): Promise<Charge | undefined> {
    return this.lookups.run(key);
  }

  findById(id: string): Promise<Charge | undefined> {
    return findCharge(this.db, id);
  }

  /** Without declined and cancelled charges. */
  findOfOrder(orderId: string): Promise<Charge[]> {
    return findChargesOfOrder(this.db, orderId);
  }

  page(after: string, limit: number): Promise<Charge[]> {
    return findChargesAfter(this.db, after, limit);
  }

  changedPage(since: Date, before: string, after: string, limit: number): Promise<Charge[]> {
    return findChangedCharges(this.db, since, before, after, limit);
  }

  failedRefundsPage(since: Date, after: string, limit: number): Promise<RefundOfOrder[]> {
    return findFailedRefunds(this.db, since, after, limit);
  }

  /**
   * Simulates a provider that remembers keys for this long: older ones may be used again. What counts is when the request
   * arrived (`performance.now()`): a real provider goes on working while our process is paused.
   */
  async forgetKey(kind: 'charge' | 'refund', key: string, memoryMs: number, arrivedAt: number): Promise<void> {
    const forget = kind === 'charge' ? forgetChargeKey : forgetRefundKey;
    await this.db.read((db) => forget(db, key, memoryMs + performance.now() - arrivedAt));
  }

  /** Whether this call is one of the first `limit` under its key, which fail. */
  isServerErrorDue(key: string, limit: number): Promise<boolean> {
    return isServerErrorDue(this.db, key, limit);
  }

  /** The final state of a waiting charge: the requested one, or the one that it already had. */
  async endPending(id: string, end: PendingEnd): Promise<Charge | undefined> {
    await this.callbacks.prepare();
    const ended = await this.db.run(async (tx) => {
      const charge = await endPendingCharge(tx, id, end);
      const event = charge && chargeEvent(charge);
      if (event) await this.callbacks.enqueue(tx, [event]);
      return charge;
    });
    if (ended) this.callbacks.wake();
    return ended ?? findCharge(this.db, id);
  }

  async refund(request: RefundRequest, manner: RefundManner): Promise<RefundOutcome> {
    if (manner.isAnnounced) await this.callbacks.prepare();
    try {
      const outcome = await this.db.run((tx) => this.refundOnce(tx, request, manner));
      if (manner.isAnnounced || 'failsInMs' in outcome) this.callbacks.wake();
      return outcome;
    } catch (error) {
      // The key belongs to a refund of another charge, or was used at this moment: the first answer stands.
      const known = isConstraintViolation(error) ? await findRefundByKey(this.db, request.idempotencyKey) : undefined;
      if (known) return replayRefund(known, request);
      throw error;
    }
  }

  findRefund(chargeId: string, key: string): Promise<Refund | undefined> {
    return findRefundByNote(this.db, chargeId, key);
  }

  findRefundById(id: string): Promise<RefundOfOrder | undefined> {
    return findRefund(this.db, id);
  }

  private async refundOnce(tx: Tx, request: RefundRequest, manner: RefundManner): Promise<RefundOutcome> {
    // The lock orders all refunds of the charge; the second statement reads after it was granted.
    const [charge, known] = await Promise.all([
      lockCharge(tx, request.transactionId),
      findRefundByKey(tx, request.idempotencyKey),
    ]);
    if (known) return replayRefund(known, request);
    if (!charge) return { state: 'FAILED', reason: 'charge_not_found' };
    const reason = refundRefusalOf(charge, request);
    // Not stored: no money moved, and the key may be used again.
    if (reason) return { state: 'FAILED', reason };
    const { refundFailures = 0, lateRefundFailures = 0 } = behaviourOf(charge.method);
    const limit = refundFailures + lateRefundFailures;
    const isFailing = limit > 0 && (await countRefundFailures(tx, charge.id)) < limit;
    const refund = newRefund(request, isFailing, lateRefundFailures > 0 ? manner.lateFailureMs : undefined);
    insertRefund(tx, refund);
    if (manner.isAnnounced) await this.callbacks.enqueue(tx, [refundEvent(charge, refund)]);
    return refund;
  }

  /** Returns the charge itself if it was new, else the one that was stored under its key. */
  private async chargeAll(items: readonly NewCharge[]): Promise<readonly (NewCharge | Charge | undefined)[]> {
    // Sorted by key, so that two batches with common keys cannot deadlock.
    const sorted = items.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    if ((await insertCharges(this.db, sorted)) === items.length) return items;
    const stored = await this.findMap(items.map((item) => item.key));
    return items.map((item) => stored.get(item.key));
  }

  private findMap(keys: readonly string[]): Promise<Map<string, Charge>> {
    return findChargesByKeys(this.db, [...new Set(keys)]);
  }

  private async findAll(keys: readonly string[]): Promise<readonly (Charge | undefined)[]> {
    const found = await this.findMap(keys);
    return keys.map((key) => found.get(key));
  }
}

/** The same key gets the first answer, even a decline. Another request under the key is the caller's mistake. */
function replay(asked: NewCharge, stored: NewCharge | Charge | undefined): ChargeOutcome {
  if (!stored) throw new Error('the charge was neither stored nor found');
  const isSame =
    stored.amount === asked.amount &&
    stored.currency === asked.currency &&
    stored.orderId === asked.orderId &&
    stored.method === asked.method &&
    (stored.authorizationMs === undefined) === (asked.authorizationMs === undefined);
  if (!isSame) throw new GatewayRequestError('the idempotency key was used for another charge');
  return stored;
}

function replayRefund(stored: Refund, asked: RefundRequest): Refund {
  const isSame = stored.amount === asked.amount && stored.chargeId === asked.transactionId;
  if (!isSame) throw new GatewayRequestError('the idempotency key was used for another refund');
  return stored;
}

/** A failing refund fails at once, or settles first and fails later. */
function newRefund(request: RefundRequest, isFailing: boolean, failsInMs: number | undefined): Refund {
  const refund = {
    id: sandboxId('re'),
    key: request.idempotencyKey,
    chargeId: request.transactionId,
    amount: request.amount,
  };
  if (!isFailing) return { ...refund, state: 'SETTLED' };
  if (failsInMs === undefined) return { ...refund, state: 'FAILED', reason: 'refund_failed' };
  return { ...refund, state: 'SETTLED', failsInMs };
}

function refundRefusalOf(charge: Charge, request: RefundRequest): string | undefined {
  if (charge.state !== 'CAPTURED' && charge.state !== 'REFUNDED') return 'charge_not_captured';
  if (charge.currency !== request.currency) return 'currency_mismatch';
  if (request.amount <= 0) return 'amount_invalid';
  return request.amount > charge.capturedAmount - charge.refundedAmount ? 'amount_exceeds_captured' : undefined;
}
