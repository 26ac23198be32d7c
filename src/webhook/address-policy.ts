import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

type Resolver = (host: string) => Promise<readonly ResolvedAddress[]>;

/** The URL leads where we must not go (server-side request forgery). */
export class AddressNotAllowedError extends Error {}

const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT; also the metadata service of some clouds
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local; the metadata service of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3', // multicast, reserved, broadcast
];

/** Inside 2000::/3, which is all that is public: tunnels that carry an IPv4 address, documentation, benchmarks. */
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const blocked = new BlockList();
for (const [list, family] of [
  [NOT_PUBLIC_IPV4, 'ipv4'],
  [NOT_PUBLIC_IPV6, 'ipv6'],
] as const) {
  for (const range of list) {
    const [net = '', prefix] = range.split('/');
    blocked.addSubnet(net, Number(prefix), family);
  }
}
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Everything that is not known to be public is not: mapped, translated and scoped IPv6 addresses among it. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !blocked.check(address, 'ipv4');
  return (
    isIP(address) === 6 &&
    !address.includes('%') &&
    globalUnicast.check(address, 'ipv6') &&
    !blocked.check(address, 'ipv6')
  );
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
