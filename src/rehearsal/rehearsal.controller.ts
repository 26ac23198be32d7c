import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type ReservationResponse, reservationResponseSchema } from '../inventory/reservation/reservation.dto.js';
import { Access } from '../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems } from '../platform/http/openapi/decorators.js';
import { type ExpireBody, expireSchema, resetResponseSchema } from './rehearsal.dto.js';
import { RehearsalService } from './rehearsal.service.js';

@ApiTags('sandbox')
@Access('admin')
@Controller('v1/sandbox')
export class RehearsalController {
  constructor(private readonly rehearsals: RehearsalService) {}

  @Post('reset')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'resetSandbox',
    summary: 'Forget everything: orders, stock, webhook endpoints, faults; the demo catalogue is there again',
    description:
      'For tests of a shop, between two of them. For a service of one instance: others would go on with what they have in memory. Does not exist in production.',
  })
  @ApiAnswer(200, 'As after the first start', resetResponseSchema)
  reset(): Promise<{ tables: number; ms: number }> {
    return this.rehearsals.reset();
  }

  @Post('expire')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'expireReservation',
    summary: 'End a hold now, as if its time were over',
    description: 'For tests of a shop, which need not wait for 15 minutes. Does not exist in production.',
  })
  @ApiAnswer(200, 'The reservation, EXPIRED', reservationResponseSchema)
  @ApiProblems('RESERVATION_NOT_FOUND', 'INVALID_STATE')
  expire(@Body({ schema: expireSchema }) { reservationId }: ExpireBody): Promise<ReservationResponse> {
    return this.rehearsals.expire(reservationId);
  }
}
