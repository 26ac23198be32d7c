import { Injectable } from '@nestjs/common';
import { BalanceLocks } from '../../balance/balance-locks.service.js';
import { DomainError } from '../../common/domain-error.js';
import { STOCK_LOCK, stockKey } from '../../lock/lock-keys.js';
import { faultPoint } from '../../common/fault-point.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import type { Caller } from '../../platform/http/auth/caller.js';
import { priceLines, type Occasion, termsOf } from '../quote/quote.js';
import { QuoteService } from '../quote/quote.service.js';
import type { StockLine } from '../stock/stock-line.js';
import { claimKeys, PricedLine, ReservationWithLines, totalOf } from './reservation.js';
import { HoldPolicies, type HoldTicket, usesOf } from './hold-policy.js';
import { ReservationResponse, toReservationResponse } from './reservation.dto.js';
import { OutOfStockError } from './reservation.errors.js';
import { ReservationLifecycleRepository } from './reservation-lifecycle.repository.js';
import { ReservationLinesRepository } from './reservation-lines.repository.js';
import { ReservationService } from './reservation.service.js';

export const EDIT_FAULT_POINTS = ['before-commit:change-reservation', 'after-commit:change-reservation'] as const;
const [BEFORE_COMMIT, AFTER_COMMIT] = EDIT_FAULT_POINTS;

interface Change {
  readonly priced: readonly PricedLine[];
  readonly occasion: Occasion;
  readonly skus: ReadonlySet<string>;
  readonly tickets: readonly HoldTicket[];
  readonly token: bigint;
}

/** Whoever changes one hold in two places at once is served in the end, or asked to come again. */
const ATTEMPTS = 5;

/**
 * Other lines for a hold, all or nothing. Unlike what ends a hold it takes stock from others, so that it takes its turn under
 * the locks of the SKUs, those that it had and those that it wants.
 */
@Injectable()
export class ReservationEditService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly locks: BalanceLocks,
    private readonly quotes: QuoteService,
    private readonly lifecycle: ReservationLifecycleRepository,
    private readonly lines: ReservationLinesRepository,
    private readonly reservations: ReservationService,
    private readonly policies: HoldPolicies,
  ) {}

  async change(caller: Caller, id: string, wanted: readonly StockLine[]): Promise<ReservationResponse> {
    for (let attempts = 1; attempts <= ATTEMPTS; attempts += 1) {
      const held = await this.reservations.findOwn(caller, id);
      const { currency, lines } = held;
      const occasion = await this.quotes.occasionOf(currency, wanted, codesOf(held));
      const priced = priceLines(occasion.catalogue, currency, wanted);
      const tickets = await this.policies.admit({ caller }, skusOfMore(lines, priced));
      const skus = new Set([...lines, ...priced].map(({ sku }) => sku));
      const keys = new Set([...[...skus].map(stockKey), ...claimKeys(held.terms?.claims ?? [])]);
      const answer = await this.locks.run(keys, STOCK_LOCK, (token) =>
        this.transactions.run((tx) => this.changeLocked(tx, caller, id, { priced, occasion, skus, tickets, token })),
      );
      if (answer) {
        await faultPoint(AFTER_COMMIT);
        return answer;
      }
    }
    throw new DomainError('LOCK_TIMEOUT', 'The reservation is being changed by somebody else, try again shortly');
  }

  /** Undefined if another change came first and the hold now has a SKU or a coupon whose lock we do not hold. */
  private async changeLocked(
    tx: Tx,
    caller: Caller,
    id: string,
    { priced, occasion, skus, tickets, token }: Change,
  ): Promise<ReservationResponse | undefined> {
    const held = this.reservations.assertOwn(caller, id, await this.lifecycle.lock(tx, id));
    const codes = new Set(occasion.coupons.map(({ code }) => code));
    if (held.lines.some(({ sku }) => !skus.has(sku)) || codesOf(held).some((code) => !codes.has(code)))
      return undefined;
    const lines = withAgreedPrices(held, priced);
    // A coupon that was good when it was held stays good.
    const offer = { lines, terms: termsOf(lines, { ...occasion, at: held.createdAt }) };
    const shortages = await this.lines.change(tx, held, offer, token);
    if (shortages.length > 0) throw new OutOfStockError(shortages);
    this.policies.use(tx, usesOf(id, tickets));
    await faultPoint(BEFORE_COMMIT);
    return toReservationResponse({ ...held, lines, terms: offer.terms ?? null, total: totalOf(offer) });
  }
}

function codesOf({ terms }: Pick<ReservationWithLines, 'terms'>): string[] {
  return terms?.discounts.map(({ code }) => code) ?? [];
}

/** What the change takes from others: a sale asks for a ticket for it, as for any hold. */
function skusOfMore(held: readonly StockLine[], wanted: readonly StockLine[]): string[] {
  const had = new Map(held.map(({ sku, quantity }) => [sku, quantity]));
  return wanted.filter(({ sku, quantity }) => quantity > (had.get(sku) ?? 0)).map(({ sku }) => sku);
}

/** What is kept of a line keeps the price that the customer was shown. Who wants more of it pays what it costs now. */
function withAgreedPrices(held: ReservationWithLines, priced: readonly PricedLine[]): PricedLine[] {
  const agreed = new Map(held.lines.map((line) => [line.sku, line]));
  return priced
    .map(({ sku, name, quantity, unitAmount }) => {
      const before = agreed.get(sku);
      return before && quantity <= before.quantity ? { ...before, quantity } : { sku, name, quantity, unitAmount };
    })
    .sort((a, b) => (a.sku < b.sku ? -1 : 1));
}
