import { Injectable } from '@nestjs/common';
import { guardOf } from '../../common/state-machine.js';
import { overRows } from '../../platform/postgres/rows.js';
import { expectingRows, statement } from '../../platform/postgres/statement.js';
import { DatabaseClock } from '../../platform/postgres/database-clock.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { nameClaims, type NamedClaim } from '../../balance/allowance.js';
import { AllowanceRepository } from '../../balance/allowance.repository.js';
import {
  HoldRequest,
  HoldVerdict,
  Offer,
  PricedLine,
  Reservation,
  RESERVATION_TRANSITIONS,
  ReservationState,
  totalOf,
} from './reservation.js';
import { decide, skusOf } from './hold-decision.js';
import { ReservationClaimsRepository } from './reservation-claims.repository.js';
import { mergeQuantities, type StockLine } from '../stock/stock-line.js';
import { SkuCache } from '../sku/sku-cache.js';
import { assertVersions, mergeVersions, StockRepository } from '../stock/stock.repository.js';

type NewReservation = Pick<
  Reservation,
  'id' | 'currency' | 'total' | 'alternative' | 'expiresAt' | 'orderId' | 'pinnedBy' | 'customerId' | 'terms'
> & { readonly hasClaims: boolean | null };

const INSERT = overRows<NewReservation>(
  'reservation.insert',
  {
    id: 'uuid',
    currency: 'text',
    total: 'bigint',
    alternative: 'int',
    expiresAt: 'timestamptz',
    orderId: 'uuid',
    pinnedBy: 'uuid',
    customerId: 'text',
    terms: 'jsonb',
    hasClaims: 'boolean',
  },
  (given) => `
   INSERT INTO reservations (id, state, currency, total, alternative, expires_at, order_id, pinned_by, customer_id, terms, has_claims)
   SELECT id, 'HELD', currency, total, alternative, "expiresAt", "orderId", "pinnedBy", "customerId", terms, "hasClaims" FROM ${given}`,
);

const INSERT_LINES = overRows<LineRow>(
  'reservation.insert-lines',
  { reservationId: 'uuid', sku: 'text', name: 'text', quantity: 'int', unitAmount: 'bigint' },
  (given) => `INSERT INTO reservation_lines (reservation_id, sku, name, quantity, unit_amount) SELECT * FROM ${given}`,
);

