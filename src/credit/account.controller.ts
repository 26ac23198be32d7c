import { Body, Controller, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, type Caller, CurrentCaller } from '../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems, ApiProof } from '../platform/http/openapi/decorators.js';
import { Idempotent, type IdempotentRequest, send } from '../platform/idempotency/idempotency.js';
import {
  accountIdSchema,
  type AccountInput,
  type AccountResponse,
  accountResponseSchema,
  accountSchema,
  createdEntrySchema,
  type EntryInput,
  type EntryListInput,
  entryListSchema,
  entryPageSchema,
  type EntryResponse,
  entrySchema,
} from './account.dto.js';
import { AccountService } from './account.service.js';

const Id = () => Param('id', { schema: accountIdSchema });

@ApiTags('credit')
@Controller('v1/accounts')
export class AccountController {
  constructor(private readonly accounts: AccountService) {}

  @Put(':id')
  @Access('admin')
  @ApiOperation({
    operationId: 'putAccount',
    summary: 'Create an account for store credit, or change whose it is',
    description:
      'Its customer spends it with a JWT of their own, an admin without. Once it has entries its currency stays.',
  })
  @ApiAnswer(200, 'Changed', accountResponseSchema)
  @ApiAnswer(201, 'Created', accountResponseSchema, ['Location'])
  @ApiProblems('INVALID_STATE')
  async put(
    @Id() id: string,
    @Body({ schema: accountSchema }) body: AccountInput,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.accounts.put(id, body));
  }

  @Get(':id')
  @Access('storefront')
  @ApiProof()
  @ApiOperation({
    operationId: 'getAccount',
    summary: 'Read an account: for admins, and for its customer with their JWT',
    description: '`available` is what an order could spend now.',
  })
  @ApiAnswer(200, 'The account', accountResponseSchema)
  @ApiProblems('ACCOUNT_NOT_FOUND')
  get(@Id() id: string, @CurrentCaller() caller: Caller): Promise<AccountResponse> {
    return this.accounts.get(caller, id);
  }

  @Post(':id/entries')
  @Access('admin')
  @ApiOperation({
    operationId: 'addAccountEntry',
    summary: 'Add credit, or take it away',
    description: 'Under the account’s lock. Never below what orders hold.',
  })
  @ApiAnswer(201, 'Entered', createdEntrySchema)
  @ApiProblems('ACCOUNT_NOT_FOUND', 'INSUFFICIENT_CREDIT', 'LOCK_TIMEOUT')
  async enter(
    @Id() id: string,
    @Idempotent() request: IdempotentRequest,
    @Body({ schema: entrySchema }) body: EntryInput,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return send(reply, await this.accounts.enter(request, id, body, caller.client));
  }

  @Get(':id/entries')
  @Access('storefront')
  @ApiProof()
  @ApiOperation({
    operationId: 'listAccountEntries',
    summary: 'The entries of an account, newest first',
    description: 'What admins entered, what orders spent, and what was given back. They add up to the balance.',
  })
  @ApiAnswer(200, 'A page of entries', entryPageSchema)
  @ApiProblems('ACCOUNT_NOT_FOUND')
  list(
    @Id() id: string,
    @Query({ schema: entryListSchema }) query: EntryListInput,
    @CurrentCaller() caller: Caller,
  ): Promise<{ items: EntryResponse[]; nextCursor: string | null }> {
    return this.accounts.list(caller, id, query);
  }
}
