import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../platform/http/auth/caller.js';
import { ApiAnswer } from '../../platform/http/openapi/decorators.js';
import {
  type HistoryListQuery,
  historyListSchema,
  type HistoryPage,
  historyPageSchema,
  type InvariantReport,
  invariantReportSchema,
} from './invariants.dto.js';
import { InvariantsService } from './invariants.service.js';

@ApiTags('operations')
@Access('admin')
@Controller('v1/invariants')
export class InvariantsController {
  constructor(private readonly invariants: InvariantsService) {}

  @Get()
  @ApiOperation({
    operationId: 'checkInvariants',
    summary: 'Every invariant, checked now',
    description:
      'Runs every check against the database: stock, money and states. `ok` is false, and the check names its violations, where something is wrong.',
  })
  @ApiAnswer(200, 'What holds and what does not', invariantReportSchema)
  check(): Promise<InvariantReport> {
    return this.invariants.check();
  }

  @Get('history')
  @ApiOperation({
    operationId: 'listInvariantHistory',
    summary: 'What the checks found, newest first',
    description:
      'Every instance checks every minute. Equal results are one entry with its beginning and its end, so that an entry begins where something changed. Kept for 90 days.',
  })
  @ApiAnswer(200, 'A page of results', historyPageSchema)
  history(@Query({ schema: historyListSchema }) query: HistoryListQuery): Promise<HistoryPage> {
    return this.invariants.listHistory(query);
  }
}
