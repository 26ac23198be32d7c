/** An API key as it is configured: `name=secret`, or a secret alone, whose client has no name. */
export interface ClientKey {
  readonly name?: string;
  readonly secret: string;
  /**
   * The texts that a caller may send. The whole entry is one of them: before clients had names, `a=b` was a plain key,
   * and its owner still sends all of it. That opens nothing, because the whole entry contains the secret.
   */
  readonly accepted: readonly string[];
}

/** Base64 padding is not a secret: `c2VjcmV0==` is a plain key, not a key of a client named c2VjcmV0. */
const NAMED = /^(?<name>[A-Za-z][A-Za-z0-9._-]{0,31})=(?<secret>(?!=*$).+)$/;

export function toClientKey(entry: string): ClientKey {
  const { name, secret } = NAMED.exec(entry)?.groups ?? {};
  if (name === undefined || secret === undefined) return { secret: entry, accepted: [entry] };
  return { name, secret, accepted: [secret, entry] };
}
