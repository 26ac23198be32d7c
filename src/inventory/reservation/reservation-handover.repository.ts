import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/postgres/statement.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { GivenBack } from './reservation.js';
import { ReservationLifecycleRepository, ReservationSummary } from './reservation-lifecycle.repository.js';
import { LOCK_IN_ORDER } from './reservation.repository.js';

/** Only the order that has it can give it back, and only while it is held: what has ended stays ended. */
const GIVE_BACK = statement(
  'reservation.give-back',
  `UPDATE reservations AS held SET pinned_by = NULL, order_id = NULL, updated_at = now(),
     expires_at = coalesce(back.own_end, held.expires_at)
   FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS back (id, order_id, own_end)
   WHERE held.id = back.id AND held.order_id = back.order_id AND held.state = 'HELD'`,
);

const PROLONG = statement(
  'reservation.prolong',
  `UPDATE reservations AS held SET expires_at = now() + wish.seconds * interval '1 second', updated_at = now()
   FROM unnest($1::uuid[], $2::float8[]) AS wish (id, seconds)
   WHERE held.id = wish.id AND held.state = 'HELD' AND held.expires_at < now() + wish.seconds * interval '1 second'
   RETURNING held.id, held.expires_at AS "expiresAt"`,
);

/** A hold between its customer and a checkout: how long it is kept for a payment, and how it goes back. */
@Injectable()
export class ReservationHandoverRepository {
  constructor(private readonly lifecycle: ReservationLifecycleRepository) {}

  /** Until its own end it is its customer's again, to be bought with another card. Answers how each of them stands now. */
  async giveBack(tx: Tx, holds: readonly GivenBack[]): Promise<Map<string, ReservationSummary>> {
    if (holds.length === 0) return new Map();
    const ids = holds.map(({ reservationId }) => reservationId);
    tx.send(LOCK_IN_ORDER, [ids]);
    tx.send(GIVE_BACK, [ids, holds.map(({ orderId }) => orderId), holds.map(({ ownEnd }) => ownEnd ?? null)]);
    return this.lifecycle.summaries(tx, ids);
  }

  /** Those that would end sooner are held for so long from now on; answers their new ends. */
  async prolong(tx: Tx, holds: readonly { reservationId: string; seconds: number }[]): Promise<Map<string, Date>> {
    if (holds.length === 0) return new Map();
    const ids = holds.map(({ reservationId }) => reservationId);
    tx.send(LOCK_IN_ORDER, [ids]);
    const rows = await tx.query<{ id: string; expiresAt: Date }>(PROLONG, [ids, holds.map(({ seconds }) => seconds)]);
    return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt]));
  }
}
