import { Controller, Get, Query } from '@nestjs/common';
import { SandboxLedger } from './sandbox-ledger.service.js';
import type { SandboxChargesDto, SandboxChargesQuery } from './sandbox.dto.js';
import { sandboxChargesQuerySchema, toSandboxChargesDto } from './sandbox.dto.js';

/** The provider's own books about an order, to compare with ours. */
@Controller('v1/sandbox/charges')
export class SandboxChargesController {
  constructor(private readonly ledger: SandboxLedger) {}

  @Get()
  async list(@Query({ schema: sandboxChargesQuerySchema }) query: SandboxChargesQuery): Promise<SandboxChargesDto> {
    return toSandboxChargesDto(await this.ledger.findOfOrder(query.orderId));
  }
}
