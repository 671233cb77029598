/**
 * A brand container gets only a branding key, so the key says where the service is and for which domain it was made:
 * `qb1.<service>.<domain>.<256 random bits>`, each in base64url. The database holds only its hash; a plain hash is
 * enough, because the key has 256 random bits.
 */
import { createHash, randomBytes } from 'node:crypto';
import { invalidRequest, told } from '../lib/errors.ts';
import { Secret } from '../lib/secret.ts';

const encode = (text: string): string => Buffer.from(text).toString('base64url');

export const newBrandingKey = (at: { serviceUrl: string; domain: string }): Secret =>
  new Secret(`qb1.${encode(at.serviceUrl)}.${encode(at.domain)}.${randomBytes(32).toString('base64url')}`);

export const brandingKeyDigest = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * What a container answers with when it has a key of this merchant for this domain. It says whose container answers at a
 * domain that several have named; it is no secret, because only who runs the domain can have it answer so.
 */
export const holderOf = ({ merchantId, domain }: { readonly merchantId: string; readonly domain: string }): string =>
  createHash('sha256').update(`${merchantId} has ${domain}`).digest('hex').slice(0, 32);

/** As it is compared: in lower case, without port and final dot. */
export const hostnameOf = (host: string): string => host.trim().toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|.+\.localhost)$/.test(hostname);

/** Only to try it out: for everybody else it is their own machine. */
export const isOnThisMachine = (text: string): boolean => isLoopback(readDomain(text).domain);

/** Whether a merchant would have what we are reached at ourselves. On this machine a port is a place of its own. */
export function isOurOwn({ domain, origin }: { domain: string; origin: string }, ours: readonly string[]): boolean {
  return ours.some((url) => (isLoopback(domain) ? new URL(url).origin === origin : new URL(url).hostname === domain));
}

/** `pay.shop.example`. On this machine, to try it out, also `http://localhost:8090`. */
export function readDomain(text: string): { domain: string; origin: string } {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  const isBare = url !== null && url.pathname === '/' && `${url.search}${url.hash}${url.username}` === '';
  const isName = url !== null && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]+$/.test(url.hostname);
  if (isBare && isLoopback(url.hostname)) return { domain: url.hostname, origin: url.origin };
  if (!isBare || !isName || url.protocol !== 'https:' || url.port !== '' || url.hostname.length > 253)
    throw invalidRequest([
      told('domain_wrong', `${JSON.stringify(text.slice(0, 80))} is no domain: it must be like pay.shop.example.`),
    ]);
  return { domain: url.hostname, origin: url.origin };
}
