import { Injectable } from '@nestjs/common';
import { addUp, allocate, type Quantities } from '../../balance/allocation.js';
import { type NamedClaim, parseAllowanceKey } from '../../balance/allowance.js';
import { AllowanceRepository, claimed } from '../../balance/allowance.repository.js';
import { typesOf } from '../../platform/postgres/entity-columns.js';
import { overRows } from '../../platform/postgres/rows.js';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../platform/postgres/tx.js';
import type { ExceededAllowance } from './reservation.js';
import { ReservationClaimEntity } from './reservation.entity.js';

type ClaimRow = Readonly<Pick<ReservationClaimEntity, 'reservationId' | 'key' | 'quantity'>>;

export interface ClaimChange {
  readonly reservationId: string;
  /** What it claims from now on. */
  readonly claims: readonly NamedClaim[];
}

const INSERT = overRows<ClaimRow>(
  'claim.insert',
  typesOf(ReservationClaimEntity, ['reservationId', 'key', 'quantity']),
  (given) => `INSERT INTO reservation_claims (reservation_id, key, quantity) SELECT * FROM ${given}`,
);

const OF = statement(
  'claim.of',
  `SELECT reservation_id AS "reservationId", key, quantity FROM reservation_claims WHERE reservation_id = ANY($1::uuid[])`,
);

const DELETE = statement('claim.delete', `DELETE FROM reservation_claims WHERE reservation_id = ANY($1::uuid[])`);

/** Of orders whose goods were taken. */
const TAKEN_BY = statement(
  'claim.taken-by',
  `SELECT key, quantity FROM reservation_claims JOIN reservations ON reservations.id = reservation_id
   WHERE order_id = ANY($1::uuid[]) AND state = 'COMMITTED'`,
);

/** Coupons and limits of holds: held, taken and given back with the goods, in the same transactions. */
@Injectable()
export class ReservationClaimsRepository {
  constructor(private readonly allowances: AllowanceRepository) {}

  /** New holds, whose allowances are locked and have enough. */
  hold(tx: Tx, holds: readonly ClaimChange[], token?: bigint): void {
    const rows = rowsOf(holds);
    if (rows.length === 0) return;
    this.allowances.rows.hold(tx, claimed(rows), token);
    tx.send(...INSERT.over(rows));
  }

  /** Holds that end: what they claimed is used up, or available again. */
  async end(tx: Tx, reservationIds: readonly string[], isTaken: boolean): Promise<void> {
    if (reservationIds.length === 0) return;
    const quantities = claimed(await this.of(tx, reservationIds));
    if (isTaken) this.allowances.rows.take(tx, quantities);
    else this.allowances.rows.free(tx, quantities);
  }

  /** The same for claims that are known without a look. */
  take(tx: Tx, claims: readonly NamedClaim[]): void {
    this.allowances.rows.take(tx, claimed(claims));
  }

  /** The orders were cancelled: what they had used up is available again. */
  async giveBack(tx: Tx, orderIds: readonly string[]): Promise<void> {
    const claims = await tx.query<ClaimRow & Record<string, unknown>>(TAKEN_BY, [orderIds]);
    this.allowances.rows.giveBack(tx, claimed(claims));
  }

  /**
   * Other claims for holds, by the difference: nobody else can have in between what a hold keeps. In order of arrival. Answers
   * for each what was exceeded; then nothing of it was written.
   */
  async change(
    tx: Tx,
    changes: readonly ClaimChange[],
    token?: bigint,
  ): Promise<readonly (ExceededAllowance | undefined)[]> {
    const had = await this.of(
      tx,
      changes.map(({ reservationId }) => reservationId),
    );
    const left = await this.allowances.lock(tx, [...had, ...changes.flatMap(({ claims }) => claims)], token);
    const differences: [string, number][] = [];
    const landed: ClaimChange[] = [];
    const verdicts = changes.map((change) => {
      const own = claimed(had.filter(({ reservationId }) => reservationId === change.reservationId));
      const wanted = claimed(change.claims);
      const available = addUp([...left, ...own]);
      const [verdict] = allocate(available, [{ alternatives: [wanted] }]);
      if (verdict?.kind === 'short') return exceededOf(verdict.shortages[0]);
      const difference = differenceOf(wanted, own);
      for (const [key, quantity] of difference) left.set(key, (left.get(key) ?? 0) - quantity);
      differences.push(...difference);
      if (difference.size > 0) landed.push(change);
      return undefined;
    });
    if (landed.length > 0) this.rewrite(tx, landed, addUp(differences), token);
    return verdicts;
  }

  private rewrite(tx: Tx, landed: readonly ClaimChange[], differences: Quantities, token?: bigint): void {
    this.allowances.rows.hold(tx, differences, token);
    tx.send(DELETE, [landed.map(({ reservationId }) => reservationId)]);
    const rows = rowsOf(landed);
    if (rows.length > 0) tx.send(...INSERT.over(rows));
  }

  private of(db: Queryable, reservationIds: readonly string[]): Promise<(ClaimRow & Record<string, unknown>)[]> {
    return db.query(OF, [reservationIds]);
  }
}

export function exceededOf(
  shortage: { readonly key: string; readonly requested: number; readonly available: number } | undefined,
): ExceededAllowance {
  const { key = '', requested = 0, available = 0 } = shortage ?? {};
  return { ...parseAllowanceKey(key), requested, available: Math.max(0, available) };
}

/** What is wanted beyond what is had; negative where less is. */
function differenceOf(wanted: Quantities, had: Quantities): Map<string, number> {
  const sums = addUp([...wanted, ...Array.from(had, ([key, quantity]) => [key, -quantity] as const)]);
  return new Map([...sums].filter(([, quantity]) => quantity !== 0));
}

function rowsOf(changes: readonly ClaimChange[]): ClaimRow[] {
  return changes.flatMap(({ reservationId, claims }) =>
    Array.from(claimed(claims), ([key, quantity]) => ({ reservationId, key, quantity })),
  );
}
