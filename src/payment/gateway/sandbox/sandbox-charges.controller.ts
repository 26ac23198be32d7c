import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../platform/http/auth/caller.js';
import { ApiAnswer } from '../../../platform/http/openapi/decorators.js';
import { SandboxLedger } from './sandbox-ledger.service.js';
import type { SandboxChargesDto, SandboxChargesQuery } from './sandbox.dto.js';
import { sandboxChargesQuerySchema, sandboxChargesSchema, toSandboxChargesDto } from './sandbox.dto.js';

/** The provider's own ledger of an order, for comparison with ours. */
@ApiTags('sandbox')
@Access('admin')
@Controller('v1/sandbox/charges')
export class SandboxChargesController {
  constructor(private readonly ledger: SandboxLedger) {}

  @Get()
  @ApiOperation({
    operationId: 'listSandboxCharges',
    summary: 'The provider’s own ledger about an order',
    description:
      'To compare with what the service says: each charge with what was refunded of it. Declined attempts are no charges.',
  })
  @ApiAnswer(200, 'The charges that moved money or still may', sandboxChargesSchema)
  async list(@Query({ schema: sandboxChargesQuerySchema }) query: SandboxChargesQuery): Promise<SandboxChargesDto> {
    return toSandboxChargesDto(await this.ledger.findOfOrder(query.orderId));
  }
}
