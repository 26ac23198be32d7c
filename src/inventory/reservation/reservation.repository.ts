import { Injectable } from '@nestjs/common';
import { guardOf } from '../../common/state-machine.js';
import { overRows } from '../../platform/postgres/rows.js';
import { expectingRows, statement } from '../../platform/postgres/statement.js';
import { DatabaseClock } from '../../platform/postgres/database-clock.js';
import { GuardFailedError, type Tx } from '../../platform/postgres/tx.js';
import {
  Adoption,
  AdoptionVerdict,
  areSameLines,
  HoldRequest,
  HoldVerdict,
  PricedLine,
  Reservation,
  RESERVATION_TRANSITIONS,
  ReservationState,
  totalOf,
} from './reservation.js';
import { allocate, mergeQuantities, type StockLine } from '../stock/stock-allocation.js';
import { SkuCache } from '../sku/sku-cache.js';
import { Restock, StockRepository, StockRow, Versions } from '../stock/stock.repository.js';

type NewReservation = Pick<
  Reservation,
  'id' | 'currency' | 'total' | 'alternative' | 'expiresAt' | 'orderId' | 'pinnedBy' | 'customerId'
>;

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
  },
  (given) => `
   INSERT INTO reservations (id, state, currency, total, alternative, expires_at, order_id, pinned_by, customer_id)
   SELECT id, 'HELD', currency, total, alternative, "expiresAt", "orderId", "pinnedBy", "customerId" FROM ${given}`,
);

const INSERT_LINES = overRows<LineRow>(
  'reservation.insert-lines',
  { reservationId: 'uuid', sku: 'text', name: 'text', quantity: 'int', unitAmount: 'bigint' },
  (given) => `INSERT INTO reservation_lines (reservation_id, sku, name, quantity, unit_amount) SELECT * FROM ${given}`,
);

