import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/domain-error.js';
import { newId } from '../common/id.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { CustomerProof } from '../platform/http/auth/customer-proof.js';
import { PublicUrl } from '../platform/http/public-url.js';
import { CreditAccess } from '../credit/credit-access.service.js';
import { HoldPolicies } from '../inventory/reservation/hold-policy.js';
import type { Sku } from '../inventory/sku/sku.js';
import type { CheckoutData } from './checkout-data.js';
import type { Intake } from './checkout-intake.service.js';
import { CheckoutBody } from './checkout.dto.js';
import { DeclineLimiter } from './decline-limiter.service.js';
import { customerKeyOf, type Customer } from '../balance/allowance.js';
import { DatabaseClock } from '../platform/postgres/database-clock.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { AccessTokens } from '../platform/http/auth/access-tokens.js';
import { effectiveState, type HoldTerms, totalOf } from '../inventory/reservation/reservation.js';
import { ReservationLifecycleRepository } from '../inventory/reservation/reservation-lifecycle.repository.js';
import { priceLines, termsOf } from '../inventory/quote/quote.js';
import { QuoteService } from '../inventory/quote/quote.service.js';
import type { OrderLine } from '../orders/order.entity.js';
import { CouponNotApplicableError } from '../promotion/coupon.errors.js';
import { pick } from '../promotion/coupon.service.js';
import { refusalOf } from './steps/reserve-inventory.step.js';

export interface Basket {
  readonly lines: readonly OrderLine[];
  /** Coupons and limits; absent for plain goods. */
  readonly terms?: HoldTerms | undefined;
  /** After discounts. */
  readonly total: number;
  readonly reservationId: string;
  readonly isAdopted: boolean;
  /** The coupons replace those of the hold. */
  readonly isRepriced?: boolean;
}

/** The lines and the total: with prices from the catalogue, or fixed by the hold. */
@Injectable()
export class BasketService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly reservations: ReservationLifecycleRepository,
    private readonly quotes: QuoteService,
    private readonly tokens: AccessTokens,
    private readonly clock: DatabaseClock,
  ) {}

  async fill(body: CheckoutBody, caller: Caller, intake: Intake): Promise<Basket> {
    const basket = body.reservationId
      ? await this.heldBasket(body.reservationId, body, caller)
      : this.quotedBasket(body, intake);
    if (basket.terms) assertCustomerKnown(basket.terms, customerOf(body, caller));
    if (body.expectedTotal !== undefined && body.expectedTotal !== basket.total) {
      const quote = { lines: basket.lines, total: basket.total, currency: body.currency };
      throw new DomainError('PRICE_CHANGED', `The total is ${basket.total}, not ${body.expectedTotal}`, { quote });
    }
    if (body.payment.method === undefined && !body.payment.credit && basket.total > 0) throw methodMissing(basket);
    return basket;
  }

  private quotedBasket({ currency, lines: wanted = [], coupons = [] }: CheckoutBody, intake: Intake): Basket {
    const { catalogue } = intake;
    const lines = priceLines(catalogue, currency, wanted).map(({ sku, name, quantity, unitAmount, amount }) => ({
      sku,
      name,
      quantity,
      unitAmount,
      amount,
    }));
    const terms = termsOf(lines, {
      currency,
      catalogue,
      coupons: coupons.length > 0 ? pick(coupons, intake.coupons) : [],
      at: this.clock.now(),
    });
    const total = totalOf({ lines, terms });
    return { lines, total, reservationId: newId(), isAdopted: false, ...(terms && { terms }) };
  }

  private async heldBasket(id: string, { currency, coupons }: CheckoutBody, caller: Caller): Promise<Basket> {
    const held = await this.reservations.find(this.transactions, id);
    if (!held || !this.tokens.canRead(caller, 'reservation', id, held.customerId)) {
      throw new DomainError('RESERVATION_NOT_FOUND', 'The reservation does not exist');
    }
    const state = effectiveState(held);
    if (state !== 'HELD') {
      const { code, detail, details } = refusalOf(id, { kind: 'ended', state, expiresAt: held.expiresAt });
      throw new DomainError(code, detail, details);
    }
    if (held.currency !== currency) {
      const errors = [{ path: 'currency', message: `the reservation is in ${held.currency}` }];
      throw new DomainError('VALIDATION_FAILED', errors[0]?.message ?? '', { errors });
    }
    const lines = held.lines.map(({ sku, name, quantity, unitAmount }) => ({
      sku,
      name,
      quantity,
      unitAmount,
      amount: quantity * unitAmount,
    }));
    const basket = { lines, reservationId: id, isAdopted: true };
    if (!coupons) return { ...basket, total: held.total, ...(held.terms && { terms: held.terms }) };
    const terms = termsOf(lines, await this.quotes.occasionOf(currency, lines, coupons)) ?? PLAIN;
    return { ...basket, terms, total: totalOf({ lines, terms }), isRepriced: true };
  }
}

