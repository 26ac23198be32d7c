import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems } from '../../platform/http/openapi/decorators.js';
import { orderIdSchema } from '../../orders/order.dto.js';
import { type Comparison, comparisonSchema } from '../comparison/comparison.dto.js';
import { ComparisonService } from '../comparison/comparison.service.js';
import { type Dossier, dossierSchema } from './dossier.dto.js';
import { DossierService } from './dossier.service.js';

@ApiTags('operations')
@Access('admin')
@Controller('v1/orders')
export class DossierController {
  constructor(
    private readonly dossiers: DossierService,
    private readonly comparisons: ComparisonService,
  ) {}

  @Get(':id/dossier')
  @ApiOperation({
    operationId: 'getOrderDossier',
    summary: 'Everything about one order, on one axis',
    description:
      'Steps, waits for locks, commits, calls to the provider, callbacks, deliveries and operators’ actions, across instances, with durations and errors in words; the sagas, the payment and its refunds; and what can be done now, with what that will do.',
  })
  @ApiAnswer(200, 'The dossier', dossierSchema)
  @ApiProblems('ORDER_NOT_FOUND')
  get(@Param('id', { schema: orderIdSchema }) id: string): Promise<Dossier> {
    return this.dossiers.of(id);
  }

  @Get(':id/comparison')
  @ApiOperation({
    operationId: 'compareOrder',
    summary: 'Provider, payment and order side by side',
    description: 'Asks the provider about the charges of the order now, and says where the three differ.',
  })
  @ApiAnswer(200, 'The three, and how they differ', comparisonSchema)
  @ApiProblems('ORDER_NOT_FOUND', 'DEPENDENCY_UNAVAILABLE')
  compare(@Param('id', { schema: orderIdSchema }) id: string): Promise<Comparison> {
    return this.comparisons.of(id);
  }
}
