import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { operatorOf, type VerbBody, verbSchema } from '../../platform/audit-trail/operator.js';
import { Access, type Caller, CurrentCaller } from '../../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems } from '../../platform/http/openapi/decorators.js';
import { type SagaPage, SagaOperatorService } from './saga-operator.service.js';
import {
  sagaIdSchema,
  type SagaListQuery,
  sagaListSchema,
  sagaPageSchema,
  type SagaView,
  sagaViewSchema,
} from './saga.dto.js';

@ApiTags('sagas')
@Access('admin')
@Controller('v1/sagas')
export class SagaController {
  constructor(private readonly operator: SagaOperatorService) {}

  @Get()
  @ApiOperation({
    operationId: 'listSagas',
    summary: 'Sagas, newest first',
    description:
      'Filter by `state`: `STUCK` lists those that need a person. A saga is the durable progress of one checkout, refund or cancellation. ' +
      'A page may be short, even empty, and still have a `nextCursor`: what is rare is looked for a part at a time.',
  })
  @ApiAnswer(200, 'A page of sagas', sagaPageSchema)
  list(@Query({ schema: sagaListSchema }) query: SagaListQuery): Promise<SagaPage> {
    return this.operator.list(query);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getSaga',
    summary: 'A saga with its step log and audit trail',
    description:
      'The log says which steps ran, how often and with what result; the audit trail says which operator did what, and why.',
  })
  @ApiAnswer(200, 'The saga', sagaViewSchema)
  @ApiProblems('SAGA_NOT_FOUND')
  get(@Param('id', { schema: sagaIdSchema }) id: string): Promise<SagaView> {
    return this.operator.view(id);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'retrySaga',
    summary: 'Try a STUCK saga again, from where it stopped',
    description:
      'The saga goes on with the step that gave up. Give a reason: it is kept in the audit trail with the name of the API key’s client.',
  })
  @ApiAnswer(200, 'The saga as it goes on', sagaViewSchema)
  @ApiProblems('SAGA_NOT_FOUND', 'INVALID_STATE')
  retry(
    @Param('id', { schema: sagaIdSchema }) id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<SagaView> {
    return this.operator.apply(id, 'retry', operatorOf(caller, body));
  }

  @Post(':id/compensate')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'compensateSaga',
    summary: 'Turn a saga back, unless it has passed its pivot',
    description:
      'Its steps are compensated in reverse order: the charge is paid back, the stock is released, the order is rejected. A saga that has passed its pivot only goes forward (409).',
  })
  @ApiAnswer(200, 'The saga as it goes on', sagaViewSchema)
  @ApiProblems('SAGA_NOT_FOUND', 'INVALID_STATE')
  compensate(
    @Param('id', { schema: sagaIdSchema }) id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<SagaView> {
    return this.operator.apply(id, 'compensate', operatorOf(caller, body));
  }

  @Post(':id/resolve')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'resolveSaga',
    summary: 'Close a STUCK saga whose effects were settled by hand',
    description:
      'Nothing is done any more: the saga is RESOLVED, and what is left of it is the operator’s. Give a reason: it is kept in the audit trail.',
  })
  @ApiAnswer(200, 'The saga as it goes on', sagaViewSchema)
  @ApiProblems('SAGA_NOT_FOUND', 'INVALID_STATE')
  resolve(
    @Param('id', { schema: sagaIdSchema }) id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<SagaView> {
    return this.operator.apply(id, 'resolve', operatorOf(caller, body));
  }
}
