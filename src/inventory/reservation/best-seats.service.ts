import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../platform/postgres/database-clock.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { CouponService } from '../../promotion/coupon.service.js';
import { priceLines, offersOf } from '../quote/quote.js';
import { Availability } from '../sku/availability.service.js';
import { SkuNotFoundError } from '../sku/sku.errors.js';
import type { Sku } from '../sku/sku.js';
import { bestSeats, type Seat } from './best-seats.js';
import type { BestAvailable } from './reservation.dto.js';
import type { Offer } from './reservation.js';
import { OutOfStockError } from './reservation.errors.js';

/** What a hold may choose from. More of them are more locks, fewer are more rounds where many want the best seats at once. */
const MAX_CANDIDATES = 20;
const MAX_OFFERS = 3;

/** Chooses seats from a picture of the group that is as new as the request. */
@Injectable()
export class BestSeatsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly availability: Availability,
    private readonly coupons: CouponService,
    private readonly clock: DatabaseClock,
  ) {}

  /** In order of preference. Throws OUT_OF_STOCK, with what could be had instead, where nothing fits. */
  async choose(currency: string, wish: BestAvailable, codes?: readonly string[]): Promise<readonly Offer[]> {
    const { group, quantity, adjacent: mustBeAdjacent = false } = wish;
    const skus = await this.availability.groupNow(group);
    if (skus.length === 0) throw new SkuNotFoundError([group]);
    const catalogue = new Map(skus.map((sku) => [sku.sku, sku]));
    const seats = skus.filter((sku) => sku.currency === currency).map(toSeat);
    const candidates = bestSeats(seats, { quantity, mustBeAdjacent }, MAX_CANDIDATES);
    if (candidates.length === 0) throw refusalOf(wish, seats);
    const coupons = await this.coupons.named(this.transactions, codes);
    return offersOf(
      candidates.map((lines) => priceLines(catalogue, currency, lines)),
      { currency, catalogue, coupons, at: this.clock.now() },
    );
  }
}

function toSeat({ sku, row, number, onHand, reserved }: Sku): Seat {
  return { sku, row, number, available: onHand - reserved };
}

/** Offers seats apart where none are left together, or as many as are left. */
function refusalOf({ group, quantity }: BestAvailable, seats: readonly Seat[]): OutOfStockError {
  const available = seats.reduce(
    (sum, seat) => sum + (seat.row === null ? seat.available : Math.min(1, seat.available)),
    0,
  );
  const possible = Math.min(quantity, available);
  const offers = possible === 0 ? [] : bestSeats(seats, { quantity: possible, mustBeAdjacent: false }, MAX_OFFERS);
  return new OutOfStockError([{ sku: group, requested: quantity, available }], offers);
}
