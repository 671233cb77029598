/**
 * The address a request comes from. X-Forwarded-For is a claim anybody can make: it is believed only as far as it was
 * written by proxies that the operator has named.
 */
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { addressKind } from '../lib/public-address.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressRange = [Address, number];

/** Throws on anything that is neither an address nor a CIDR range. */
export function parseRange(text: string): AddressRange {
  if (!text.includes('/')) {
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  const [address, bits] = ipaddr.parseCIDR(text);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96)
    return [address.toIPv4Address(), bits - 96];
  return [address, bits];
}

/** An IPv4 address in IPv6 clothes is the IPv4 address. Undefined for what is no address. */
export function normalizeAddress(text: string): string | undefined {
  if (isIPv4(text)) return text; // What nearly every request has, and already its only form.
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : undefined;
}

/**
 * The address as it is counted for a limit: of IPv6 the first 64 bits, because one customer has all the rest. What is no
 * address is counted as it is.
 */
export function countedAddress(address: string): string {
  if (isIPv4(address) || !ipaddr.IPv6.isValid(address)) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits));
}

export function clientAddress(
  remote: string | undefined,
  forwarded: string | string[] | undefined,
  trustedProxies: readonly AddressRange[],
): string {
  let address = normalizeAddress(remote ?? '') ?? 'unknown';
  if (trustedProxies.length === 0 || forwarded === undefined) return address;
  const hops = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded).split(',').slice(-20).reverse();
  for (const hop of hops) {
    if (!isInRanges(address, trustedProxies)) break;
    const next = normalizeAddress(hop.trim());
    if (next === undefined) break;
    address = next;
  }
  return address;
}

/**
 * A proxy that nobody has named: its neighbourhood is not the internet, and it tells of somebody else, whom we cannot
 * believe. Everybody comes from its address then, so what holds for one address must not hold for it.
 */
export const isUnnamedProxy = (
  remote: string | undefined,
  forwarded: string | string[] | undefined,
  trustedProxies: readonly AddressRange[],
): boolean => {
  if (forwarded === undefined) return false;
  const address = normalizeAddress(remote ?? '');
  return address !== undefined && addressKind(address) !== 'public' && !isInRanges(address, trustedProxies);
};
