import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, type Caller, CurrentCaller } from '../../platform/http/auth/caller.js';
import { Idempotent, type IdempotentRequest, send } from '../../platform/idempotency/idempotency.js';
import { ReservationIntake } from './reservation-intake.service.js';
import { ApiAnswer, ApiProblems, ApiProof, ApiSaleTicket } from '../../platform/http/openapi/decorators.js';
import {
  createdReservationSchema,
  type ExtensionInput,
  extensionSchema,
  type ReservationInput,
  reservationIdSchema,
  type ReservationLinesInput,
  reservationLinesSchema,
  type ReservationResponse,
  reservationResponseSchema,
  reservationSchema,
} from './reservation.dto.js';
import { ReservationEditService } from './reservation-edit.service.js';
import { ReservationService } from './reservation.service.js';

@ApiTags('reservations')
@Controller('v1/reservations')
@Access('storefront')
export class ReservationController {
  constructor(
    private readonly holds: ReservationIntake,
    private readonly reservations: ReservationService,
    private readonly edits: ReservationEditService,
  ) {}

  @Post()
  @ApiOperation({
    operationId: 'createReservation',
    summary: 'Hold lines, the first of several alternatives that can be held whole, or the best seats of a group',
    description:
      'All or nothing, for 15 minutes unless configured otherwise. The answer has the `accessToken` with which the hold is read, extended, released or bought.',
  })
  @ApiAnswer(201, 'Held', createdReservationSchema, ['Location'])
  @ApiSaleTicket()
  @ApiProblems(
    'SKU_NOT_FOUND',
    'COUPON_NOT_FOUND',
    'ADMISSION_REQUIRED',
    'OUT_OF_STOCK',
    'COUPON_EXHAUSTED',
    'COUPON_NOT_APPLICABLE',
    'LIMIT_EXCEEDED',
    'LOCK_TIMEOUT',
  )
  async create(
    @Idempotent() request: IdempotentRequest,
    @CurrentCaller() caller: Caller,
    @Body({ schema: reservationSchema }) body: ReservationInput,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.holds.create(request, caller, body));
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getReservation',
    summary: 'Read a reservation',
    description: '`state` is EXPIRED from `expiresAt` on, also before the clean-up has noticed.',
  })
  @ApiProof()
  @ApiAnswer(200, 'The reservation', reservationResponseSchema)
  @ApiProblems('RESERVATION_NOT_FOUND')
  get(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: reservationIdSchema }) id: string,
  ): Promise<ReservationResponse> {
    return this.reservations.get(caller, id);
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'releaseReservation',
    summary: 'Release a reservation; twice is as good as once',
    description: 'The stock is free at once. A reservation that was bought or has expired is not released (409, 410).',
  })
  @ApiProof()
  @ApiAnswer(200, 'Released', reservationResponseSchema)
  @ApiProblems('RESERVATION_NOT_FOUND', 'RESERVATION_EXPIRED', 'INVALID_STATE')
  release(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: reservationIdSchema }) id: string,
  ): Promise<ReservationResponse> {
    return this.reservations.release(caller, id);
  }

  @Put(':id/lines')
  @ApiOperation({
    operationId: 'changeReservation',
    summary: 'Change what a reservation holds, all or nothing',
    description:
      'If the new lines cannot be held, the reservation stays as it was. It ends when it would have ended. ' +
      'A line of which no more is wanted keeps its price; a new line, and one of which more is wanted, has the price of now.',
  })
  @ApiProof()
  @ApiAnswer(200, 'Changed', reservationResponseSchema)
  @ApiProblems(
    'SKU_NOT_FOUND',
    'RESERVATION_NOT_FOUND',
    'RESERVATION_EXPIRED',
    'INVALID_STATE',
    'OUT_OF_STOCK',
    'COUPON_EXHAUSTED',
    'COUPON_NOT_APPLICABLE',
    'LIMIT_EXCEEDED',
    'LOCK_TIMEOUT',
  )
  change(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: reservationIdSchema }) id: string,
    @Body({ schema: reservationLinesSchema }) { lines }: ReservationLinesInput,
  ): Promise<ReservationResponse> {
    return this.edits.change(caller, id, lines);
  }

  @Post(':id/extend')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'extendReservation',
    summary: 'Extend a reservation, within the limit of all its extensions',
    description:
      'Moves `expiresAt`. All extensions of a reservation together are limited; the problem says what is left.',
  })
  @ApiProof()
  @ApiAnswer(200, 'Extended', reservationResponseSchema)
  @ApiProblems('RESERVATION_NOT_FOUND', 'RESERVATION_EXPIRED', 'INVALID_STATE', 'EXTENSION_LIMIT')
  extend(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: reservationIdSchema }) id: string,
    @Body({ schema: extensionSchema }) { seconds }: ExtensionInput,
  ): Promise<ReservationResponse> {
    return this.reservations.extend(caller, id, seconds);
  }
}
