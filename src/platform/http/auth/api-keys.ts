import { hash, timingSafeEqual } from 'node:crypto';
import type { ClientKey } from '../../config/client-key.js';
import type { Caller } from './caller.js';

export type Client = Pick<Caller, 'scope' | 'client' | 'formerKeyIds'>;

interface KnownKey {
  readonly digest: Buffer;
  readonly client: Client;
}

/** Several keys per client, so that one can be rotated while the other still works. Only digests stay in memory. */
export class ApiKeys {
  private readonly known: readonly KnownKey[];

  constructor(adminKeys: readonly ClientKey[], storefrontKeys: readonly ClientKey[]) {
    this.known = [...known(adminKeys, 'admin'), ...known(storefrontKeys, 'storefront')];
  }

  /** Compares with every key in constant time, so that the time reveals nothing about any of them. */
  find(key: string): Client | undefined {
    const digest = digestOf(key);
    let found: KnownKey | undefined;
    for (const candidate of this.known) if (timingSafeEqual(candidate.digest, digest)) found ??= candidate;
    return found?.client;
  }
}

function known(keys: readonly ClientKey[], scope: Caller['scope']): KnownKey[] {
  const names = [...new Set(keys.map(({ name }) => name))];
  return names.flatMap((name) => {
    const digests = keys.filter((key) => key.name === name).flatMap(({ accepted }) => accepted.map(digestOf));
    const keyIds = digests.map((digest) => `${scope}:${digest.toString('hex', 0, 6)}`);
    const client = name === undefined ? scope : `${scope}:${name}`;
    return digests.map((digest, index) => {
      const formerKeyIds = [...new Set([keyIds[index] ?? '', ...keyIds])];
      return { digest, client: { scope, client, formerKeyIds } };
    });
  });
}

function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
