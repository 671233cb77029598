/**
 * All domains and keys, in memory: a wrong key costs us a hash and no query. They are read again every few seconds, so
 * a revoked key still works for that long.
 */
import type { BrandDomain } from './brand-domain-store.ts';
import { brandingKeyDigest, hostnameOf } from './branding-key.ts';

export type BrandDomains = {
  /** Replaces what was known before. */
  record(domains: readonly (BrandDomain & { readonly keyDigests: readonly string[] })[]): void;
  /** The merchant's own domain, once its container was seen answering there. */
  activeOf(merchantId: string): BrandDomain | undefined;
  /** The domain of this key, if it is this one. */
  spokenFor(key: string, hostname: string): BrandDomain | undefined;
  /** The beginning of links to this merchant's pages. */
  originFor(merchantId: string): string;
};

export function createBrandDomains(publicUrl: string): BrandDomains {
  let byMerchant = new Map<string, BrandDomain>();
  let byKey = new Map<string, BrandDomain>();

  const activeOf = (merchantId: string): BrandDomain | undefined => {
    const domain = byMerchant.get(merchantId);
    return domain?.seenAt ? domain : undefined;
  };

  return {
    record(domains) {
      byMerchant = new Map(domains.map((each) => [each.merchantId, each]));
      byKey = new Map(domains.flatMap((each) => each.keyDigests.map((digest) => [digest, each] as const)));
    },
    activeOf,
    spokenFor(key, hostname) {
      const domain = byKey.get(brandingKeyDigest(key));
      return domain?.domain === hostnameOf(hostname) ? domain : undefined;
    },
    originFor(merchantId) {
      const domain = activeOf(merchantId);
      // With `both` the service's own domain serves as well, and it works when the container does not.
      return domain === undefined || domain.behaviour === 'both' ? publicUrl : domain.origin;
    },
  };
}
