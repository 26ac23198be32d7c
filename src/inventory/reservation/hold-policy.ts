import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/postgres/tx.js';
import type { Caller } from '../../platform/http/auth/caller.js';

/** Who holds, as far as it is known: proven by a JWT, or named in the body of a checkout. */
export interface Holder {
  readonly caller: Caller;
  readonly customer?: { readonly id?: string | undefined; readonly email?: string | undefined };
}

/** A ticket of a sale that a hold uses up. */
export interface HoldTicket {
  readonly id: string;
  readonly saleId: string;
}

/** A ticket and the reservation that it is used up for. */
export interface TicketUse extends HoldTicket {
  readonly reservationId: string;
}

/** What decides, above the stock itself, who may hold it. */
export interface HoldPolicy {
  /** Throws where the holder may not; answers the tickets that the hold uses up. */
  admit(holder: Holder, skus: readonly string[]): readonly HoldTicket[] | Promise<readonly HoldTicket[]>;
  /** In the transaction of the holds, which fails where a ticket cannot be used any more. */
  use(tx: Tx, uses: readonly TicketUse[]): void;
  /** A hold that had run out was made anew under another id. */
  move(tx: Tx, moves: readonly { from: string; to: string }[]): void;
}

const NONE: readonly HoldTicket[] = [];

/** The place where a policy is put in: inventory does not know sales. */
@Injectable()
export class HoldPolicies implements HoldPolicy {
  private policy: HoldPolicy | undefined;

  follow(policy: HoldPolicy): void {
    this.policy = policy;
  }

  admit(holder: Holder, skus: readonly string[]): readonly HoldTicket[] | Promise<readonly HoldTicket[]> {
    return this.policy?.admit(holder, skus) ?? NONE;
  }

  use(tx: Tx, uses: readonly TicketUse[]): void {
    if (uses.length > 0) this.policy?.use(tx, uses);
  }

  move(tx: Tx, moves: readonly { from: string; to: string }[]): void {
    if (moves.length > 0) this.policy?.move(tx, moves);
  }
}

/** What holds that were granted use up. */
export function usesOf(reservationId: string, tickets: readonly HoldTicket[] | undefined): TicketUse[] {
  return tickets?.map((ticket) => ({ ...ticket, reservationId })) ?? [];
}
