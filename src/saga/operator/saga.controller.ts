import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems } from '../../platform/http/openapi/decorators.js';
import { SagaOperatorService } from './saga-operator.service.js';
import {
  sagaIdSchema,
  type SagaListQuery,
  sagaListSchema,
  sagaPageSchema,
  type SagaView,
  sagaViewSchema,
  type VerbBody,
  verbSchema,
} from './saga.dto.js';
import type { SagaSummary } from './saga-operator.repository.js';

@ApiTags('sagas')
@Access('admin')
@Controller('v1/sagas')
export class SagaController {
  constructor(private readonly operator: SagaOperatorService) {}

  @Get()
  @ApiOperation({ operationId: 'listSagas', summary: 'Sagas, newest first' })
  @ApiAnswer(200, 'A page of sagas', sagaPageSchema)
  list(
    @Query({ schema: sagaListSchema }) query: SagaListQuery,
  ): Promise<{ items: SagaSummary[]; nextCursor: string | null }> {
    return this.operator.list(query);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getSaga', summary: 'A saga with its step log and audit trail' })
  @ApiAnswer(200, 'The saga', sagaViewSchema)
  @ApiProblems('SAGA_NOT_FOUND')
  get(@Param('id', { schema: sagaIdSchema }) id: string): Promise<SagaView> {
    return this.operator.view(id);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @ApiOperation({ operationId: 'retrySaga', summary: 'Try a STUCK saga again, from where it stopped' })
  @ApiAnswer(200, 'The saga as it goes on', sagaViewSchema)
  @ApiProblems('SAGA_NOT_FOUND', 'INVALID_STATE')
  retry(
    @Param('id', { schema: sagaIdSchema }) id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<SagaView> {
    return this.operator.apply(id, 'retry', caller.client, body.reason);
  }

  @Post(':id/compensate')
  @HttpCode(200)
  @ApiOperation({ operationId: 'compensateSaga', summary: 'Turn a saga back, unless it has passed its pivot' })
  @ApiAnswer(200, 'The saga as it goes on', sagaViewSchema)
  @ApiProblems('SAGA_NOT_FOUND', 'INVALID_STATE')
  compensate(
    @Param('id', { schema: sagaIdSchema }) id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<SagaView> {
    return this.operator.apply(id, 'compensate', caller.client, body.reason);
  }

  @Post(':id/resolve')
  @HttpCode(200)
  @ApiOperation({ operationId: 'resolveSaga', summary: 'Close a STUCK saga whose effects were settled by hand' })
  @ApiAnswer(200, 'The saga as it goes on', sagaViewSchema)
  @ApiProblems('SAGA_NOT_FOUND', 'INVALID_STATE')
  resolve(
    @Param('id', { schema: sagaIdSchema }) id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<SagaView> {
    return this.operator.apply(id, 'resolve', caller.client, body.reason);
  }
}