/** An UPDATE of several rows locks them in no order we could rely on. */
export const LOCK_IN_ORDER = statement(
  'reservation.lock-in-order',
  `SELECT id FROM reservations WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
);

const LINES = statement(
  'reservation.lines',
  `SELECT reservation_id AS "reservationId", sku, name, quantity, unit_amount AS "unitAmount"
   FROM reservation_lines WHERE reservation_id = ANY($1::uuid[]) ORDER BY reservation_id, sku`,
);

const UNPIN = statement(
  'reservation.unpin',
  `UPDATE reservations SET pinned_by = NULL, updated_at = now() WHERE id = ANY($1::uuid[])`,
);

/** Says that we end the claims, too; for a release that does not, the database would. */
const WITHOUT_CLAIMS = `has_claims = CASE WHEN has_claims THEN false END`;

const COMMITTABLE = guardOf(RESERVATION_TRANSITIONS, 'COMMITTED');
/** The states come as a value: as constants they would lead the planner to the index of what is held, dead entries and all. */
const COMMIT_PINNED = expectingRows(
  'reservation.commit-pinned',
  '$2',
  `UPDATE reservations SET state = 'COMMITTED', pinned_by = NULL, ${WITHOUT_CLAIMS}, updated_at = now()
   WHERE id = ANY($1::uuid[]) AND state = ANY($3::text[]) AND pinned_by IS NOT NULL`,
);

const END = statement(
  'reservation.end',
  `UPDATE reservations SET state = $2, pinned_by = NULL, ${WITHOUT_CLAIMS}, updated_at = now()
   WHERE id = ANY($1::uuid[]) AND state = ANY($3::text[]) RETURNING id, has_claims IS NOT NULL AS "hadClaims"`,
);

interface GrantedHold {
  readonly request: HoldRequest;
  readonly alternative: number;
  readonly offer: Offer;
  readonly claims: readonly NamedClaim[];
  readonly expiresAt: Date;
}

/** What is held beside stock makes a transaction look at all balances first. */
export interface Wanted {
  readonly lines: readonly StockLine[];
  readonly claims: readonly NamedClaim[];
}

type LineRow = PricedLine & { readonly reservationId: string };

/**
 * Holds on stock, many at a time: a statement per table whatever the size of the batch. Rows are locked in one order
 * everywhere: reservations (by id), stock (by SKU), allowances (by key). Only `hold` is fenced: what ends a hold is relative,
 * and guarded by the hold's own state, so that it is right in any order.
 */
@Injectable()
export class ReservationRepository {
  constructor(
    private readonly stock: StockRepository,
    private readonly allowances: AllowanceRepository,
    private readonly claims: ReservationClaimsRepository,
    private readonly cache: SkuCache,
    private readonly clock: DatabaseClock,
  ) {}

  /** The rows that the next `hold` of this transaction will want, while others still ask for what they need. */
  prefetch(tx: Tx, { lines, claims }: Wanted): void {
    this.stock.prefetch(tx, [...mergeQuantities(lines).keys()]);
    this.allowances.prefetch(tx, claims);
  }

  /** Optimistic, and with plenty of everything when it was last seen, it looks at nothing: the transaction fails if too little is left. */
  hold(
    tx: Tx,
    requests: readonly HoldRequest[],
    token?: bigint,
    isOptimistic = false,
  ): Promise<readonly HoldVerdict[]> {
    const unseen = isOptimistic ? this.holdUnseen(tx, requests, token) : undefined;
    return unseen ? Promise.resolve(unseen) : this.allocate(tx, requests, token);
  }

  /** Undefined where somebody has to look: at coupons, limits and alternatives, or because little may be left. */
  private holdUnseen(tx: Tx, requests: readonly HoldRequest[], token?: bigint): readonly HoldVerdict[] | undefined {
    if (!requests.every(({ alternatives: [offer, other] }) => !offer?.terms && !other)) return undefined;
    const wanted = mergeQuantities(requests.flatMap(({ alternatives }) => alternatives[0]?.lines ?? []));
    if (!this.cache.isPlenty(wanted)) return undefined;
    const now = this.clock.now().getTime();
    const holds = requests.map((request) => ({
      request,
      alternative: 0,
      offer: request.alternatives[0] ?? NOTHING,
      claims: [],
      expiresAt: new Date(now + request.ttlSeconds * 1_000),
    }));
    this.stock.reserveAll(tx, wanted, mergeVersions(requests.map(({ versions }) => versions)), token);
    this.insert(tx, holds);
    return holds.map(({ expiresAt }) => ({ kind: 'granted', alternative: 0, expiresAt }));
  }

  /** Decides over stock, coupons and limits together: a hold gets all that it wants, or nothing. */
  private async allocate(tx: Tx, requests: readonly HoldRequest[], token?: bigint): Promise<readonly HoldVerdict[]> {
    const named = requests.map(({ alternatives, customer }) =>
      alternatives.map(({ terms }) => (terms ? nameClaims(terms.claims, customer) : [])),
    );
    const skus = new Set(requests.flatMap((request) => request.alternatives.flatMap(skusOf)));
    const [rows, left] = await Promise.all([
      this.stock.lock(tx, [...skus], token),
      this.allowances.lock(tx, named.flat(2), token),
    ]);
    assertVersions(rows, mergeVersions(requests.map(({ versions }) => versions)));
    const stock = Array.from(rows.values(), (row) => [row.sku, row.onHand - row.reserved] as const);
    const verdicts = decide(new Map([...stock, ...left]), requests, named);
    const now = rows.values().next().value?.now.getTime() ?? 0; // without a row nothing is granted
    const holds: GrantedHold[] = [];
    const answers = verdicts.map((verdict, index): HoldVerdict => {
      if (verdict.kind !== 'granted') return verdict;
      const request = requests[index] as HoldRequest;
      const { alternative } = verdict;
      const expiresAt = new Date(now + request.ttlSeconds * 1_000);
      const claims = named[index]?.[alternative] ?? [];
      holds.push({ request, alternative, offer: request.alternatives[alternative] ?? NOTHING, claims, expiresAt });
      return { ...verdict, expiresAt };
    });
    if (holds.length > 0) {
      this.stock.reserve(tx, mergeQuantities(holds.flatMap(({ offer }) => offer.lines)), token);
      this.insert(tx, holds);
      this.claims.hold(
        tx,
        holds.map(({ request, claims }) => ({ reservationId: request.reservationId, claims })),
        token,
      );
    }
    return answers;
  }

  /** A saga that waits for somebody lets go of its holds, so that they may run out. */
  unpin(tx: Tx, reservationIds: readonly string[]): void {
    this.lockInOrder(tx, reservationIds);
    if (reservationIds.length > 0) tx.send(UNPIN, [reservationIds]);
  }

  /**
   * What a saga has held on to is sold. Nobody else can have ended such a hold, so nothing is waited for: the transaction
   * fails if one is not there. The lines and claims are those that it was made with.
   */
  commitPinned(tx: Tx, holds: readonly (Wanted & { readonly reservationId: string })[]): void {
    if (holds.length === 0) return;
    const ids = holds.map(({ reservationId }) => reservationId);
    tx.expect(COMMIT_PINNED, [ids, ids.length, COMMITTABLE]);
    this.stock.take(tx, mergeQuantities(holds.flatMap(({ lines }) => lines)));
    const claims = holds.flatMap((hold) => hold.claims);
    if (claims.length > 0) this.claims.take(tx, claims);
  }

  /** What was held is sold. Answers the ones that landed; the others had ended before. */
  async commit(tx: Tx, reservationIds: readonly string[]): Promise<Set<string>> {
    const { ended, quantities } = await this.end(tx, reservationIds, 'COMMITTED');
    this.stock.take(tx, quantities);
    return ended;
  }

  /** What was held is available again. Idempotent: answers the ones that landed now. */
  async release(tx: Tx, reservationIds: readonly string[], to: 'RELEASED' | 'EXPIRED'): Promise<Set<string>> {
    const { ended, quantities } = await this.end(tx, reservationIds, to);
    this.stock.free(tx, quantities);
    return ended;
  }

  private insert(tx: Tx, holds: readonly GrantedHold[]): void {
    const rows = holds.map(({ request, alternative, offer, claims, expiresAt }) => ({
      id: request.reservationId,
      currency: request.currency,
      total: totalOf(offer),
      alternative,
      expiresAt,
      orderId: request.orderId ?? null,
      pinnedBy: request.pinnedBy ?? null,
      customerId: request.customerId ?? null,
      terms: offer.terms ?? null,
      hasClaims: claims.length > 0 ? true : null,
    }));
    tx.send(...INSERT.over(rows));
    const lines = holds.flatMap(({ request: { reservationId }, offer }) =>
      offer.lines.map(({ sku, name, quantity, unitAmount }) => ({ reservationId, sku, name, quantity, unitAmount })),
    );
    tx.send(...INSERT_LINES.over(lines));
  }

  /** The guarded move out of HELD, and what the holds that moved had reserved. */
  private async end(tx: Tx, ids: readonly string[], to: ReservationState) {
    this.lockInOrder(tx, ids);
    const moved = tx.query<{ id: string; hadClaims: boolean }>(END, [ids, to, guardOf(RESERVATION_TRANSITIONS, to)]);
    const [rows, lines] = await Promise.all([moved, tx.query<LineRow>(LINES, [ids])]);
    const ended = idsOf(rows);
    await this.claims.end(tx, [...idsOf(rows.filter(({ hadClaims }) => hadClaims))], to === 'COMMITTED');
    return { ended, quantities: mergeQuantities(lines.filter(({ reservationId }) => ended.has(reservationId))) };
  }

  private lockInOrder(tx: Tx, ids: readonly string[]): void {
    if (ids.length > 1) tx.send(LOCK_IN_ORDER, [ids]);
  }
}

const NOTHING: Offer = { lines: [] };

function idsOf(rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id));
}
