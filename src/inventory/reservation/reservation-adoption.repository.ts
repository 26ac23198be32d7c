import { Injectable } from '@nestjs/common';
import { nameClaims } from '../../balance/allowance.js';
import { statement } from '../../platform/postgres/statement.js';
import type { Tx } from '../../platform/postgres/tx.js';
import {
  type Adoption,
  type AdoptionVerdict,
  areSameLines,
  type ExceededAllowance,
  type HoldTerms,
  type PricedLine,
  type Reservation,
} from './reservation.js';
import { ReservationClaimsRepository } from './reservation-claims.repository.js';

type LineRow = PricedLine & { readonly reservationId: string };
type AdoptionWithTerms = Adoption & { readonly terms: HoldTerms };

const LOCK = statement(
  'reservation.lock',
  `SELECT id, state, currency, total, expires_at AS "expiresAt", order_id AS "orderId", pinned_by AS "pinnedBy",
     state = 'HELD' AND pinned_by IS NULL AND expires_at <= now() AS "isOverdue"
   FROM reservations WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
);

type Locked = Pick<
  Reservation,
  'id' | 'state' | 'currency' | 'total' | 'expiresAt' | 'orderId' | 'pinnedBy' | 'isOverdue'
>;

const LINES = statement(
  'reservation.lines-of-adopted',
  `SELECT reservation_id AS "reservationId", sku, name, quantity, unit_amount AS "unitAmount"
   FROM reservation_lines WHERE reservation_id = ANY($1::uuid[]) ORDER BY reservation_id, sku`,
);

const ADOPT = statement(
  'reservation.adopt',
  `UPDATE reservations AS held SET pinned_by = adoption.saga_id, order_id = adoption.order_id, updated_at = now()
   FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS adoption (id, saga_id, order_id) WHERE held.id = adoption.id`,
);

const SET_TERMS = statement(
  'reservation.set-terms',
  `UPDATE reservations AS held SET terms = agreed.terms, total = agreed.total,
     has_claims = CASE WHEN agreed.has_claims THEN true END
   FROM unnest($1::uuid[], $2::jsonb[], $3::int8[], $4::boolean[]) AS agreed (id, terms, total, has_claims)
   WHERE held.id = agreed.id`,
);

/** Phase two of a hold: a saga takes it for its order, and pins it. */
@Injectable()
export class ReservationAdoptionRepository {
  constructor(private readonly claims: ReservationClaimsRepository) {}

  async adopt(tx: Tx, adoptions: readonly Adoption[], token?: bigint): Promise<readonly AdoptionVerdict[]> {
    const { held, lines } = await this.lockWithLines(
      tx,
      adoptions.map(({ reservationId }) => reservationId),
    );
    const owners = new Map<string, string>();
    const verdicts = adoptions.map((adoption) => {
      const reservation = held.get(adoption.reservationId);
      const verdict = judge(adoption, reservation, lines.get(adoption.reservationId) ?? [], owners);
      if (verdict.kind === 'adopted') owners.set(adoption.reservationId, adoption.orderId);
      return verdict;
    });
    const exceeded = await this.agree(
      tx,
      adoptions.filter((_, index) => verdicts[index]?.kind === 'adopted').filter(hasTerms),
      token,
    );
    const answers = verdicts.map((verdict, index): AdoptionVerdict => {
      const allowance = exceeded.get(adoptions[index]?.orderId ?? '');
      return verdict.kind === 'adopted' && allowance ? { kind: 'exceeded', allowance } : verdict;
    });
    const adopted = adoptions.filter((_, index) => answers[index]?.kind === 'adopted');
    if (adopted.length > 0) {
      tx.send(ADOPT, [
        adopted.map(({ reservationId }) => reservationId),
        adopted.map(({ sagaId }) => sagaId),
        adopted.map(({ orderId }) => orderId),
      ]);
    }
    return answers;
  }

  /** The coupons of the checkout in place of those of the hold, and limits, now that it is known who buys. */
  private async agree(
    tx: Tx,
    adoptions: readonly AdoptionWithTerms[],
    token?: bigint,
  ): Promise<Map<string, ExceededAllowance>> {
    if (adoptions.length === 0) return new Map();
    const changes = adoptions.map(({ reservationId, terms, customer }) => ({
      reservationId,
      claims: nameClaims(terms.claims, customer),
    }));
    const verdicts = await this.claims.change(tx, changes, token);
    const agreed = adoptions.filter((_, index) => verdicts[index] === undefined);
    tx.send(SET_TERMS, [
      agreed.map(({ reservationId }) => reservationId),
      agreed.map(({ terms }) => JSON.stringify(terms)),
      agreed.map(({ total }) => total),
      agreed.map(({ terms, customer }) => nameClaims(terms.claims, customer).length > 0),
    ]);
    return new Map(
      adoptions.flatMap(({ orderId }, index) => {
        const allowance = verdicts[index];
        return allowance ? [[orderId, allowance] as const] : [];
      }),
    );
  }

  private async lockWithLines(tx: Tx, ids: readonly string[]) {
    const [rows, lines] = await Promise.all([tx.query<Locked>(LOCK, [ids]), tx.query<LineRow>(LINES, [ids])]);
    const linesOf = new Map<string, PricedLine[]>(rows.map(({ id }) => [id, []]));
    for (const { reservationId, ...line } of lines) linesOf.get(reservationId)?.push(line);
    return { held: new Map(rows.map((row) => [row.id, row])), lines: linesOf };
  }
}

function judge(
  adoption: Adoption,
  reservation: Locked | undefined,
  lines: readonly PricedLine[],
  owners: ReadonlyMap<string, string>,
): AdoptionVerdict {
  if (!reservation) return { kind: 'missing' };
  const { state, orderId, pinnedBy, expiresAt, currency, total } = reservation;
  if (state !== 'HELD') return { kind: 'ended', state, expiresAt };
  const owner = orderId ?? owners.get(reservation.id);
  if (owner !== undefined && owner !== adoption.orderId) return { kind: 'busy' };
  if (pinnedBy !== null && pinnedBy !== adoption.sagaId) return { kind: 'busy' };
  if (reservation.isOverdue) return { kind: 'ended', state: 'EXPIRED', expiresAt };
  // A checkout without coupons of its own pays what the hold costs.
  const isSamePrice = adoption.isRepriced === true || adoption.total === total;
  if (!isSamePrice || !areSameLines(lines, adoption.lines)) return { kind: 'changed', lines, currency, total };
  return { kind: 'adopted', expiresAt };
}

function hasTerms(adoption: Adoption): adoption is AdoptionWithTerms {
  return adoption.terms !== undefined;
}
