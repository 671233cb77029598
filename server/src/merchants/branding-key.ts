/**
 * A brand container gets only a branding key, so the key says where the service is and for which domain it was made:
 * `qb1.<service>.<domain>.<256 random bits>`, each in base64url. The database holds only its hash; a plain hash is
 * enough, because the key has 256 random bits.
 */
import { createHash, randomBytes } from 'node:crypto';
import { invalidRequest } from '../lib/errors.ts';
import { Secret } from '../lib/secret.ts';

const encode = (text: string): string => Buffer.from(text).toString('base64url');

export const newBrandingKey = (at: { serviceUrl: string; domain: string }): Secret =>
  new Secret(`qb1.${encode(at.serviceUrl)}.${encode(at.domain)}.${randomBytes(32).toString('base64url')}`);

export const brandingKeyDigest = (key: string): string => createHash('sha256').update(key).digest('hex');

/** As it is compared: in lower case, without port and final dot. */
export const hostnameOf = (host: string): string => host.trim().toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|.+\.localhost)$/.test(hostname);

/** Only to try it out: for everybody else it is their own machine. */
export const isOnThisMachine = (text: string): boolean => isLoopback(readDomain(text).domain);

/** `pay.shop.example`. On this machine, to try it out, also `http://localhost:8090`. */
export function readDomain(text: string): { domain: string; origin: string } {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  const isBare = url !== null && url.pathname === '/' && `${url.search}${url.hash}${url.username}` === '';
  const isName = url !== null && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]+$/.test(url.hostname);
  if (isBare && isLoopback(url.hostname)) return { domain: url.hostname, origin: url.origin };
  if (!isBare || !isName || url.protocol !== 'https:' || url.port !== '' || url.hostname.length > 253)
    throw invalidRequest(`${JSON.stringify(text.slice(0, 80))} is no domain: it must be like pay.shop.example.`);
  return { domain: url.hostname, origin: url.origin };
}
