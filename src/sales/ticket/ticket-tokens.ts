import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../../platform/http/auth/access-tokens.js';

const TOKEN = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([\w-]{1,100})$/;

/** A ticket's token names the ticket: who reserves sends nothing else. */
@Injectable()
export class TicketTokens {
  constructor(private readonly tokens: AccessTokens) {}

  issue(ticketId: string): string {
    return `${ticketId}.${this.tokens.issue('sale-ticket', ticketId)}`;
  }

  /** For `eventsUrl`, which lands in histories and logs: it shows one ticket and buys nothing. */
  issueForEvents(ticketId: string): string {
    return this.tokens.issue('sale-ticket-events', ticketId);
  }

  isForEvents(token: string, ticketId: string): boolean {
    return this.tokens.isFor(token, 'sale-ticket-events', ticketId);
  }

  /** The id of the ticket, or undefined where we have not issued the token. */
  ticketOf(token: string): string | undefined {
    const [, id = '', proof = ''] = TOKEN.exec(token.trim()) ?? [];
    return id !== '' && this.tokens.isFor(proof, 'sale-ticket', id) ? id : undefined;
  }
}
