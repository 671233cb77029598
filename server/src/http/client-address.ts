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
export const countedAddress = (address: string): string => ipv6Network(address, 64) ?? address;

/** Many have 48 bits of IPv6, which are 65,536 networks to count: undefined for everything that is no IPv6. */
export const countedNeighbourhood = (address: string): string | undefined => ipv6Network(address, 48);

/** What follows the address, the domain at which it was seen, stays. */
function ipv6Network(seen: string, bits: 48 | 64): string | undefined {
  const [address = '', ...where] = seen.split(' ');
  if (isIPv4(address) || !ipaddr.IPv6.isValid(address)) return undefined;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, bits / 16);
  return [`${parts.map((part) => part.toString(16)).join(':')}::/${bits}`, ...where].join(' ');
}

export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits));
}

export const clientAddress = (
  remote: string | undefined,
  forwarded: string | string[] | undefined,
  trustedProxies: readonly AddressRange[],
): string => clientHops(remote, forwarded, trustedProxies).address;

/** `claims`: what the client itself has said about who is behind it, the nearest last. */
export function clientHops(
  remote: string | undefined,
  forwarded: string | string[] | undefined,
  trustedProxies: readonly AddressRange[],
): { address: string; claims: string[] } {
  let address = normalizeAddress(remote ?? '') ?? 'unknown';
  const claims = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').slice(-20);
  while (claims.length > 0 && isInRanges(address, trustedProxies)) {
    const next = normalizeAddress(claims.at(-1)?.trim() ?? '');
    if (next === undefined) break;
    address = next;
    claims.pop();
  }
  return { address, claims: claims.flatMap((claim) => normalizeAddress(claim.trim()) ?? []) };
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
