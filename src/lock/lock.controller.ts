import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { HeldLocksDto } from './held-lock.dto.js';
import { LockService } from './lock.service.js';

@ApiTags('operations')
@Controller('v1/locks')
export class LockController {
  constructor(private readonly locks: LockService) {}

  @Get()
  @ApiOperation({ summary: 'The locks that are held now, by any instance' })
  @ApiOkResponse({ type: HeldLocksDto })
  async list(): Promise<HeldLocksDto> {
    return { items: await this.locks.list() };
  }
}
