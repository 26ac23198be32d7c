import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../platform/http/auth/caller.js';
import { ApiAnswer } from '../../platform/http/openapi/decorators.js';
import { HotSkusService } from './hot-skus.service.js';
import { type HotSkus, hotSkusSchema, type Overview, overviewSchema } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

@ApiTags('operations')
@Access('admin')
@Controller('v1')
export class OverviewController {
  constructor(
    private readonly overviews: OverviewService,
    private readonly hotSkus: HotSkusService,
  ) {}

  @Get('overview')
  @ApiOperation({
    operationId: 'getOverview',
    summary: 'The service as it is now, over all instances',
    description:
      'Checkouts per second by outcome, latency, sagas, payments in doubt, held stock, locks, queues, and the instances with what they lease. A few seconds old at most.',
  })
  @ApiAnswer(200, 'The overview', overviewSchema)
  overview(): Promise<Overview> {
    return this.overviews.latest();
  }

  @Get('hot-skus')
  @ApiOperation({
    operationId: 'listHotSkus',
    summary: 'What sells now, and how long it will last',
    description:
      'The SKUs of the newest orders, of at most five minutes and 2,000 of them: available, held, sold per minute, the wait for their locks, and when they will be sold out at this pace.',
  })
  @ApiAnswer(200, 'The SKUs, what sells most first', hotSkusSchema)
  hot(): Promise<HotSkus> {
    return this.hotSkus.latest();
  }
}
