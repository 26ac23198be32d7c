import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidSignatureError } from '../payment-gateway.js';

export const SIGNATURE_HEADER = 'sandbox-signature';
const TOLERANCE_SECONDS = 300;

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`: the time is signed too, so that a replay cannot be re-dated. */
export function signatureOf(body: string | Buffer, secret: string, nowMs: number = Date.now()): string {
  const seconds = Math.floor(nowMs / 1_000).toString();
  return `t=${seconds},v1=${hmac(body, secret, seconds).toString('hex')}`;
}

/** One of several `v1` must match, so that a secret can be rotated without losing a callback. */
export function verifySignature(
  body: Buffer,
  header: string | string[] | undefined,
  secret: string,
  nowMs: number = Date.now(),
): void {
  if (typeof header !== 'string') throw new InvalidSignatureError('the signature header is missing');
  const parts = header.split(',').map((part) => part.trim());
  const seconds = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  const signatures = parts.filter((part) => part.startsWith('v1=')).map((part) => Buffer.from(part.slice(3), 'hex'));
  if (!/^\d{1,12}$/.test(seconds)) throw new InvalidSignatureError('the signature header has no timestamp');
  const expected = hmac(body, secret, seconds);
  const isGood = signatures.some((given) => given.length === expected.length && timingSafeEqual(given, expected));
  if (!isGood) throw new InvalidSignatureError('the signature does not match the body');
  if (Math.abs(nowMs / 1_000 - Number(seconds)) > TOLERANCE_SECONDS) {
    throw new InvalidSignatureError('the timestamp is outside the tolerance');
  }
}

function hmac(body: string | Buffer, secret: string, seconds: string): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest();
}
