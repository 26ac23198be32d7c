import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';

/** What a proxy wrote into X-Forwarded-For was no address: all of those count as one. */
const UNKNOWN = 'unknown';
/** Some proxies write the port along, which is another one for every connection. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[\d.]+))(?::\d+)?$/;

/**
 * Who counts as one address. An IPv6 customer owns a /64 and could come from 2^64 addresses, so that is what is
 * counted; an IPv4 address in IPv6 clothes is the IPv4 address.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const { v4, v6 } = WITH_PORT.exec(address)?.groups ?? {};
  const text = v4 ?? v6 ?? address;
  if (!ipaddr.isValid(text)) return UNKNOWN;
  const parsed = ipaddr.process(text);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
