import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, type Caller, CurrentCaller } from '../../platform/http/auth/caller.js';
import { ApiAnswer } from '../../platform/http/openapi/decorators.js';
import { customerIdSchema, type EraseBody, eraseSchema, erasureSchema, type ErasureView } from './erasure.dto.js';
import { ErasureService } from './erasure.service.js';

@ApiTags('operations')
@Access('admin')
@Controller('v1/customers')
export class ErasureController {
  constructor(private readonly erasures: ErasureService) {}

  @Post(':id/erase')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'eraseCustomer',
    summary: 'Anonymise a customer’s orders; the books are kept',
    description:
      'Amounts, lines, payments and refunds stay. Orders that are still under way are left alone and counted in `openOrders`: call again when they have ended.',
  })
  @ApiAnswer(200, 'What was erased', erasureSchema)
  erase(
    @Param('id', { schema: customerIdSchema }) id: string,
    @Body({ schema: eraseSchema }) body: EraseBody,
    @CurrentCaller() caller: Caller,
  ): Promise<ErasureView> {
    return this.erasures.erase(id, body, caller.client);
  }
}
