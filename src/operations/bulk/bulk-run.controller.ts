import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { operatorOf, type VerbBody, verbSchema } from '../../platform/audit-trail/operator.js';
import { Access, type Caller, CurrentCaller } from '../../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems } from '../../platform/http/openapi/decorators.js';
import { Idempotent, type IdempotentRequest, send } from '../../platform/idempotency/idempotency.js';
import {
  bulkIdSchema,
  type BulkListQuery,
  bulkListSchema,
  bulkPageSchema,
  type BulkPlan,
  bulkPlanSchema,
  bulkRunSchema,
  type ItemListQuery,
  itemListSchema,
  itemPageSchema,
} from './bulk-run.dto.js';
import type { BulkItem, BulkRun } from './bulk-run.entity.js';
import { BulkRunService } from './bulk-run.service.js';

const Run = () => Param('id', { schema: bulkIdSchema });

@ApiTags('operations')
@Access('admin')
@Controller('v1/bulk-runs')
export class BulkRunController {
  constructor(private readonly runs: BulkRunService) {}

  @Post()
  @ApiOperation({
    operationId: 'planBulkRun',
    summary: 'A dry run: what a verb would do to everything that a filter finds',
    description:
      'Nothing is done. The answer fixes the list of what would be touched, at most 10,000, and says what would happen to money and stock; `start` within 15 minutes does exactly that. What has moved on by then is refused, one by one.',
  })
  @ApiAnswer(201, 'Planned', bulkRunSchema, ['Location'])
  async plan(
    @Idempotent() request: IdempotentRequest,
    @Body({ schema: bulkPlanSchema }) body: BulkPlan,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.runs.plan(request, body, caller.client));
  }

  @Get()
  @ApiOperation({
    operationId: 'listBulkRuns',
    summary: 'Bulk runs, newest first',
    description: 'Each with its counts: `done`, `refused` and `failed` of `total`.',
  })
  @ApiAnswer(200, 'A page of runs', bulkPageSchema)
  list(
    @Query({ schema: bulkListSchema }) query: BulkListQuery,
  ): Promise<{ items: BulkRun[]; nextCursor: string | null }> {
    return this.runs.list(query);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getBulkRun',
    summary: 'A bulk run and how far it is',
    description: 'It goes on without whoever started it, and on another instance if its own is lost.',
  })
  @ApiAnswer(200, 'The run', bulkRunSchema)
  @ApiProblems('BULK_RUN_NOT_FOUND')
  get(@Run() id: string): Promise<BulkRun> {
    return this.runs.get(id);
  }

  @Get(':id/items')
  @ApiOperation({
    operationId: 'listBulkItems',
    summary: 'What a bulk run touches, and what came of each',
    description: 'In the order in which it touches them. Filter by `state`: `FAILED` and `REFUSED` say why.',
  })
  @ApiAnswer(200, 'A page of items', itemPageSchema)
  @ApiProblems('BULK_RUN_NOT_FOUND')
  items(
    @Run() id: string,
    @Query({ schema: itemListSchema }) query: ItemListQuery,
  ): Promise<{ items: BulkItem[]; nextCursor: number | null }> {
    return this.runs.items(id, query);
  }

  @Post(':id/start')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'startBulkRun',
    summary: 'Start what was planned, or go on with what was stopped',
    description: 'Every item is an action of its own in the audit trail, with the run’s id.',
  })
  @ApiAnswer(200, 'Running', bulkRunSchema)
  @ApiProblems('BULK_RUN_NOT_FOUND', 'INVALID_STATE')
  start(
    @Run() id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<BulkRun> {
    return this.runs.start(id, operatorOf(caller, body));
  }

  @Post(':id/stop')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'stopBulkRun',
    summary: 'Stop it: the item under way is finished, no other is begun',
    description: 'What was done stays done; `start` goes on with the rest. A plan is discarded.',
  })
  @ApiAnswer(200, 'Stopped', bulkRunSchema)
  @ApiProblems('BULK_RUN_NOT_FOUND', 'INVALID_STATE')
  stop(
    @Run() id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<BulkRun> {
    return this.runs.stop(id, operatorOf(caller, body));
  }
}
