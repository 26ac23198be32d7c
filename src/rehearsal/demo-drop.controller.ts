import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../platform/http/auth/caller.js';
import { ApiAnswer } from '../platform/http/openapi/decorators.js';
import { type SaleResponse, saleResponseSchema } from '../sales/sale.dto.js';
import { DemoDropService } from './demo-drop.service.js';

@ApiTags('sandbox')
@Controller('v1/sandbox/drops')
export class DemoDropController {
  constructor(private readonly drops: DemoDropService) {}

  @Post()
  @Access('storefront')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'openDemoDrop',
    summary: 'The flash sale of the demo: the one that is on, or a new one',
    description:
      'A dozen prints, with a queue in front of them that opens a moment later. When they are sold, or after ten minutes, the next call opens another. Does not exist in production.',
  })
  @ApiAnswer(200, 'The sale; what it sells is the group of its name', saleResponseSchema)
  open(): Promise<SaleResponse> {
    return this.drops.open();
  }
}
