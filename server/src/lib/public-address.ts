/** Which IP addresses a URL that somebody else chose may lead to: only those of the public internet. */
import ipaddr from 'ipaddr.js';

const allottedGlobally = ipaddr.IPv6.parseCIDR('2000::/3');
const publicLooking: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  ipaddr.parseCIDR('168.63.129.16/32'), // Azure's host service, inside the public range.
  ipaddr.parseCIDR('3fff::/20'), // Documentation, RFC 9637.
];

export type AddressKind = 'public' | 'loopback' | 'other';

export function addressKind(text: string): AddressKind {
  if (!ipaddr.isValid(text)) return 'other';
  const address = throughTranslation(ipaddr.parse(text));
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast') return 'other';
  if (address instanceof ipaddr.IPv6 && !address.match(allottedGlobally)) return 'other';
  const isDisguised = publicLooking.some(([net, bits]) => net.kind() === address.kind() && address.match(net, bits));
  return isDisguised ? 'other' : 'public';
}

/**
 * An IPv6 address that only stands for an IPv4 address is judged as that one. NAT64 (RFC 6052) must be allowed for
 * public addresses: on a host with only IPv6 every IPv4 receiver resolves to it. 6to4 and Teredo tunnels contain
 * addresses too, but nobody receives webhooks there, so they stay refused.
 */
function throughTranslation(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  const range = address.range();
  if (range !== 'ipv4Mapped' && range !== 'rfc6052') return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

/** Of the host of a URL. `named`: where it leads is only known when it is resolved. */
export function hostKind(hostname: string): AddressKind | 'named' {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.isValid(host)) return addressKind(host);
  return /(^|\.)localhost\.?$/i.test(host) ? 'loopback' : 'named';
}
