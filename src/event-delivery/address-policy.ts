import ipaddr from 'ipaddr.js';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

type Resolver = (host: string) => Promise<readonly ResolvedAddress[]>;

/** The URL leads to an address that is not allowed (server-side request forgery). */
export class AddressNotAllowedError extends Error {}

/** The public range of IPv6. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Ranges inside it that are special as a whole: tunnels, benchmarks, identifiers. */
const PROTOCOL_ASSIGNMENTS = ipaddr.IPv6.parseCIDR('2001::/23');

/** Everything that is not known to be public is refused, including mapped, translated and scoped IPv6 addresses. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false; // ipaddr.js also reads 127.1 and 0x7f.1
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(GLOBAL_UNICAST) && !parsed.match(PROTOCOL_ASSIGNMENTS));
}

/** The addresses that deliveries may go to: public ones over HTTPS, and the configured hosts. */
export class AddressPolicy {
  private readonly allowedHosts: readonly string[];
  private readonly questions = new Map<string, Promise<readonly ResolvedAddress[]>>();

  constructor(
    allowedHosts: readonly string[],
    private readonly lookUp: Resolver = (host) => lookup(host, { all: true }),
  ) {
    this.allowedHosts = allowedHosts.map((host) => host.toLowerCase());
  }

  /** Checks what can be checked without DNS. Throws with a reason for people. */
  check(url: URL): void {
    if (url.username !== '' || url.password !== '')
      throw new AddressNotAllowedError('must not carry a user or password');
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new AddressNotAllowedError('must start with https://');
    if (this.isAllowed(url)) return;
    if (url.protocol !== 'https:') throw new AddressNotAllowedError('must start with https://');
    const host = hostOf(url);
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressNotAllowedError('must lead to a public address');
  }

  /**
   * The addresses to connect to, and no others: a second look-up of the name could give another answer (DNS rebinding).
   * One address that is not public makes the host forbidden.
   */
  async resolve(url: URL): Promise<readonly ResolvedAddress[]> {
    this.check(url);
    const host = hostOf(url);
    const addresses = await this.ask(host);
    if (addresses.length === 0) throw new AddressNotAllowedError(`${host} has no address`);
    if (!this.isAllowed(url) && !addresses.every(({ address }) => isPublicAddress(address))) {
      throw new AddressNotAllowedError(`${host} does not lead to a public address`);
    }
    return addresses;
  }

  /**
   * Concurrent look-ups of a host share one answer: a look-up occupies one of Node's few DNS threads, and many for a
   * host whose name server is silent would delay the payment gateway. This is not a cache: an answer is not kept.
   */
  private ask(host: string): Promise<readonly ResolvedAddress[]> {
    const asked = this.questions.get(host);
    if (asked) return asked;
    const question = this.lookUp(host).finally(() => this.questions.delete(host));
    this.questions.set(host, question);
    return question;
  }

  /** `host:port` allows one port, `host` all of them. */
  private isAllowed(url: URL): boolean {
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    return this.allowedHosts.some((allowed) => allowed === url.hostname || allowed === `${url.hostname}:${port}`);
  }
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
