import { DomainError } from '../../common/domain-error.js';
import type { ExceededAllowance, Reservation } from './reservation.js';
import type { Shortage, StockLine } from '../stock/stock-line.js';

export class OutOfStockError extends DomainError {
  /** `alternatives`: lines that could be held instead, as they were a moment ago. */
  constructor(shortages: readonly Shortage[], alternatives?: readonly (readonly StockLine[])[]) {
    const named = shortages.slice(0, 5).map(({ sku, requested, available }) => `${sku} (${available} of ${requested})`);
    super('OUT_OF_STOCK', `Not enough stock of ${named.join(', ')}`, {
      shortages,
      ...(alternatives && { alternatives }),
    });
  }
}

export class ReservationNotFoundError extends DomainError {
  constructor(id: string) {
    super('RESERVATION_NOT_FOUND', 'There is no such reservation, or the access token is not for it', {
      reservationId: id,
    });
  }
}

export class ReservationExpiredError extends DomainError {
  constructor({ id, expiresAt }: Pick<Reservation, 'id' | 'expiresAt'>) {
    const ended = expiresAt.toISOString();
    super('RESERVATION_EXPIRED', `The reservation ended at ${ended}`, { reservationId: id, expiredAt: ended });
  }
}

export class ReservationStateError extends DomainError {
  constructor({ id, state }: Pick<Reservation, 'id' | 'state'>, reason: string) {
    super('INVALID_STATE', reason, { reservationId: id, state });
  }
}

/** A coupon that is used up, or a customer who has had enough. */
export class AllowanceExceededError extends DomainError {
  constructor({ kind, subject, customer, requested, available }: ExceededAllowance) {
    if (kind === 'limit') {
      const detail = `At most ${available} more of ${subject} for this customer`;
      super('LIMIT_EXCEEDED', detail, { sku: subject, requested, available });
      return;
    }
    const whom = customer === undefined ? '' : ' by this customer';
    super('COUPON_EXHAUSTED', `${subject} has been used${whom} as often as it may be`, { coupon: subject });
  }
}
