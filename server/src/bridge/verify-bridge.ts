/**
 * The proof of the bridge, per asset: there are as many tokens as coins held for them. Three comparisons prove it.
 * Stellar's ledger has as many tokens as the books issued; the nodes hold as many coins as the books say; and the books
 * issued as many as they hold. Each comparison allows for what is on its way, and the last one for the time that this
 * takes.
 */
import { knownAssets } from '../catalog/known-assets.ts';
import type { Query } from '../db/database.ts';
import { addMs, formatTimestamp, minutes } from '../lib/clock.ts';
import { formatUnits } from '../money/amount.ts';
import { power10 } from '../money/decimal.ts';
import { isSound } from '../watching/reconcile.ts';
import { lastReconciliations, type Reconciliation } from '../watching/reconciliation-store.ts';
import { type BridgeBooks, type BridgeMovement, bridgeActivity, bridgeBooks } from './bridge-store.ts';
import { type BridgeToken, bridgeTokens, type TokenCount } from './bridge-token-store.ts';

export type BridgeProof = {
  readonly asset: string;
  /** As Stellar's ledger says. Null: never asked. */
  readonly tokenUnits: bigint | null;
  readonly issuedUnits: bigint;
  /** As the nodes say. Null: never asked. */
  readonly coinUnits: bigint | null;
  readonly heldUnits: bigint;
  /** Being issued; negative: being burned. */
  readonly movingUnits: bigint;
  /** Tokens beyond coins that nothing explains; should be zero. */
  readonly unexplainedUnits: bigint;
  /** One sentence each. Empty: it is proven. */
  readonly problems: readonly string[];
  readonly countedAt: Date | null;
};

const stellar = 'STELLAR';
const stellarScale = 7;
/** A movement takes one ledger, seconds. More is a network in trouble, or accounts without lumens. */
const behindMaxMs = minutes(10);

/** Tokens that Stellar has beyond those that were issued, or lacks; what is under way may be in it or not. */
export function tokenDifference({ supply, booked, landed, underway }: TokenCount): bigint {
  const difference = supply - booked - landed;
  const [least, most] = underway < 0n ? [underway, 0n] : [0n, underway];
  return difference < least ? difference - least : difference > most ? difference - most : 0n;
}

export async function verifyBridge(query: Query, now: Date): Promise<BridgeProof[]> {
  const tokens = await bridgeTokens(query);
  const assets = tokens.map(({ asset }) => asset);
  const [books, activities, reconciliations] = [
    await bridgeBooks(query, assets),
    await bridgeActivity(query, assets),
    await lastReconciliations(query),
  ];
  return tokens.map((token) =>
    proofOf(
      token,
      books.find(({ asset }) => asset === token.asset) ?? nothingBooked(token.asset),
      activities.find(({ asset }) => asset === token.asset)?.movement ?? null,
      reconciliations.filter(({ asset, network }) => asset === token.asset && network !== stellar),
      now,
    ),
  );
}

const nothingBooked = (asset: string): BridgeBooks => ({ asset, heldUnits: 0n, issuedUnits: 0n, ownUnits: 0n });

function proofOf(
  { asset, count, levelAt }: BridgeToken,
  { heldUnits, issuedUnits }: BridgeBooks,
  movement: BridgeMovement | null,
  reconciled: readonly Reconciliation[],
  now: Date,
): BridgeProof {
  const { code, scale } = factsOf(asset);
  const said = (units: bigint): string => `${formatUnits(units < 0n ? -units : units, scale)} ${code}`;
  const problems: string[] = [];

  const tokenOff = count ? tokenDifference(count) : 0n;
  if (!count && issuedUnits > 0n) problems.push('Stellar has not been asked yet how many tokens there are.');
  if (tokenOff !== 0n)
    problems.push(`Stellar has ${said(tokenOff)} ${tokenOff > 0n ? 'more' : 'less'} than the books say was issued.`);

  let coinOff = 0n;
  if (reconciled.length === 0 && heldUnits > 0n) problems.push('The nodes have not been asked yet what they hold.');
  for (const each of reconciled.filter((found) => !isSound(found))) {
    coinOff += each.difference;
    const way = each.difference > 0n ? 'more' : 'less';
    problems.push(`${each.network} holds ${said(each.difference)} ${way} than the books say.`);
  }

  const rest = heldUnits - issuedUnits;
  // Stellar has seven decimals: what is smaller is held and not issued.
  const isLevel = rest >= 0n && rest < power10(Math.max(0, scale - stellarScale));
  const isBehind = !isLevel && (levelAt === null || now > addMs(levelAt, behindMaxMs));
  if (isBehind)
    problems.push(
      `${said(rest)} ${rest > 0n ? 'is held without tokens' : 'of tokens has no coins'}` +
        (levelAt ? `, since ${formatTimestamp(levelAt)}.` : '.'),
    );

  return {
    asset,
    issuedUnits,
    heldUnits,
    problems,
    countedAt: count?.countedAt ?? null,
    tokenUnits: count?.supply ?? null,
    coinUnits: reconciled.length === 0 ? null : reconciled.reduce((sum, { held }) => sum + held, 0n),
    movingUnits: movement === null ? 0n : movement.isIssue ? movement.units : -movement.units,
    unexplainedUnits: tokenOff - coinOff - (isBehind ? rest : 0n),
  };
}

function factsOf(asset: string): { code: string; scale: number } {
  const [code = ''] = asset.split(':');
  return { code, scale: knownAssets.find((known) => known.code === code)?.ledgerScale ?? stellarScale };
}
