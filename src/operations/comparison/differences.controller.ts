import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems } from '../../platform/http/openapi/decorators.js';
import { type Differences, differencesSchema } from './comparison.dto.js';
import { ComparisonService } from './comparison.service.js';

@ApiTags('operations')
@Access('admin')
@Controller('v1/differences')
export class DifferencesController {
  constructor(private readonly comparisons: ComparisonService) {}

  @Get()
  @ApiOperation({
    operationId: 'listDifferences',
    summary: 'Where the provider, our payments and our orders differ',
    description:
      'What the reconciliation or a check of the ledger found since the ledger was last found equal, compared with the provider again just now.',
  })
  @ApiAnswer(200, 'What still differs', differencesSchema)
  @ApiProblems('DEPENDENCY_UNAVAILABLE')
  list(): Promise<Differences> {
    return this.comparisons.differences();
  }
}
