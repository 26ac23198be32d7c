import { hash, timingSafeEqual } from 'node:crypto';
import type { Caller } from './caller.js';

interface KnownKey {
  readonly digest: Buffer;
  readonly scope: Caller['scope'];
  readonly keyId: string;
}

/** Several keys per scope, so that one can be rotated while the other still works. Only digests stay in memory. */
export class ApiKeys {
  private readonly known: readonly KnownKey[];

  constructor(adminKeys: readonly string[], storefrontKeys: readonly string[]) {
    const known = (keys: readonly string[], scope: Caller['scope']) =>
      keys.map((key) => ({ digest: digestOf(key), scope, keyId: `${scope}:${digestOf(key).toString('hex', 0, 6)}` }));
    this.known = [...known(adminKeys, 'admin'), ...known(storefrontKeys, 'storefront')];
  }

  /** Compares with every key, in constant time, so that the time taken tells nothing about any of them. */
  find(key: string): { scope: Caller['scope']; keyId: string } | undefined {
    const digest = digestOf(key);
    let found: KnownKey | undefined;
    for (const candidate of this.known) if (timingSafeEqual(candidate.digest, digest)) found ??= candidate;
    return found;
  }
}

function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
