/**
 * The next claimable balance that is worth claiming. Anybody can leave any number of them with us that are worth
 * nothing, or cannot be claimed yet: so a look reads so many pages of each asset and the next one goes on from there,
 * round and round. Whatever lies in front, every balance is looked at once in a round; after a restart it begins anew.
 */
import type { SendContext } from '../port/sending.ts';
import { canClaimAt } from './claim-condition.ts';
import type { WaitingBalance } from './stellar-ledger-api.ts';
import type { Standing, StellarWallet } from './stellar-wallet.ts';

export type BalanceToClaim = { readonly id: string; readonly claim: string };
export type FindWaitingBalance = (standing: Standing, context: SendContext) => Promise<BalanceToClaim | null>;

/** A thousand balances of an asset: they lock 500 lumens of whoever made them. */
const pagesPerLook = 5;
const claimSeconds = 15;

/** `minimumUnits`, by asset code: claiming less costs more than it is worth. */
export function createBalanceFinder(
  { api, owner, assetNames }: StellarWallet,
  minimumUnits: ReadonlyMap<string, bigint>,
): FindWaitingBalance {
  /** Where to go on, by asset code. */
  const places = new Map<string, string>();

  /** One that failed is left alone for a day, because its claim stays used so long. */
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
      const claim = `balance:${id}`;
      if ((await context.claimed(claim)).length === 0) return { id, claim };
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
