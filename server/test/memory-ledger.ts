/** The rules of the ledger in memory: entries balance per asset, references are used once, nothing is overdrawn. */
import { mayBeNegative, merchantAccount } from '../src/ledger/chart-of-accounts.ts';
import { balancedEntry, type Entry } from '../src/ledger/entry.ts';
import { assert } from '../src/lib/assert.ts';
import type { MerchantBalances } from '../src/settlements/merchant-purse.ts';

export type MemoryLedger = {
  readonly balances: ReadonlyMap<string, bigint>;
  readonly size: number;
  post(entries: readonly Entry[]): void;
  balance(account: string): bigint;
  merchantBalances(merchantId: string, assets: readonly string[]): MerchantBalances;
};

export function createMemoryLedger(): MemoryLedger {
  const balances = new Map<string, bigint>();
  const references = new Set<string>();
  const balance = (account: string): bigint => balances.get(account) ?? 0n;
  return {
    balances,
    get size() {
      return references.size;
    },
    balance,
    post(entries) {
      for (const entry of entries) {
        assert(!references.has(entry.reference), `${entry.reference} is posted twice`);
        references.add(entry.reference);
        for (const { account, units } of balancedEntry(entry).lines) {
          balances.set(account, balance(account) + units);
          assert(balance(account) >= 0n || mayBeNegative(account), `${account} is overdrawn by ${entry.reference}`);
        }
      }
    },
    merchantBalances(merchantId, assets) {
      const of = (purpose: 'available' | 'receivable', asset: string) =>
        balance(merchantAccount(merchantId, purpose, asset));
      return {
        available: new Map(assets.map((asset) => [asset, of('available', asset)])),
        owed: new Map(assets.map((asset) => [asset, -of('receivable', asset)])),
      };
    },
  };
}
