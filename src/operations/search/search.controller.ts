import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../platform/http/auth/caller.js';
import { ApiAnswer } from '../../platform/http/openapi/decorators.js';
import { type SearchHits, searchHitsSchema, type SearchQuery, searchQuerySchema } from './search.dto.js';
import { SearchService } from './search.service.js';

@ApiTags('operations')
@Access('admin')
@Controller('v1/search')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  @Get()
  @ApiOperation({
    operationId: 'search',
    summary: 'Orders, sagas and SKUs by whatever is at hand',
    description:
      'An id of an order, saga, payment, refund or reservation; an e-mail; a customer; a provider’s transaction (the provider is asked); an Idempotency-Key; a SKU.',
  })
  @ApiAnswer(200, 'What was found', searchHitsSchema)
  find(@Query({ schema: searchQuerySchema }) { q }: SearchQuery): Promise<SearchHits> {
    return this.searches.search(q);
  }
}
