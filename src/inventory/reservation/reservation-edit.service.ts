import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { faultPoint } from '../../common/fault-point.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import type { Caller } from '../../platform/http/auth/caller.js';
import { QuoteService } from '../quote/quote.service.js';
import { StockLockService } from '../stock/stock-lock.service.js';
import type { StockLine } from '../stock/stock-allocation.js';
import { HoldPolicies, type HoldTicket, usesOf } from './hold-policy.js';
import { PricedLine, ReservationWithLines, totalOf } from './reservation.js';
import { ReservationResponse, toReservationResponse } from './reservation.dto.js';
import { OutOfStockError } from './reservation.errors.js';
import { ReservationLifecycleRepository } from './reservation-lifecycle.repository.js';
import { ReservationLinesRepository } from './reservation-lines.repository.js';
import { ReservationService } from './reservation.service.js';

export const EDIT_FAULT_POINTS = ['before-commit:change-reservation', 'after-commit:change-reservation'] as const;
const [BEFORE_COMMIT, AFTER_COMMIT] = EDIT_FAULT_POINTS;

interface Change {
  readonly priced: readonly PricedLine[];
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
    private readonly locks: StockLockService,
    private readonly quotes: QuoteService,
    private readonly lifecycle: ReservationLifecycleRepository,
    private readonly lines: ReservationLinesRepository,
    private readonly reservations: ReservationService,
    private readonly policies: HoldPolicies,
  ) {}

  async change(caller: Caller, id: string, wanted: readonly StockLine[]): Promise<ReservationResponse> {
    for (let attempts = 1; attempts <= ATTEMPTS; attempts += 1) {
      const { currency, lines } = await this.reservations.findOwn(caller, id);
      const priced = await this.quotes.price(currency, wanted);
      const tickets = await this.policies.admit({ caller }, skusOfMore(lines, priced));
      const skus = new Set([...lines, ...priced].map(({ sku }) => sku));
      const answer = await this.locks.run(skus, (token) =>
        this.transactions.run((tx) => this.changeLocked(tx, caller, id, { priced, skus, tickets, token })),
      );
      if (answer) {
        await faultPoint(AFTER_COMMIT);
        return answer;
      }
    }
    throw new DomainError('LOCK_TIMEOUT', 'The reservation is being changed by somebody else, try again shortly');
  }

  /** Undefined if another change came first and the hold now has a SKU whose lock we do not hold. */
  private async changeLocked(
    tx: Tx,
    caller: Caller,
    id: string,
    { priced, skus, tickets, token }: Change,
  ): Promise<ReservationResponse | undefined> {
    const held = this.reservations.assertOwn(caller, id, await this.lifecycle.lock(tx, id));
    if (held.lines.some(({ sku }) => !skus.has(sku))) return undefined;
    const lines = withAgreedPrices(held, priced);
    const shortages = await this.lines.change(tx, held, lines, token);
    if (shortages.length > 0) throw new OutOfStockError(shortages);
    this.policies.use(tx, usesOf(id, tickets));
    await faultPoint(BEFORE_COMMIT);
    return toReservationResponse({ ...held, lines, total: totalOf(lines) });
  }
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
