/** All SQL about merchants' own domains and the keys of their containers. */
import type { Query, Tx } from '../db/database.ts';

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
  /** Since when the merchant's container is known to answer at it; null: not yet, or no longer: nobody is sent there. */
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

/** What is named. What was known of another place says nothing about this one; what another merchant has found is not undone. */
export async function saveBrandDomain(tx: Tx, domain: Omit<BrandDomain, 'seenAt'>, now: Date): Promise<void> {
  await tx`
    insert into brand_domain (merchant_id, domain, origin, behaviour, created_at, framed_by)
    values (${domain.merchantId}, ${domain.domain}, ${domain.origin}, ${domain.behaviour}, ${now}, ${domain.framedBy})
    on conflict (merchant_id) do update
       set domain = excluded.domain, origin = excluded.origin, behaviour = excluded.behaviour,
           seen_at = case when brand_domain.origin = excluded.origin then brand_domain.seen_at end,
           framed_by = excluded.framed_by`;
}

export async function deleteBrandDomain(tx: Tx, merchantId: string): Promise<void> {
  await tx`delete from brand_domain where merchant_id = ${merchantId}`;
}

/** Where a merchant's pages are to be. On this machine, to try it out, one domain has many places. */
type Place = Pick<BrandDomain, 'merchantId' | 'origin'>;

/** Before it is decided whose it is: of two who are seen there at once, the second finds what the first has done. */
export async function lockNamers(tx: Tx, origin: string): Promise<void> {
  await tx`select from brand_domain where origin = ${origin} order by merchant_id for update`;
}

/** Whoever else had it has it no more. Returns who that was. */
export async function unmarkDomainOfOthers(tx: Tx, { merchantId, origin }: Place): Promise<string[]> {
  const rows = await tx<{ merchant_id: string }>`
    update brand_domain set seen_at = null
     where origin = ${origin} and merchant_id <> ${merchantId} and seen_at is not null
    returning merchant_id`;
  return rows.map((row) => row.merchant_id);
}

export async function markDomainSeen(tx: Tx, { merchantId }: Place, now: Date): Promise<void> {
  await tx`update brand_domain set seen_at = ${now} where merchant_id = ${merchantId}`;
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
