/** An API key as it is configured: `name=secret`, or a secret alone, whose client has no name. */
export interface ClientKey {
  readonly name?: string;
  readonly secret: string;
  /**
   * What a caller may send. Also the entry as a whole: before clients had names, `a=b` was a plain key, and whoever was
   * given it still sends all of it. Nothing is opened by that: who knows the whole knows the secret in it.
   */
  readonly accepted: readonly string[];
}

/** The padding of Base64 is no secret: `c2VjcmV0==` is a plain key, not one of a client named c2VjcmV0. */
const NAMED = /^(?<name>[A-Za-z][A-Za-z0-9._-]{0,31})=(?<secret>(?!=*$).+)$/;

export function toClientKey(entry: string): ClientKey {
  const { name, secret } = NAMED.exec(entry)?.groups ?? {};
  if (name === undefined || secret === undefined) return { secret: entry, accepted: [entry] };
  return { name, secret, accepted: [secret, entry] };
}
