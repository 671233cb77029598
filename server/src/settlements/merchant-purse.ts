/**
 * What a merchant has and owes while a plan is made. A credit repays a debt first, and what is taken comes out of
 * `available` first. So a merchant never has money and a debt in the same asset, and `available` never goes below zero.
 */
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import type { Line } from '../ledger/entry.ts';
import { assert } from '../lib/assert.ts';
import { smaller } from '../money/amount.ts';

/** By asset. Locked by the caller. */
export type MerchantBalances = {
  readonly available: ReadonlyMap<string, bigint>;
  readonly owed: ReadonlyMap<string, bigint>;
};

export type MerchantPurse = {
  /** What is in the purse now. */
  readonly balances: MerchantBalances;
  give(asset: string, units: bigint): Line[];
  /** What is missing becomes a debt. */
  take(asset: string, units: bigint): Line[];
  /** Takes only what is there: the caller has made sure that it is enough. */
  spend(asset: string, units: bigint): Line[];
};

export function createMerchantPurse(merchantId: string, balances: MerchantBalances): MerchantPurse {
  const available = new Map(balances.available);
  const owed = new Map(balances.owed);

  function move(asset: string, fromAvailable: bigint, fromDebt: bigint): Line[] {
    available.set(asset, (available.get(asset) ?? 0n) + fromAvailable);
    owed.set(asset, (owed.get(asset) ?? 0n) - fromDebt);
    return [
      { account: merchantAccount(merchantId, 'available', asset), units: fromAvailable },
      { account: merchantAccount(merchantId, 'receivable', asset), units: fromDebt },
    ];
  }

  return {
    balances: { available, owed },
    give(asset, units) {
      const repaid = smaller(owed.get(asset) ?? 0n, units);
      return move(asset, units - repaid, repaid);
    },
    take(asset, units) {
      const there = smaller(available.get(asset) ?? 0n, units);
      return move(asset, -there, there - units);
    },
    spend(asset, units) {
      assert((available.get(asset) ?? 0n) >= units, 'a merchant spends only what is available');
      return move(asset, -units, 0n);
    },
  };
}
