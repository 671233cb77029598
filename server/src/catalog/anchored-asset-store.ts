/** All SQL of assets of other issuers. */
import type { Query } from '../db/database.ts';
import type { AnchoredAsset } from './asset-catalog.ts';

/**
 * Called before anything is offered: stores what is configured, and returns it together with what was configured
 * earlier. Those assets are retired: somebody may have been credited in them.
 */
export async function rememberAnchoredAssets(
  query: Query,
  configured: readonly AnchoredAsset[],
): Promise<AnchoredAsset[]> {
  const [codes, issuers] = [configured.map(({ code }) => code), configured.map(({ issuer }) => issuer)];
  await query`
    insert into anchored_asset (code, issuer, domain)
    select * from unnest(${codes}::text[], ${issuers}::text[], ${configured.map(({ domain }) => domain)}::text[])
        on conflict (code, issuer) do update set domain = excluded.domain`;
  const isConfigured = (one: AnchoredAsset): boolean =>
    configured.some(({ code, issuer }) => code === one.code && issuer === one.issuer);
  return [...configured, ...(await loadAnchoredAssets(query)).filter((one) => !isConfigured(one))];
}

/** All that any process was ever configured with. A process without the configuration offers none of them. */
export async function loadAnchoredAssets(query: Query): Promise<AnchoredAsset[]> {
  const rows = await query<{ code: string; issuer: string; domain: string }>`
    select code, issuer, domain from anchored_asset order by code, issuer`;
  return rows.map((row) => ({ ...row, isRetired: true }));
}
