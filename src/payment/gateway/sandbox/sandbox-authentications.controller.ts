import { applyDecorators, Controller, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DomainError } from '../../../common/domain-error.js';
import { Access } from '../../../platform/http/auth/caller.js';
import { ApiProblems } from '../../../platform/http/openapi/decorators.js';
import { authenticationIdSchema } from './sandbox.dto.js';
import { authenticationPage, PAGE_HEADERS } from './sandbox-authentication-page.js';
import type { Charge } from './sandbox-charge.repository.js';
import { SandboxLedger } from './sandbox-ledger.service.js';

const Page = () =>
  applyDecorators(
    ApiOkResponse({ description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } }),
    ...Object.entries(PAGE_HEADERS).map(([name, value]) => Header(name, value)),
  );

/**
 * The page to which the provider redirects the customer. The unguessable id in the URL is the only credential, as in a
 * bank's link.
 */
@ApiTags('sandbox')
@Access('open')
@Controller('v1/sandbox/authentications/:id')
export class SandboxAuthenticationsController {
  constructor(private readonly ledger: SandboxLedger) {}

  @Get()
  @ApiOperation({
    operationId: 'showAuthentication',
    summary: 'The customer’s page of 3-D Secure',
    description:
      '`nextAction.url` of an order leads here. The id in the address is the only credential, as in a bank’s link.',
  })
  @Page()
  @ApiProblems('NOT_FOUND')
  async show(@Param('id', { schema: authenticationIdSchema }) id: string): Promise<string> {
    return page(await this.ledger.findById(id));
  }

  @Post('approve')
  @ApiOperation({
    operationId: 'approveAuthentication',
    summary: 'The customer approves: the payment goes on by a callback',
    description: 'What the button of the page does. The order is confirmed by a callback, shortly after.',
  })
  @Page()
  @ApiProblems('NOT_FOUND')
  @HttpCode(200)
  async approve(@Param('id', { schema: authenticationIdSchema }) id: string): Promise<string> {
    return page(await this.ledger.endPending(id, { state: 'APPROVED' }));
  }

  @Post('decline')
  @ApiOperation({
    operationId: 'declineAuthentication',
    summary: 'The customer declines',
    description: 'What the other button of the page does. The order is rejected by a callback, shortly after.',
  })
  @Page()
  @ApiProblems('NOT_FOUND')
  @HttpCode(200)
  async decline(@Param('id', { schema: authenticationIdSchema }) id: string): Promise<string> {
    return page(await this.ledger.endPending(id, { state: 'DECLINED', declineCode: 'authentication_failed' }));
  }
}

function page(charge: Charge | undefined): string {
  if (!charge) throw new DomainError('NOT_FOUND', 'there is no such authentication');
  return authenticationPage(charge);
}
