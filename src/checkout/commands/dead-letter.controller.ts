import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { operatorOf, type VerbBody, verbSchema } from '../../platform/audit-trail/operator.js';
import { Access, type Caller, CurrentCaller } from '../../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems } from '../../platform/http/openapi/decorators.js';
import {
  deadLetterIdSchema,
  type DeadLetterListQuery,
  deadLetterListSchema,
  type DeadLetterPage,
  deadLetterPageSchema,
  type DeadLetterView,
  deadLetterViewSchema,
} from './dead-letter.dto.js';
import { DeadLetterService } from './dead-letter.service.js';

@ApiTags('operations')
@Access('admin')
@Controller('v1/dead-letters')
export class DeadLetterController {
  constructor(private readonly letters: DeadLetterService) {}

  @Get()
  @ApiOperation({
    operationId: 'listDeadLetters',
    summary: 'Commands from the stream that could not be processed, newest first',
    description:
      'Filter by `state`. A command is dead after all its deliveries have failed, or when its message cannot be understood.',
  })
  @ApiAnswer(200, 'A page of dead letters', deadLetterPageSchema)
  list(@Query({ schema: deadLetterListSchema }) query: DeadLetterListQuery): Promise<DeadLetterPage> {
    return this.letters.list(query);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getDeadLetter',
    summary: 'A dead letter with its reason and its message',
    description: 'The message is as it arrived, so that it can be corrected and sent again.',
  })
  @ApiAnswer(200, 'The dead letter', deadLetterViewSchema)
  @ApiProblems('DEAD_LETTER_NOT_FOUND')
  get(@Param('id', { schema: deadLetterIdSchema }) id: string): Promise<DeadLetterView> {
    return this.letters.get(id);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'retryDeadLetter',
    summary: 'Process the command again, under its own id',
    description: 'Answers RETRIED with the order that came of it, or OPEN with the reason of this attempt.',
  })
  @ApiAnswer(200, 'The dead letter as it is now', deadLetterViewSchema)
  @ApiProblems('DEAD_LETTER_NOT_FOUND', 'INVALID_STATE')
  retry(
    @Param('id', { schema: deadLetterIdSchema }) id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<DeadLetterView> {
    return this.letters.retry(id, operatorOf(caller, body));
  }

  @Post(':id/discard')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'discardDeadLetter',
    summary: 'Close a dead letter that nobody will process',
    description: 'It stays readable, with the name of the client that discarded it.',
  })
  @ApiAnswer(200, 'Discarded', deadLetterViewSchema)
  @ApiProblems('DEAD_LETTER_NOT_FOUND', 'INVALID_STATE')
  discard(
    @Param('id', { schema: deadLetterIdSchema }) id: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<DeadLetterView> {
    return this.letters.discard(id, operatorOf(caller, body));
  }
}