const LOCK = statement(
  'reservation.lock',
  `SELECT id, state, currency, total, alternative, expires_at AS "expiresAt", extended_seconds AS "extendedSeconds",
     order_id AS "orderId", pinned_by AS "pinnedBy", customer_id AS "customerId",
     state = 'HELD' AND pinned_by IS NULL AND expires_at <= now() AS "isOverdue"
   FROM reservations WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
);

const LINES = statement(
  'reservation.lines',
  `SELECT reservation_id AS "reservationId", sku, name, quantity, unit_amount AS "unitAmount"
   FROM reservation_lines WHERE reservation_id = ANY($1::uuid[]) ORDER BY reservation_id, sku`,
);

const ADOPT = statement(
  'reservation.adopt',
  `UPDATE reservations AS held SET pinned_by = adoption.saga_id, order_id = adoption.order_id, updated_at = now()
   FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS adoption (id, saga_id, order_id) WHERE held.id = adoption.id`,
);

const UNPIN = statement(
  'reservation.unpin',
  `UPDATE reservations SET pinned_by = NULL, updated_at = now() WHERE id = ANY($1::uuid[])`,
);

const COMMITTABLE = guardOf(RESERVATION_TRANSITIONS, 'COMMITTED');
/** The states come as a value: as constants they would lead the planner to the index of what is held, dead entries and all. */
const COMMIT_PINNED = expectingRows(
  'reservation.commit-pinned',
  '$2',
  `UPDATE reservations SET state = 'COMMITTED', pinned_by = NULL, updated_at = now()
   WHERE id = ANY($1::uuid[]) AND state = ANY($3::text[]) AND pinned_by IS NOT NULL`,
);

const END = statement(
  'reservation.end',
  `UPDATE reservations SET state = $2, pinned_by = NULL, updated_at = now()
   WHERE id = ANY($1::uuid[]) AND state = ANY($3::text[]) RETURNING id`,
);

interface GrantedHold {
  readonly request: HoldRequest;
  readonly alternative: number;
  readonly lines: readonly PricedLine[];
  readonly expiresAt: Date;
}

type LineRow = PricedLine & { readonly reservationId: string };

/**
 * Holds on stock, many at a time: a statement per table whatever the size of the batch. Rows are locked in one order
 * everywhere, reservations (by id) before stock (by SKU). Only `hold` is fenced: what ends a hold is relative, and
 * guarded by the hold's own state, so that it is right in any order.
 */
@Injectable()
export class ReservationRepository {
  constructor(
    private readonly stock: StockRepository,
    private readonly cache: SkuCache,
    private readonly clock: DatabaseClock,
  ) {}

  /** The stock that the next `hold` of this transaction will want, while others still ask for what they need. */
  prefetch(tx: Tx, lines: readonly StockLine[], isOptimistic: boolean): void {
    const wanted = mergeQuantities(lines);
    if (!isOptimistic || !this.cache.isPlenty(wanted)) this.stock.prefetch(tx, [...wanted.keys()]);
  }

  /** Optimistic, and with plenty of everything when it was last seen, it looks at nothing: the transaction fails if too little is left. */
  hold(
    tx: Tx,
    requests: readonly HoldRequest[],
    token?: bigint,
    isOptimistic = false,
  ): Promise<readonly HoldVerdict[]> {
    const isPlain = isOptimistic && requests.every(({ alternatives }) => alternatives.length === 1);
    const wanted = isPlain ? mergeQuantities(requests.flatMap(({ alternatives }) => alternatives[0] ?? [])) : undefined;
    return wanted && this.cache.isPlenty(wanted)
      ? Promise.resolve(this.holdAll(tx, requests, wanted, token))
      : this.allocate(tx, requests, token);
  }

  private holdAll(
    tx: Tx,
    requests: readonly HoldRequest[],
    wanted: ReadonlyMap<string, number>,
    token?: bigint,
  ): readonly HoldVerdict[] {
    const now = this.clock.now().getTime();
    const holds = requests.map((request) => ({
      request,
      alternative: 0,
      lines: request.alternatives[0] ?? [],
      expiresAt: new Date(now + request.ttlSeconds * 1_000),
    }));
    this.stock.reserveAll(tx, wanted, versionsOf(requests), token);
    this.insert(tx, holds);
    return holds.map(({ expiresAt }) => ({ kind: 'granted', alternative: 0, expiresAt }));
  }

  private async allocate(tx: Tx, requests: readonly HoldRequest[], token?: bigint): Promise<readonly HoldVerdict[]> {
    const skus = new Set(requests.flatMap(({ alternatives }) => alternatives.flat().map(({ sku }) => sku)));
    const rows = await this.stock.lock(tx, [...skus], token);
    assertVersions(rows, versionsOf(requests));
    const available = new Map([...rows.values()].map((row) => [row.sku, row.onHand - row.reserved]));
    const verdicts = allocate(available, requests);
    const now = rows.values().next().value?.now.getTime() ?? 0; // without a row nothing is granted
    const holds: GrantedHold[] = [];
    const answers = verdicts.map((verdict, index): HoldVerdict => {
      const request = requests[index];
      if (verdict.kind === 'short' || !request)
        return { kind: 'short', shortages: verdict.kind === 'short' ? verdict.shortages : [] };
      const { alternative } = verdict;
      const expiresAt = new Date(now + request.ttlSeconds * 1_000);
      holds.push({ request, alternative, lines: request.alternatives[alternative] ?? [], expiresAt });
      return { ...verdict, expiresAt };
    });
    if (holds.length > 0) {
      this.stock.reserve(tx, mergeQuantities(holds.flatMap(({ lines }) => lines)), token);
      this.insert(tx, holds);
    }
    return answers;
  }

  /** Phase two of a hold: a saga takes it for its order, and pins it. */
  async adopt(tx: Tx, adoptions: readonly Adoption[]): Promise<readonly AdoptionVerdict[]> {
    const { held, lines } = await this.lockWithLines(
      tx,
      adoptions.map(({ reservationId }) => reservationId),
    );
    const orders = new Map<string, string>();
    const adopted: Adoption[] = [];
    const verdicts = adoptions.map((adoption): AdoptionVerdict => {
      const reservation = held.get(adoption.reservationId);
      if (!reservation) return { kind: 'missing' };
      const { state, orderId, pinnedBy, expiresAt } = reservation;
      if (state !== 'HELD') return { kind: 'ended', state, expiresAt };
      const owner = orderId ?? orders.get(reservation.id);
      if (owner !== undefined && owner !== adoption.orderId) return { kind: 'busy' };
      if (pinnedBy !== null && pinnedBy !== adoption.sagaId) return { kind: 'busy' };
      if (reservation.isOverdue) return { kind: 'ended', state: 'EXPIRED', expiresAt };
      const { currency, total } = reservation;
      const known = lines.get(reservation.id) ?? [];
      if (!areSameLines(known, adoption.lines)) return { kind: 'changed', lines: known, currency, total };
      orders.set(reservation.id, adoption.orderId);
      adopted.push(adoption);
      return { kind: 'adopted', expiresAt };
    });
    if (adopted.length > 0) {
      tx.send(ADOPT, [
        adopted.map(({ reservationId }) => reservationId),
        adopted.map(({ sagaId }) => sagaId),
        adopted.map(({ orderId }) => orderId),
      ]);
    }
    return verdicts;
  }

  /** A saga that waits for somebody lets go of its holds, so that they may run out. */
  unpin(tx: Tx, reservationIds: readonly string[]): void {
    this.lockInOrder(tx, reservationIds);
    if (reservationIds.length > 0) tx.send(UNPIN, [reservationIds]);
  }

  /**
   * What a saga has held on to is sold. Nobody else can have ended such a hold, so nothing is waited for: the transaction
   * fails if one is not there. The lines are those that it was made with.
   */
  commitPinned(tx: Tx, holds: readonly { reservationId: string; lines: readonly StockLine[] }[]): void {
    if (holds.length === 0) return;
    const ids = holds.map(({ reservationId }) => reservationId);
    tx.expect(COMMIT_PINNED, [ids, ids.length, COMMITTABLE]);
    this.stock.take(tx, mergeQuantities(holds.flatMap(({ lines }) => lines)));
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

  /** What was sold comes back, at most once per order and SKU. */
  restock(tx: Tx, restocks: readonly Restock[], actor: string): Promise<void> {
    return this.stock.restock(tx, restocks, actor);
  }

  private insert(tx: Tx, holds: readonly GrantedHold[]): void {
    const rows = holds.map(({ request, alternative, lines, expiresAt }) => ({
      id: request.reservationId,
      currency: request.currency,
      total: totalOf(lines),
      alternative,
      expiresAt,
      orderId: request.orderId ?? null,
      pinnedBy: request.pinnedBy ?? null,
      customerId: request.customerId ?? null,
    }));
    tx.send(INSERT, INSERT.params(rows));
    const lines = holds.flatMap(({ request, lines }) =>
      lines.map((line) => ({ reservationId: request.reservationId, ...line })),
    );
    tx.send(INSERT_LINES, INSERT_LINES.params(lines));
  }

  /** The guarded move out of HELD, and what the holds that moved had reserved. */
  private async end(tx: Tx, ids: readonly string[], to: ReservationState) {
    this.lockInOrder(tx, ids);
    const moved = tx.query<{ id: string }>(END, [ids, to, guardOf(RESERVATION_TRANSITIONS, to)]);
    const [rows, lines] = await Promise.all([moved, tx.query<LineRow>(LINES, [ids])]);
    const ended = idsOf(rows);
    return { ended, quantities: mergeQuantities(lines.filter(({ reservationId }) => ended.has(reservationId))) };
  }

  private async lockWithLines(tx: Tx, ids: readonly string[]) {
    const [rows, lines] = await Promise.all([tx.query<Reservation>(LOCK, [ids]), tx.query<LineRow>(LINES, [ids])]);
    const linesOf = new Map<string, PricedLine[]>(rows.map(({ id }) => [id, []]));
    for (const { reservationId, ...line } of lines) linesOf.get(reservationId)?.push(line);
    return { held: new Map(rows.map((row) => [row.id, row])), lines: linesOf };
  }

  /** An UPDATE of several rows locks them in no order we could rely on. */
  private lockInOrder(tx: Tx, ids: readonly string[]): void {
    if (ids.length > 1) tx.send(LOCK, [ids]);
  }
}

function versionsOf(requests: readonly HoldRequest[]): Versions {
  const versions = new Map<string, number>();
  for (const request of requests) {
    for (const [sku, version] of Object.entries(request.versions ?? {})) {
      if ((versions.get(sku) ?? version) !== version) throw new GuardFailedError(`the price of ${sku}`);
      versions.set(sku, version);
    }
  }
  return versions;
}

function assertVersions(rows: ReadonlyMap<string, StockRow>, versions: Versions): void {
  for (const [sku, version] of versions) {
    if (rows.get(sku)?.version !== version) throw new GuardFailedError(`the price of ${sku}`);
  }
}

function idsOf(rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id));
}
