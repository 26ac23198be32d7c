import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../platform/http/auth/caller.js';
import { ApiAnswer } from '../../platform/http/openapi/decorators.js';
import { type InvariantReport, invariantReportSchema } from './invariants.dto.js';
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
}
