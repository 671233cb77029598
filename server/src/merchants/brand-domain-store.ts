/** All SQL about merchants' own domains and the keys of their containers. */
import { isUniqueViolation, type Query, type Tx } from '../db/database.ts';

/**
 * What the two domains do. `own-domain`: both serve, but only the merchant's own shows the brand. `both`: both do.
 * `redirect`: the service's sends customers to the merchant's. `block`: the service's answers as if there were no such
 * pages.
 */
export const brandBehaviours = ['own-domain', 'both', 'redirect', 'block'] as const;
export type BrandBehaviour = (typeof brandBehaviours)[number];

export type BrandDomain = {
  readonly merchantId: string;
  readonly domain: string;
  /** The beginning of links. */
  readonly origin: string;
  readonly behaviour: BrandBehaviour;
  /** When the first request came through it; null: none yet, and nobody is sent there. */
  readonly seenAt: Date | null;
  /** Who may show the pages on it in a frame: `self` is the domain, everything else is an origin. Empty: nobody. */
  readonly framedBy: readonly string[];
};

type DomainRow = {
  merchant_id: string;
  domain: string;
  origin: string;
  behaviour: BrandBehaviour;
  seen_at: Date | null;
  framed_by: string[];
};

const toDomain = (row: DomainRow): BrandDomain => ({
  merchantId: row.merchant_id,
  domain: row.domain,
  origin: row.origin,
  behaviour: row.behaviour,
  seenAt: row.seen_at,
  framedBy: row.framed_by,
});

export async function findBrandDomain(query: Query, merchantId: string): Promise<BrandDomain | undefined> {
  const [row] = await query<DomainRow>`select * from brand_domain where merchant_id = ${merchantId}`;
  return row && toDomain(row);
}

/** All of them, each with the digests of its keys. */
export async function loadBrandDomains(query: Query): Promise<(BrandDomain & { keyDigests: string[] })[]> {
  const rows = await query<DomainRow & { digests: string[] }>`
    select brand_domain.*,
           array(select key_digest from branding_key where merchant_id = brand_domain.merchant_id) as digests
      from brand_domain`;
  return rows.map((row) => ({ ...toDomain(row), keyDigests: row.digests }));
}

/** Fails when the domain belongs to another merchant: `isTaken` knows that failure. */
export async function saveBrandDomain(tx: Tx, domain: BrandDomain, now: Date): Promise<void> {
  await tx`
    insert into brand_domain (merchant_id, domain, origin, behaviour, created_at, seen_at, framed_by)
    values (${domain.merchantId}, ${domain.domain}, ${domain.origin}, ${domain.behaviour}, ${now}, ${domain.seenAt},
            ${domain.framedBy})
    on conflict (merchant_id) do update
       set domain = excluded.domain, origin = excluded.origin, behaviour = excluded.behaviour,
           seen_at = excluded.seen_at, framed_by = excluded.framed_by`;
}

export const isTaken = (error: unknown): boolean => isUniqueViolation(error, 'brand_domain_domain_key');

export async function deleteBrandDomain(tx: Tx, merchantId: string): Promise<void> {
  await tx`delete from brand_domain where merchant_id = ${merchantId}`;
}

/** True the first time. */
export async function markDomainSeen(query: Query, { merchantId, domain }: BrandDomain, now: Date): Promise<boolean> {
  const marked = await query`
    update brand_domain set seen_at = ${now}
     where merchant_id = ${merchantId} and domain = ${domain} and seen_at is null
    returning domain`;
  return marked.length > 0;
}

export async function listBrandingKeys(query: Query, merchantId: string): Promise<{ id: string; createdAt: Date }[]> {
  const rows = await query<{ id: string; created_at: Date }>`
    select id, created_at from branding_key where merchant_id = ${merchantId} order by created_at, id`;
  return rows.map((row) => ({ id: row.id, createdAt: row.created_at }));
}

export async function insertBrandingKey(
  tx: Tx,
  key: { merchantId: string; id: string; digest: string },
  now: Date,
): Promise<void> {
  await tx`
    insert into branding_key (merchant_id, id, key_digest, created_at)
    values (${key.merchantId}, ${key.id}, ${key.digest}, ${now})`;
}

/** One, or all of the merchant's. Returns how many there were. */
export async function deleteBrandingKeys(tx: Tx, merchantId: string, id: string | null): Promise<number> {
  const deleted = await tx`
    delete from branding_key where merchant_id = ${merchantId} and (${id}::text is null or id = ${id}) returning id`;
  return deleted.length;
}
