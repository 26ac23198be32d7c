import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** The number of proxies in front of us, or their addresses. */
export type TrustedProxies = number | readonly string[];

const MAX_HOPS = 10;
const RANGES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/**
 * `true` is one proxy, `false` none. Undefined for a text that is neither a number nor a list of addresses, and for
 * networks that contain everybody: every caller could then choose the address that it is counted by.
 */
export function toTrustedProxies(text: string): TrustedProxies | undefined {
  if (text === 'true' || text === 'false') return text === 'true' ? 1 : 0;
  if (/^\d+$/.test(text)) return Number(text) <= MAX_HOPS ? Number(text) : undefined;
  const networks = text.split(',').map((part) => part.trim());
  return networks.every((network) => RANGES.has(network) || isNetwork(network)) ? networks : undefined;
}

/** ipaddr.js also accepts addresses such as 10.1, which it reads as 10.0.0.1. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d*$/.test(prefix) && ipaddr.isValidCIDR(text));
}
