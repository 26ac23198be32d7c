import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../infrastructure/config/app-config.js';
import { TransactionRunner } from '../infrastructure/database/transaction-runner.js';
import type { Tx } from '../infrastructure/database/tx.js';
import { AccessTokens } from '../infrastructure/http/auth/access-tokens.js';
import type { Caller } from '../infrastructure/http/auth/caller.js';
import { effectiveState, ReservationWithLines } from './reservation.js';
import { ReservationResponse, toReservationResponse } from './reservation.dto.js';
import { ReservationExpiredError, ReservationNotFoundError, ReservationStateError } from './reservation.errors.js';
import { ReservationLifecycleRepository } from './reservation-lifecycle.repository.js';
import { ReservationRepository } from './reservation.repository.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What the owner of a hold may do with it. None of it needs the stock's lock: it is guarded by the hold's own row. */
@Injectable()
export class ReservationService {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly lifecycle: ReservationLifecycleRepository,
    private readonly reservations: ReservationRepository,
    private readonly accessTokens: AccessTokens,
  ) {}

  async get(caller: Caller, id: string): Promise<ReservationResponse> {
    this.assertMayKnow(caller, id);
    const reservation = await this.lifecycle.find(this.transactions, id);
    if (!reservation) throw new ReservationNotFoundError(id);
    return toReservationResponse(reservation);
  }

  release(caller: Caller, id: string): Promise<ReservationResponse> {
    this.assertMayKnow(caller, id);
    return this.transactions.run(async (tx) => {
      const reservation = await this.lock(tx, id);
      if (reservation.state === 'RELEASED') return toReservationResponse(reservation);
      assertOwn(reservation);
      await this.reservations.release(tx, [id], 'RELEASED');
      return toReservationResponse({ ...reservation, state: 'RELEASED' });
    });
  }

  extend(caller: Caller, id: string, seconds: number): Promise<ReservationResponse> {
    this.assertMayKnow(caller, id);
    return this.transactions.run(async (tx) => {
      const reservation = await this.lock(tx, id);
      assertOwn(reservation);
      this.assertWithinLimit(reservation, seconds);
      const expiresAt = await this.lifecycle.extend(tx, id, seconds);
      return toReservationResponse({ ...reservation, expiresAt });
    });
  }

  /** Before anything is read: whoever has no proof cannot tell an id that exists from one that does not. */
  private assertMayKnow(caller: Caller, id: string): void {
    if (!UUID.test(id) || !this.accessTokens.canRead(caller, 'reservation', id)) throw new ReservationNotFoundError(id);
  }

  private async lock(tx: Tx, id: string): Promise<ReservationWithLines> {
    const reservation = await this.lifecycle.lock(tx, id);
    if (!reservation) throw new ReservationNotFoundError(id);
    return reservation;
  }

  /** Capped in sum: a hold that could be extended for ever would be stock that is sold to nobody. */
  private assertWithinLimit({ id, extendedSeconds }: ReservationWithLines, seconds: number): void {
    const { maxExtensionSeconds } = this.config.reservation;
    const remainingSeconds = Math.max(0, maxExtensionSeconds - extendedSeconds);
    if (seconds <= remainingSeconds) return;
    throw new DomainError('EXTENSION_LIMIT', `The reservation can be extended by ${remainingSeconds} more seconds`, {
      reservationId: id,
      maxExtensionSeconds,
      remainingSeconds,
    });
  }
}

/** Still held, and not handed to a checkout: from then on the order decides what becomes of it. */
function assertOwn(reservation: ReservationWithLines): void {
  const state = effectiveState(reservation);
  if (state === 'EXPIRED') throw new ReservationExpiredError(reservation);
  if (state !== 'HELD') throw new ReservationStateError(reservation, `The reservation is ${state}`);
  if (reservation.pinnedBy !== null || reservation.orderId !== null) {
    throw new ReservationStateError(reservation, 'The reservation belongs to a checkout');
  }
}
