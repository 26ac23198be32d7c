import { Inject, Injectable } from '@nestjs/common';
import type { DomainEventType } from '../platform/outbox/domain-event.js';
import { OutboxRepository } from '../platform/outbox/outbox.repository.js';
import type { Tx } from '../platform/postgres/tx.js';
import { AuthorizationRepository } from './authorization.repository.js';
import {
  GatewayUnknownError,
  type KnownCharge,
  PAYMENT_GATEWAY,
  type PaymentGateway,
} from './gateway/payment-gateway.js';

/** An authorisation as the provider knows it. */
export interface Authorization {
  readonly orderId: string;
  readonly paymentId: string;
  readonly transactionId: string;
  /** What was authorised. */
  readonly amount: number;
  readonly currency: string;
}

/** What the provider says about an authorisation. `open`: it stands, and could still be captured. */
export type AuthorizationEnd =
  { readonly kind: 'captured'; readonly amount: number } | { readonly kind: 'voided' | 'expired' | 'open' };

type Ended = Exclude<AuthorizationEnd['kind'], 'open'>;
const EVENTS: Readonly<Record<Ended, DomainEventType>> = {
  captured: 'payment.captured',
  voided: 'payment.voided',
  expired: 'payment.authorization_expired',
};

/** Captures and ends authorisations at the provider, and records what became of them. */
@Injectable()
export class AuthorizationService {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly authorizations: AuthorizationRepository,
    private readonly outbox: OutboxRepository,
  ) {}

  /** The provider captures an authorisation once, whatever the keys: the look-up by its id is enough after a doubt. */
  capture(authorization: Authorization, amount: number, key: string, signal: AbortSignal): Promise<KnownCharge> {
    const { orderId, transactionId, currency } = authorization;
    return this.gateway.captureCharge({ idempotencyKey: key, orderId, transactionId, amount, currency }, signal);
  }

  /** Ending it twice is harmless. */
  end({ orderId, transactionId }: Authorization, signal: AbortSignal): Promise<KnownCharge> {
    return this.gateway.cancelCharge({ orderId, transactionId, idempotencyKey: `void:${transactionId}` }, signal);
  }

  async lookUp({ orderId, transactionId }: Authorization, signal: AbortSignal): Promise<KnownCharge> {
    const charge = await this.gateway.retrieveCharge(transactionId, signal);
    if (charge?.orderId === orderId) return charge;
    throw new GatewayUnknownError(`the provider does not know its charge ${transactionId}`);
  }

  /**
   * Stores what the provider says, and publishes it once. What we did not end ourselves is EXPIRED, whoever ended it: its
   * order stands without a payment, and a person has to look.
   */
  async record(
    tx: Tx,
    authorization: Authorization,
    charge: KnownCharge,
    by: 'us' | 'others',
  ): Promise<AuthorizationEnd> {
    const end = endOf(charge, by);
    if (end.kind === 'open') return end;
    const { orderId, paymentId, transactionId, currency } = authorization;
    const landed = await this.move(tx, orderId, end);
    const amount = end.kind === 'captured' ? end.amount : authorization.amount;
    const payload = { orderId, paymentId, amount, currency, transactionId };
    if (landed.has(orderId)) this.outbox.append(tx, [{ type: EVENTS[end.kind], subject: orderId, payload }]);
    return end;
  }

  private move(tx: Tx, orderId: string, end: AuthorizationEnd): Promise<Set<string>> {
    if (end.kind === 'captured') return this.authorizations.capture(tx, [{ orderId, amount: end.amount }]);
    return end.kind === 'voided' ? this.authorizations.void(tx, [orderId]) : this.authorizations.expire(tx, [orderId]);
  }
}

function endOf({ state, capturedAmount }: KnownCharge, by: 'us' | 'others'): AuthorizationEnd {
  if (state === 'AUTHORIZED' || state === 'PENDING') return { kind: 'open' };
  if (state === 'CAPTURED' || state === 'REFUNDED') return { kind: 'captured', amount: capturedAmount };
  return { kind: by === 'us' && state !== 'EXPIRED' ? 'voided' : 'expired' };
}
