import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../infrastructure/http/auth/caller.js';
import type { InvariantReport } from './invariants.dto.js';
import { InvariantsService } from './invariants.service.js';

@ApiTags('operations')
@Access('admin')
@Controller('v1/invariants')
export class InvariantsController {
  constructor(private readonly invariants: InvariantsService) {}

  @Get()
  @ApiOperation({ summary: 'Every invariant, checked now' })
  check(): Promise<InvariantReport> {
    return this.invariants.check();
  }
}