/** A hold that loses its coupons says so. */
const PLAIN: HoldTerms = { discounts: [], claims: [] };

/**
 * Whoever proves to be a customer buys as that customer, whatever the body says. Without a JWT the holder of the key
 * vouches for the name, and who later proves to be that customer may read the order.
 */
export function customerOf({ customer }: CheckoutBody, { customerId: id }: Caller): Customer {
  return id === undefined ? customer : { ...customer, id };
}

/** What each customer may have cannot be counted for nobody. */
function assertCustomerKnown({ claims }: HoldTerms, customer: Customer): void {
  const limited = claims.find(({ perCustomer }) => perCustomer !== undefined);
  if (!limited || customerKeyOf(customer) !== undefined) return;
  const { kind, subject } = limited;
  if (kind === 'coupon') throw new CouponNotApplicableError({ code: subject }, 'CUSTOMER_UNKNOWN');
  const message = `${subject} is limited per customer: say who buys, by id or email`;
  throw new DomainError('VALIDATION_FAILED', `customer: ${message}`, { errors: [{ path: 'customer', message }] });
}

function methodMissing({ total }: Basket): DomainError {
  const message = `${total} is due: name a method, or credit that pays it`;
  return new DomainError('VALIDATION_FAILED', `payment.method: ${message}`, {
    errors: [{ path: 'payment.method', message }],
  });
}

/** What a checkout will be, before anything of it is stored. */
@Injectable()
export class CheckoutDraft {
  constructor(
    private readonly proof: CustomerProof,
    private readonly publicUrl: PublicUrl,
    private readonly declines: DeclineLimiter,
    private readonly credit: CreditAccess,
    private readonly baskets: BasketService,
    private readonly policies: HoldPolicies,
  ) {}

  /** Throws what the checkout is refused with. */
  async of(body: CheckoutBody, caller: Caller, intake: Intake): Promise<CheckoutData> {
    this.assertAllowed(body, caller);
    const { currency, payment, holdOnDecline, returnUrl, metadata } = body;
    const source = await this.declines.admit(caller, body);
    const credit = payment.credit && this.credit.admit(caller, currency, payment.credit, intake.accounts);
    const basket = await this.baskets.fill(body, caller, intake);
    // A hold that was made before has used its tickets up.
    const skus = basket.isAdopted ? [] : basket.lines.map(({ sku }) => sku);
    const tickets = await this.policies.admit({ caller, customer: body.customer }, skus);
    return {
      ...{ sagaId: newId(), orderId: newId(), paymentId: newId() },
      ...basket,
      ...(holdOnDecline === true && { holdOnDecline }),
      ...(returnUrl !== undefined && { returnUrl }),
      ...(intake.isCached && { versions: versionsOf(basket, intake.catalogue) }),
      ...(source && { source }),
      ...(tickets.length > 0 && { tickets }),
      ...(credit && { credit }),
      ...(payment.method !== undefined && { method: payment.method }),
      ...(payment.capture === 'manual' && { capture: payment.capture }),
      ...{ customer: customerOf(body, caller), currency, metadata, createdAt: new Date().toISOString() },
    };
  }

  /** As far as the body alone decides. */
  private assertAllowed({ customer, returnUrl }: CheckoutBody, caller: Caller): void {
    this.proof.assertMayName(customer.id, caller);
    if (returnUrl !== undefined && !this.publicUrl.mayReturnTo(returnUrl)) {
      const message = 'must be a page of an origin that the service knows (RETURN_URL_ORIGINS, CORS_ORIGINS)';
      throw new DomainError('VALIDATION_FAILED', `returnUrl: ${message}`, { errors: [{ path: 'returnUrl', message }] });
    }
  }
}

/** Of the SKUs whose cached prices are used. */
function versionsOf({ lines }: Basket, catalogue: ReadonlyMap<string, Sku>): Record<string, number> {
  return Object.fromEntries(lines.map(({ sku }) => [sku, catalogue.get(sku)?.version ?? 0]));
}
