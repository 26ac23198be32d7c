import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../platform/http/auth/caller.js';
import { ApiAnswer } from '../platform/http/openapi/decorators.js';
import { type HeldLocks, heldLocksSchema } from './held-lock.dto.js';
import { LockService } from './lock.service.js';

@ApiTags('operations')
@Access('admin')
@Controller('v1/locks')
export class LockController {
  constructor(private readonly locks: LockService) {}

  @Get()
  @ApiOperation({
    operationId: 'listLocks',
    summary: 'The locks that are held now, by any instance',
    description:
      'Key, owner, age, remaining lease and waiters, for operators who want to know what a checkout waits for.',
  })
  @ApiAnswer(200, 'The locks', heldLocksSchema)
  async list(): Promise<HeldLocks> {
    return { items: await this.locks.list() };
  }
}
