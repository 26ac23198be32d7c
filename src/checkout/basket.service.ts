import { Injectable } from '@nestjs/common';
import { newId } from '../common/id.js';
import { DomainError } from '../common/domain-error.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { AccessTokens } from '../platform/http/auth/access-tokens.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { effectiveState } from '../inventory/reservation/reservation.js';
import { ReservationLifecycleRepository } from '../inventory/reservation/reservation-lifecycle.repository.js';
import { priceLines } from '../inventory/quote/quote.js';
import type { Sku } from '../inventory/sku/sku.js';
import type { OrderLine } from '../orders/order.entity.js';
import { CheckoutBody } from './checkout.dto.js';
import { refusalOf } from './steps/reserve-inventory.step.js';

export interface Basket {
  readonly lines: readonly OrderLine[];
  readonly total: number;
  readonly reservationId: string;
  readonly isAdopted: boolean;
}

/** The lines and the total: with prices from the catalogue, or fixed by the hold. */
@Injectable()
export class BasketService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly reservations: ReservationLifecycleRepository,
    private readonly tokens: AccessTokens,
  ) {}

  async fill(body: CheckoutBody, caller: Caller, catalogue: ReadonlyMap<string, Sku>): Promise<Basket> {
    const basket = body.reservationId
      ? await this.heldBasket(body.reservationId, body.currency, caller)
      : quotedBasket(body, catalogue);
    if (body.expectedTotal !== undefined && body.expectedTotal !== basket.total) {
      const quote = { lines: basket.lines, total: basket.total, currency: body.currency };
      throw new DomainError('PRICE_CHANGED', `The total is ${basket.total}, not ${body.expectedTotal}`, { quote });
    }
    return basket;
  }

  private async heldBasket(id: string, currency: string, caller: Caller): Promise<Basket> {
    const held = await this.reservations.find(this.transactions, id);
    if (!held || !this.tokens.canRead(caller, 'reservation', id, held.customerId)) {
      throw new DomainError('RESERVATION_NOT_FOUND', 'The reservation does not exist');
    }
    const state = effectiveState(held);
    if (state !== 'HELD') {
      const { code, detail, details } = refusalOf(id, { kind: 'ended', state, expiresAt: held.expiresAt });
      throw new DomainError(code, detail, details);
    }
    if (held.currency !== currency) {
      const errors = [{ path: 'currency', message: `the reservation is in ${held.currency}` }];
      throw new DomainError('VALIDATION_FAILED', errors[0]?.message ?? '', { errors });
    }
    const lines = held.lines.map(({ sku, name, quantity, unitAmount }) => ({
      sku,
      name,
      quantity,
      unitAmount,
      amount: quantity * unitAmount,
    }));
    return { lines, total: held.total, reservationId: id, isAdopted: true };
  }
}

function quotedBasket({ currency, lines: wanted = [] }: CheckoutBody, catalogue: ReadonlyMap<string, Sku>): Basket {
  const lines = priceLines(catalogue, currency, wanted).map(({ sku, name, quantity, unitAmount, amount }) => ({
    sku,
    name,
    quantity,
    unitAmount,
    amount,
  }));
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  return { lines, total, reservationId: newId(), isAdopted: false };
}
