import type { SaleAuditEntity, SaleEntity, SaleTicketEntity } from './sale.entity.js';

export type Sale = Readonly<Omit<SaleEntity, 'seed'>>;
export type SaleAudit = Readonly<Omit<SaleAuditEntity, 'id' | 'saleId'>>;

export const SALE_STATES = ['SCHEDULED', 'RUNNING', 'PAUSED', 'SOLD_OUT', 'ENDED'] as const;
export type SaleState = (typeof SALE_STATES)[number];

export const TICKET_STATES = ['WAITING', 'ADMITTED', 'EXPIRED', 'SOLD_OUT'] as const;
export type TicketState = (typeof TICKET_STATES)[number];

/** `isSpent`: the reservation that it was used for is held or bought. */
export type Ticket = Readonly<
  Pick<
    SaleTicketEntity,
    'id' | 'saleId' | 'arrival' | 'place' | 'customerId' | 'email' | 'admittedUntil' | 'reservationId'
  >
> & { readonly isSpent: boolean };

/** What an operator sets. */
export type SaleTerms = Pick<
  Sale,
  'id' | 'group' | 'skus' | 'startsAt' | 'endsAt' | 'admitPerSecond' | 'maxActive' | 'ticketTtlSeconds'
>;

export function hasEnded({ endedAt, endsAt }: Pick<Sale, 'endedAt' | 'endsAt'>, now: Date): boolean {
  return endedAt !== null || (endsAt !== null && endsAt <= now);
}

export function saleState(sale: Sale, now: Date): SaleState {
  if (hasEnded(sale, now)) return 'ENDED';
  if (sale.soldOutAt) return 'SOLD_OUT';
  if (sale.pausedAt) return 'PAUSED';
  return sale.startsAt > now ? 'SCHEDULED' : 'RUNNING';
}

/** Whoever waits hears at once that everything is sold; so does who was called and has taken nothing. */
export function ticketState(sale: Sale, ticket: Ticket, now: Date): TicketState {
  if (ticket.isSpent) return 'ADMITTED';
  if (ticket.admittedUntil && ticket.admittedUntil <= now) return 'EXPIRED';
  if (sale.soldOutAt) return 'SOLD_OUT';
  if (hasEnded(sale, now)) return 'EXPIRED';
  return ticket.admittedUntil ? 'ADMITTED' : 'WAITING';
}

/** How many are called before this one; before the draw, how many came before. */
export function positionOf(sale: Sale, ticket: Ticket): number {
  if (ticket.admittedUntil) return 0;
  return Math.max(1, (ticket.place ?? ticket.arrival) - sale.admitted);
}

/** By the rate alone: how fast those who are called make room for others nobody knows. */
export function estimatedWaitSeconds(sale: Sale, ticket: Ticket, now: Date): number {
  if (ticket.admittedUntil) return 0;
  const untilStart = Math.max(0, sale.startsAt.getTime() - now.getTime()) / 1_000;
  return Math.ceil(untilStart + positionOf(sale, ticket) / sale.admitPerSecond);
}
