import { Body, Controller, Get, Ip, Param, Post, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, type Caller, CurrentCaller } from '../../platform/http/auth/caller.js';
import { streamTo } from '../../platform/http/event-stream.js';
import { LongLived } from '../../platform/http/limits/rate-limiter.js';
import { ApiAnswer, ApiProblems } from '../../platform/http/openapi/decorators.js';
import { Idempotent, type IdempotentRequest, send } from '../../platform/idempotency/idempotency.js';
import { saleIdSchema } from '../sale.dto.js';
import { TicketEventsService } from './ticket-events.service.js';
import {
  createdTicketSchema,
  ticketEventsSchema,
  ticketIdSchema,
  type TicketInput,
  ticketResponseSchema,
  ticketSchema,
} from './ticket.dto.js';
import { TicketService } from './ticket.service.js';

const SaleId = () => Param('id', { schema: saleIdSchema });
const TicketId = () => Param('ticketId', { schema: ticketIdSchema });

@ApiTags('sales')
@Controller('v1/sales/:id/tickets')
export class TicketController {
  constructor(
    private readonly tickets: TicketService,
    private readonly events: TicketEventsService,
  ) {}

  @Post()
  @Access('storefront')
  @ApiOperation({
    operationId: 'createSaleTicket',
    summary: 'Join the queue of a sale: one ticket per customer and e-mail',
    description:
      'Who joins before the start takes part in a draw of the places; who joins later stands at the end. A customer who proves who they are (JWT) gets their ticket again with 200; nobody else does, as the token is all that it takes to buy.',
  })
  @ApiAnswer(201, 'In the queue', createdTicketSchema, ['Location', 'Retry-After'])
  @ApiAnswer(200, 'The ticket that the customer has already', createdTicketSchema, ['Retry-After'])
  @ApiProblems('SALE_NOT_FOUND', 'LIMIT_EXCEEDED', 'INVALID_STATE')
  async create(
    @Idempotent() request: IdempotentRequest,
    @SaleId() id: string,
    @CurrentCaller() caller: Caller,
    @Body({ schema: ticketSchema }) body: TicketInput,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.tickets.create(request, id, caller, body));
  }

  @Get(':ticketId')
  @Access('storefront')
  @ApiOperation({
    operationId: 'getSaleTicket',
    summary: 'How a ticket stands; ask again after Retry-After',
    description:
      'Cheap to ask for: `Retry-After` says when it can have changed. `eventsUrl` follows it without asking.',
  })
  @ApiHeader({ name: 'X-Sale-Ticket', required: false, description: 'The ticket’s token; an admin needs none' })
  @ApiAnswer(200, 'The ticket', ticketResponseSchema, ['Retry-After'])
  @ApiProblems('SALE_NOT_FOUND')
  async get(
    @SaleId() id: string,
    @TicketId() ticketId: string,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.tickets.get(id, ticketId, caller));
  }

  @Get(':ticketId/events')
  @Access('open')
  @LongLived()
  @ApiOperation({
    operationId: 'followSaleTicket',
    summary: 'Follow a ticket: `ticket.state` when it changes, and its position now and then (server-sent events)',
    description: 'Open it with the `eventsUrl` of the ticket: its token opens this stream and nothing else.',
  })
  @ApiOkResponse({ description: 'The stream', content: { 'text/event-stream': { schema: { type: 'string' } } } })
  @ApiProblems('SALE_NOT_FOUND', 'RATE_LIMITED')
  async follow(
    @SaleId() id: string,
    @TicketId() ticketId: string,
    @Query({ schema: ticketEventsSchema }) { token }: { token: string },
    @Ip() address: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    return streamTo(reply, await this.events.follow(id, ticketId, token, address));
  }
}
