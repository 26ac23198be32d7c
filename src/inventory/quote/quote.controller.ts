import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems } from '../../platform/http/openapi/decorators.js';
import { type QuoteInput, type QuoteResponse, quoteResponseSchema, quoteSchema, toQuoteResponse } from './quote.dto.js';
import { QuoteService } from './quote.service.js';

@ApiTags('checkouts')
@Controller('v1/checkouts/quote')
@Access('storefront')
export class QuoteController {
  constructor(private readonly quotes: QuoteService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'quote',
    summary: 'Price lines and say what is available, without any effect',
    description:
      'For a basket that is not bought yet: prices, the total, and for each line whether it could be had now. Nothing is reserved.',
  })
  @ApiAnswer(200, 'What it costs, and whether it could be had', quoteResponseSchema)
  @ApiProblems('SKU_NOT_FOUND', 'COUPON_NOT_FOUND', 'COUPON_EXHAUSTED', 'COUPON_NOT_APPLICABLE', 'LIMIT_EXCEEDED')
  async quote(@Body({ schema: quoteSchema }) { currency, lines, coupons }: QuoteInput): Promise<QuoteResponse> {
    return toQuoteResponse(await this.quotes.quote(currency, lines, coupons));
  }
}
