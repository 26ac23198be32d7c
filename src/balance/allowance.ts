import { hash } from 'node:crypto';
import { normaliseEmail } from '../common/email.js';

export type AllowanceKind = 'coupon' | 'limit';

/** A part of an allowance that a hold needs: a redemption of a coupon, or units of a SKU with a limit per customer. */
export interface Claim {
  readonly kind: AllowanceKind;
  /** The coupon's code, or the SKU. */
  readonly subject: string;
  readonly quantity: number;
  /** The limit of each customer. Absent: everybody shares the allowance, and its row has the limit. */
  readonly perCustomer?: number | undefined;
}

export interface Customer {
  readonly id?: string | undefined;
  readonly email?: string | undefined;
}

/** This character is allowed in neither SKUs nor codes, so the key of an allowance is never the key of a stock. */
const SEPARATOR = '|';
const CUSTOMER_LENGTH = 22;

/**
 * Distinguishes customers without naming them: by their id, or else by their mailbox. It is a plain hash: with a keyed
 * one, rotating the secret would reset everybody's limits.
 */
export function customerKeyOf({ id, email }: Customer): string | undefined {
  if (id !== undefined) return hash('sha256', `id:${id}`, 'base64url').slice(0, CUSTOMER_LENGTH);
  if (email === undefined) return undefined;
  return hash('sha256', `email:${normaliseEmail(email)}`, 'base64url').slice(0, CUSTOMER_LENGTH);
}

export function allowanceKey(kind: AllowanceKind, subject: string, customer?: string): string {
  return [kind, subject, ...(customer === undefined ? [] : [customer])].join(SEPARATOR);
}

export function isAllowanceKey(key: string): boolean {
  return key.includes(SEPARATOR);
}

export interface AllowanceName {
  readonly kind: AllowanceKind;
  readonly subject: string;
  readonly customer?: string | undefined;
}

export function parseAllowanceKey(key: string): AllowanceName {
  const [kind, subject = '', customer] = key.split(SEPARATOR);
  return { kind: kind as AllowanceKind, subject, customer };
}

/** A claim of a known customer, as it is held and given back. */
export interface NamedClaim {
  readonly key: string;
  readonly quantity: number;
  /** The customer's own allowance, whose row may not exist yet. */
  readonly own?: { readonly customer: string; readonly allowed: number } | undefined;
}

/** Claims with a limit per customer are named as soon as the customer is known. */
export function nameClaims(claims: readonly Claim[], customer: string | undefined): NamedClaim[] {
  return claims.flatMap(({ kind, subject, quantity, perCustomer }) => {
    if (perCustomer === undefined) return [{ key: allowanceKey(kind, subject), quantity }];
    if (customer === undefined) return [];
    return [{ key: allowanceKey(kind, subject, customer), quantity, own: { customer, allowed: perCustomer } }];
  });
}
