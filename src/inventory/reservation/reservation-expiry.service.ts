import { Injectable } from '@nestjs/common';
import { BalanceLocks } from '../../balance/balance-locks.service.js';
import { STOCK_LOCK, stockKey } from '../../lock/lock-keys.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import type { DomainEvent } from '../../platform/outbox/domain-event.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { DueReservation, ReservationLifecycleRepository } from './reservation-lifecycle.repository.js';
import { ReservationRepository } from './reservation.repository.js';

const MAX_BATCH = 500;
/** Counted in SKUs, because each of them is a lock. */
const MAX_BATCH_SKUS = 500;

export interface ExpiryBatch {
  readonly freed: number;
  /** Whether more was due than fits into a batch. */
  readonly isFull: boolean;
}

/**
 * Releases expired holds. Any instance may do so at any time: it takes the locks before the transaction, and inside it
 * touches only rows that are still due, unpinned and not locked.
 */
@Injectable()
export class ReservationExpiryService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly lifecycle: ReservationLifecycleRepository,
    private readonly reservations: ReservationRepository,
    private readonly locks: BalanceLocks,
    private readonly outbox: OutboxRepository,
  ) {}

  async expireBatch(): Promise<ExpiryBatch> {
    const due = await this.lifecycle.due(this.transactions, MAX_BATCH);
    if (due.length === 0) return { freed: 0, isFull: false };
    const batch = withinLocks(due);
    const keysOf = ({ lines }: DueReservation) => lines.map(({ sku }) => stockKey(sku));
    const freed = await this.locks.runFree(batch, keysOf, STOCK_LOCK, (free) =>
      this.transactions.run((tx) => this.expire(tx, free)),
    );
    return { freed: freed ?? 0, isFull: due.length === MAX_BATCH || batch.length < due.length };
  }

  private async expire(tx: Tx, batch: readonly DueReservation[]): Promise<number> {
    const locked = await this.lifecycle.lockDue(
      tx,
      batch.map(({ id }) => id),
    );
    if (locked.size === 0) return 0;
    const expired = await this.reservations.release(tx, [...locked], 'EXPIRED');
    this.outbox.append(tx, batch.filter(({ id }) => expired.has(id)).map(toEvent));
    return expired.size;
  }
}

function withinLocks(due: readonly DueReservation[]): DueReservation[] {
  const skus = new Set<string>();
  const batch: DueReservation[] = [];
  for (const reservation of due) {
    const added = reservation.lines.filter(({ sku }) => !skus.has(sku));
    if (batch.length > 0 && skus.size + added.length > MAX_BATCH_SKUS) break;
    for (const { sku } of added) skus.add(sku);
    batch.push(reservation);
  }
  return batch;
}

function toEvent({ id, orderId, expiresAt, lines }: DueReservation): DomainEvent {
  return {
    type: 'reservation.expired',
    subject: orderId ?? id,
    payload: { reservationId: id, orderId, expiresAt: expiresAt.toISOString(), lines },
  };
}
