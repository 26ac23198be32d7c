import { Body, Controller, Delete, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, type Caller, CurrentCaller } from '../infrastructure/http/auth/caller.js';
import { Idempotent, type IdempotentRequest, send } from '../infrastructure/idempotency/idempotency.js';
import { HoldService } from './hold.service.js';
import {
  type ExtensionInput,
  extensionSchema,
  type ReservationInput,
  type ReservationResponse,
  reservationSchema,
} from './reservation.dto.js';
import { ReservationService } from './reservation.service.js';

@ApiTags('reservations')
@Controller('v1/reservations')
@Access('storefront')
export class ReservationController {
  constructor(
    private readonly holds: HoldService,
    private readonly reservations: ReservationService,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Hold lines, or the first of several alternatives that can be held whole' })
  async create(
    @Idempotent() request: IdempotentRequest,
    @CurrentCaller() caller: Caller,
    @Body({ schema: reservationSchema }) body: ReservationInput,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.holds.create(request, caller, body));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a reservation' })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ReservationResponse> {
    return this.reservations.get(caller, id);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Release a reservation' })
  release(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ReservationResponse> {
    return this.reservations.release(caller, id);
  }

  @Post(':id/extend')
  @HttpCode(200)
  @ApiOperation({ summary: 'Extend a reservation, within the limit of all its extensions' })
  extend(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: extensionSchema }) { seconds }: ExtensionInput,
  ): Promise<ReservationResponse> {
    return this.reservations.extend(caller, id, seconds);
  }
}
