import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';

/** For senders whose X-Forwarded-For contains no address. They all count as one. */
const UNKNOWN = 'unknown';
/** Some proxies append the port, which differs for every connection. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[\d.]+))(?::\d+)?$/;

/**
 * The address or network that limits count. An IPv6 customer owns a /64 and could use 2^64 addresses, so the /64
 * counts. An IPv4-mapped IPv6 address counts as the IPv4 address.
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
