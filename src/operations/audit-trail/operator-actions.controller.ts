import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../platform/http/auth/caller.js';
import { ApiAnswer } from '../../platform/http/openapi/decorators.js';
import { type ActionListQuery, actionListSchema, type ActionPage, actionPageSchema } from './operator-action.dto.js';
import { OperatorActionsService } from './operator-actions.service.js';

@ApiTags('operations')
@Access('admin')
@Controller('v1/operator-actions')
export class OperatorActionsController {
  constructor(private readonly actions: OperatorActionsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listOperatorActions',
    summary: 'The audit trail: what operators did, newest first',
    description:
      'Every verb that took effect: who, what, to what and why. Written in the transaction of the effect, so that neither is without the other; what was refused is not in it.',
  })
  @ApiAnswer(200, 'A page of actions', actionPageSchema)
  list(@Query({ schema: actionListSchema }) query: ActionListQuery): Promise<ActionPage> {
    return this.actions.list(query);
  }
}
