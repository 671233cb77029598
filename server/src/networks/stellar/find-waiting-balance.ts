/**
 * The next claimable balance that is worth claiming. Anybody can leave us any number of balances that are worth
 * nothing, or cannot be claimed yet. So one look reads only so many pages of each asset, and the next look goes on from
 * there; after the last page it begins again. So every balance is looked at once in a round. After a restart it begins
 * at the first page.
 */
import type { SendContext } from '../port/sending.ts';
import { canClaimAt } from './claim-condition.ts';
import type { WaitingBalance } from './stellar-ledger-api.ts';
import type { Standing, StellarWallet } from './stellar-wallet.ts';

export type BalanceToClaim = { readonly id: string; readonly use: string };
export type FindWaitingBalance = (standing: Standing, context: SendContext) => Promise<BalanceToClaim | null>;

/** A thousand balances of an asset: to make them locks 500 lumens of whoever made them. */
const pagesPerLook = 5;
const claimSeconds = 15;

/** `minimumUnits`, by asset code: claiming less costs more than it is worth. */
export function createBalanceFinder(
  { api, owner, assetNames }: StellarWallet,
  minimumUnits: ReadonlyMap<string, bigint>,
): FindWaitingBalance {
  /** Where to go on, by asset code. */
  const places = new Map<string, string>();

  /** One that failed is not tried again for a day, because what it uses stays used up so long. */
  async function firstWorthClaiming(
    balances: readonly WaitingBalance[],
    leastUnits: bigint,
    { own, tip }: Standing,
    context: SendContext,
  ): Promise<BalanceToClaim | null> {
    const seconds = tip.closedAt.getTime() / 1000;
    for (const { id, asset, units, claimants } of balances) {
      const line = own.lines.get(asset);
      const ours = claimants.find(({ destination }) => destination === owner.accountId);
      const hasRoom = asset === 'native' || (line?.isAuthorized === true && line.room >= units);
      const isOpen = [seconds, seconds + claimSeconds].every((at) => ours && canClaimAt(ours.predicate, at));
      if (units < leastUnits || !hasRoom || !isOpen) continue;
      const use = `balance:${id}`;
      if ((await context.used(use)).length === 0) return { id, use };
    }
    return null;
  }

  async function findOf(code: string, name: string, standing: Standing, context: SendContext) {
    const leastUnits = minimumUnits.get(code);
    if (leastUnits === undefined) return null; // Tokens of our own: nobody is asked to pay with them.
    for (let pages = 0; pages < pagesPerLook; pages += 1) {
      const { balances, next } = await api.waitingFor(owner.accountId, name, places.get(code) ?? '');
      const found = await firstWorthClaiming(balances, leastUnits, standing, context);
      if (found) return found; // The rest of its page is looked at when this is done.
      places.set(code, next ?? '');
      if (next === null) break;
    }
    return null;
  }

  return async (standing, context) => {
    for (const [code, name] of assetNames) {
      const found = await findOf(code, name, standing, context);
      if (found) return found;
    }
    return null;
  };
}
