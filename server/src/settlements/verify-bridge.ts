/** The proof of the bridge: of every asset that was ever issued, as many tokens as coins. */
import { knownAssets } from '../catalog/known-assets.ts';
import type { Query } from '../db/database.ts';
import { operatorAccount } from '../ledger/chart-of-accounts.ts';
import { power10 } from '../money/decimal.ts';
import { type BridgeBooks, bridgeBooks } from './bridge-store.ts';

const stellarScale = 7;

export type BridgeProof = BridgeBooks & { readonly isLevel: boolean };

export async function verifyBridge(query: Query): Promise<BridgeProof[]> {
  const accounts = await query<{ asset: string }>`
    select asset from ledger_account where id like ${operatorAccount('bridge', '%')} order by asset`;
  const books = await bridgeBooks(
    query,
    accounts.map(({ asset }) => asset),
  );
  return books.map((each) => {
    const rest = each.heldUnits - each.issuedUnits;
    return { ...each, isLevel: rest >= 0n && rest < finestIssued(each.asset) };
  });
}

/** The smallest unit of Stellar, in units of the asset's ledger scale. */
function finestIssued(asset: string): bigint {
  const known = knownAssets.find(({ code }) => code === asset.split(':')[0]);
  return power10(Math.max(0, (known?.ledgerScale ?? stellarScale) - stellarScale));
}
