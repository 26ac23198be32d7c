import ipaddr from 'ipaddr.js';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

type Resolver = (host: string) => Promise<readonly ResolvedAddress[]>;

/** The URL leads where we must not go (server-side request forgery). */
export class AddressNotAllowedError extends Error {}

/** All that is public of IPv6. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Inside it, and special as a whole: tunnels, benchmarks, identifiers. */
const PROTOCOL_ASSIGNMENTS = ipaddr.IPv6.parseCIDR('2001::/23');

/** Everything that is not known to be public is not: mapped, translated and scoped IPv6 addresses among it. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false; // ipaddr.js also reads 127.1 and 0x7f.1
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(GLOBAL_UNICAST) && !parsed.match(PROTOCOL_ASSIGNMENTS));
}

/** Which addresses deliveries may go to: public ones over HTTPS, and the hosts that the configuration names. */
export class AddressPolicy {
  private readonly allowedHosts: readonly string[];
  private readonly questions = new Map<string, Promise<readonly ResolvedAddress[]>>();

  constructor(
    allowedHosts: readonly string[],
    private readonly lookUp: Resolver = (host) => lookup(host, { all: true }),
  ) {
    this.allowedHosts = allowedHosts.map((host) => host.toLowerCase());
  }

  /** What can be said without asking the DNS. Throws, with a reason for people. */
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
   * The addresses to connect to, and no others: the name is not resolved again, or a second answer could lead elsewhere
   * (DNS rebinding). One address that is not public condemns all of them.
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
   * Who asks for a host that is being asked for shares the answer: a question takes one of the few threads that Node has
   * for names, and a crowd for a host whose name server is silent would keep the payment gateway waiting. No cache: an
   * answer is used once it is there, and never again.
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
