import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, type Caller, CurrentCaller } from '../platform/http/auth/caller.js';
import { ApiAnswer } from '../platform/http/openapi/decorators.js';
import { IdempotentIfKeyed, type IdempotentRequest, send } from '../platform/idempotency/idempotency.js';
import { type GiftCardInput, giftCardResponseSchema, giftCardSchema } from './account.dto.js';
import { GiftCardService } from './gift-card.service.js';

@ApiTags('credit')
@Access('admin')
@Controller('v1/gift-cards')
export class GiftCardController {
  constructor(private readonly giftCards: GiftCardService) {}

  @Post()
  @ApiOperation({
    operationId: 'issueGiftCard',
    summary: 'Issue a gift card',
    description:
      'The code is shown here and never again; it is stored as a keyed hash. Send an Idempotency-Key to be able to repeat the ' +
      'request: the answer is then the same. Whoever knows the code may spend the card.',
  })
  @ApiAnswer(201, 'Issued', giftCardResponseSchema, ['Location'])
  async issue(
    @IdempotentIfKeyed() request: IdempotentRequest | undefined,
    @Body({ schema: giftCardSchema }) body: GiftCardInput,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.giftCards.issue(request, body, caller.client));
  }
}
