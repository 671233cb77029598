/**
 * The address a request comes from. Anybody can write anything into X-Forwarded-For: it is believed only as far as
 * proxies wrote it that the operator has named.
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

/** An IPv4 address written as an IPv6 address is the IPv4 address. Undefined for what is no address. */
export function normalizeAddress(text: string): string | undefined {
  if (isIPv4(text)) return text; // So it is with nearly every request, and it has only this form.
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : undefined;
}

/**
 * The address as it is counted for a limit: the first 64 bits of IPv6, because one customer has all the others. What is
 * no address is counted as it is.
 */
export const countedAddress = (address: string): string => ipv6Network(address, 64) ?? address;

/**
 * Many customers have 48 bits of IPv6, which are 65,536 networks to count. Undefined for everything that is no IPv6.
 */
export const countedNeighbourhood = (address: string): string | undefined => ipv6Network(address, 48);

/** What follows the address (the domain at which it was seen) is kept. */
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

/** `toldHops`: who is behind the client, as the client itself says, the nearest last. */
export function clientHops(
  remote: string | undefined,
  forwarded: string | string[] | undefined,
  trustedProxies: readonly AddressRange[],
): { address: string; toldHops: string[] } {
  let address = normalizeAddress(remote ?? '') ?? 'unknown';
  const toldHops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').slice(-20);
  while (toldHops.length > 0 && isInRanges(address, trustedProxies)) {
    const next = normalizeAddress(toldHops.at(-1)?.trim() ?? '');
    if (next === undefined) break;
    address = next;
    toldHops.pop();
  }
  return { address, toldHops: toldHops.flatMap((each) => normalizeAddress(each.trim()) ?? []) };
}

/**
 * A proxy that the operator has not named: its address is not on the internet, and it names a client behind it, which
 * we cannot believe. Everybody comes from its address then, so the limit of one address must not hold for it.
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
