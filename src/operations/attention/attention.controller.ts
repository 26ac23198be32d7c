import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../platform/http/auth/caller.js';
import { ApiAnswer } from '../../platform/http/openapi/decorators.js';
import { type Attention, attentionSchema } from './attention.dto.js';
import { AttentionService } from './attention.service.js';

@ApiTags('operations')
@Access('admin')
@Controller('v1/attention')
export class AttentionController {
  constructor(private readonly attention: AttentionService) {}

  @Get()
  @ApiOperation({
    operationId: 'listAttention',
    summary: 'What needs a person, by cause, and what to do about it',
    description:
      'Stuck sagas, payments long in doubt, authorisations that end soon or have ended, disputes, dead callbacks, deliveries and commands, broken invariants. Each group has the verb to use and what that will do to money and stock, said before it is done.',
  })
  @ApiAnswer(200, 'The groups, the oldest cause first', attentionSchema)
  list(): Promise<Attention> {
    return this.attention.list();
  }
}
