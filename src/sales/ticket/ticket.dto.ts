import { hash } from 'node:crypto';
import { z } from 'zod';
import { ONE_LINE } from '../../common/text.js';
import { timeSchema } from '../../platform/http/fields.js';
import { estimatedWaitSeconds, positionOf, type Sale, type Ticket, TICKET_STATES, ticketState } from '../sale.js';

/** Rare enough for ten thousand who wait, and often enough that all of them hear within five seconds that nothing is left. */
const MAX_POLL_SECONDS = 4;
const MAX_POLL_BEFORE_START_SECONDS = 30;

export const ticketSchema = z
  .strictObject({
    customer: z
      .strictObject({
        id: z.string().min(1).max(200).regex(ONE_LINE).optional(),
        email: z.email().max(320).optional(),
      })
      .default({}),
  })
  .default({ customer: {} })
  .meta({ id: 'SaleTicketRequest', examples: [{ customer: { email: 'ada@example.com' } }] });

export type TicketInput = z.infer<typeof ticketSchema>;

export const ticketIdSchema = z.string().meta({ format: 'uuid', description: 'The ticket’s id' });
export const ticketEventsSchema = z.strictObject({
  token: z.string().max(200).meta({ description: 'As `eventsUrl` has it: for this ticket’s events alone' }),
});

export const ticketResponseSchema = z
  .object({
    id: z.uuid(),
    saleId: z.string().meta({ examples: ['noon'] }),
    state: z.enum(TICKET_STATES),
    position: z.int().meta({
      description:
        'Who is next has 1, who was called 0. Before the start the order of arrival, which the draw replaces.',
    }),
    estimatedWaitSeconds: z.int().meta({ description: 'By the rate of admission alone' }),
    admittedUntil: timeSchema.optional().meta({ description: 'Until then it can be used' }),
    reservationId: z.uuid().optional().meta({ description: 'What it is used up for, while that is held or bought' }),
    eventsUrl: z
      .string()
      .meta({ description: 'Server-sent events of this ticket, for an `EventSource`: needs no headers' }),
  })
  .meta({ id: 'SaleTicket' });

export const createdTicketSchema = ticketResponseSchema
  .extend({ token: z.string().meta({ description: 'Send it in X-Sale-Ticket to read the ticket and to buy' }) })
  .meta({ id: 'CreatedSaleTicket' });

export function toTicketResponse(sale: Sale, ticket: Ticket, eventsUrl: string, now: Date) {
  const state = ticketState(sale, ticket, now);
  const { id, saleId, admittedUntil, reservationId, isSpent } = ticket;
  const isWaiting = state === 'WAITING';
  return {
    id,
    saleId,
    state,
    position: isWaiting ? positionOf(sale, ticket) : 0,
    estimatedWaitSeconds: isWaiting ? estimatedWaitSeconds(sale, ticket, now) : 0,
    ...(admittedUntil && { admittedUntil: admittedUntil.toISOString() }),
    ...(isSpent && reservationId !== null && { reservationId }),
    eventsUrl,
  };
}

export type TicketResponse = ReturnType<typeof toTicketResponse>;

/** Later where the wait is long. At the start not all at once: each ticket has its own delay. */
export function pollAfterSeconds(
  sale: Sale,
  { id, state, estimatedWaitSeconds: wait }: TicketResponse,
  now: Date,
): number {
  if (state !== 'WAITING') return MAX_POLL_SECONDS;
  const untilStart = Math.ceil((sale.startsAt.getTime() - now.getTime()) / 1_000);
  if (untilStart > 0) return Math.min(MAX_POLL_BEFORE_START_SECONDS, untilStart) + (spreadOf(id) % MAX_POLL_SECONDS);
  return Math.min(MAX_POLL_SECONDS, Math.max(1, Math.floor(wait / 2)));
}

function spreadOf(id: string): number {
  return hash('sha1', id, 'buffer').readUInt16BE(0);
}
