import { Inject, Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';

/** Crockford's alphabet: without letters that look like digits or like each other. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS_PER_CHARACTER = 5;
/** 100 bits: too many to find a code by trying, even without a rate limit. */
const LENGTH = 20;
const GROUP = 5;

/**
 * The codes of gift cards. A code is derived from the id of its account with a secret, and only its keyed hash is
 * stored. A copy of the database reveals no code, and a request that is repeated after a lost answer gets the same code
 * again.
 */
@Injectable()
export class GiftCardCodes {
  private readonly secrets: readonly string[];

  constructor(@Inject(APP_CONFIG) { auth }: AppConfig) {
    this.secrets = auth.giftCardSecrets.length > 0 ? auth.giftCardSecrets : [auth.accessTokenSecret ?? ''];
    if (this.secrets.includes('')) throw new Error('ACCESS_TOKEN_SECRET is not resolved');
  }

  /** `7KQ2M-…`, in groups that are easy to read aloud. */
  issue(accountId: string): { readonly code: string; readonly hash: Buffer } {
    const [secret = ''] = this.secrets;
    const code = encode(sign(secret, `code:${accountId}`));
    return { code: code.match(new RegExp(`.{${GROUP}}`, 'g'))?.join('-') ?? code, hash: hashOf(secret, code) };
  }

  /** With every secret that is still accepted. Case, blanks and dashes do not matter. */
  hashesOf(code: string): Buffer[] {
    const plain = code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
    return this.secrets.map((secret) => hashOf(secret, plain));
  }
}

function hashOf(secret: string, code: string): Buffer {
  return sign(secret, `hash:${code}`);
}

function sign(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(`gift-card:${text}`).digest();
}

function encode(bytes: Buffer): string {
  let bits = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let index = 0; index < LENGTH; index += 1) {
    text += ALPHABET.charAt(Number(bits & 31n));
    bits >>= BigInt(BITS_PER_CHARACTER);
  }
  return text;
}
