import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { AccessTokens } from '../../platform/http/auth/access-tokens.js';
import type { Caller } from '../../platform/http/auth/caller.js';
import { effectiveState, ReservationWithLines } from './reservation.js';
import { ReservationResponse, toReservationResponse } from './reservation.dto.js';
import { ReservationExpiredError, ReservationNotFoundError, ReservationStateError } from './reservation.errors.js';
import { ReservationLifecycleRepository } from './reservation-lifecycle.repository.js';
import { ReservationRepository } from './reservation.repository.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What the owner of a hold may do with it. The hold's own row guards all of it, so the stock's lock is not needed. */
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
    this.assertMayAsk(caller, id);
    const reservation = this.known(caller, id, await this.lifecycle.find(this.transactions, id));
    return toReservationResponse(reservation);
  }

  release(caller: Caller, id: string): Promise<ReservationResponse> {
    this.assertMayAsk(caller, id);
    return this.transactions.run(async (tx) => {
      const reservation = this.known(caller, id, await this.lifecycle.lock(tx, id));
      if (reservation.state === 'RELEASED') return toReservationResponse(reservation);
      assertOwn(reservation);
      await this.reservations.release(tx, [id], 'RELEASED');
      return toReservationResponse({ ...reservation, state: 'RELEASED' });
    });
  }

  extend(caller: Caller, id: string, seconds: number): Promise<ReservationResponse> {
    this.assertMayAsk(caller, id);
    return this.transactions.run(async (tx) => {
      const reservation = this.assertOwn(caller, id, await this.lifecycle.lock(tx, id));
      this.assertWithinLimit(reservation, seconds);
      const expiresAt = await this.lifecycle.extend(tx, id, seconds);
      return toReservationResponse({ ...reservation, expiresAt });
    });
  }

  /** For whoever changes it: still held, and not handed to a checkout. */
  async findOwn(caller: Caller, id: string): Promise<ReservationWithLines> {
    this.assertMayAsk(caller, id);
    return this.assertOwn(caller, id, await this.lifecycle.find(this.transactions, id));
  }

  assertOwn(caller: Caller, id: string, found: ReservationWithLines | undefined): ReservationWithLines {
    const reservation = this.known(caller, id, found);
    assertOwn(reservation);
    return reservation;
  }

  /** Before anything is read or locked: whoever has no proof to offer cannot tell an id that exists from one that does not. */
  private assertMayAsk(caller: Caller, id: string): void {
    const hasNoProof = caller.customerId === undefined && !this.accessTokens.canRead(caller, 'reservation', id);
    if (hasNoProof || !UUID.test(id)) throw new ReservationNotFoundError(id);
  }

  private known(caller: Caller, id: string, found: ReservationWithLines | undefined): ReservationWithLines {
    if (found && this.accessTokens.canRead(caller, 'reservation', id, found.customerId)) return found;
    throw new ReservationNotFoundError(id);
  }

  /** The sum of extensions is capped, because a hold that can be extended for ever keeps stock that is never sold. */
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

/** Still held and not used by a checkout: afterwards the order decides what happens to the hold. */
function assertOwn(reservation: ReservationWithLines): void {
  const state = effectiveState(reservation);
  if (state === 'EXPIRED') throw new ReservationExpiredError(reservation);
  if (state !== 'HELD') throw new ReservationStateError(reservation, `The reservation is ${state}`);
  if (reservation.pinnedBy !== null || reservation.orderId !== null) {
    throw new ReservationStateError(reservation, 'The reservation belongs to a checkout');
  }
}
