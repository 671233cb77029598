/** The operator has money of its own. In the books alone: what the networks hold stays as it is. */
import { operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { newId } from '../src/lib/ids.ts';
import type { Gateway } from './gateway.ts';

export async function stockTreasury({ db, clock }: Gateway, asset: string, units: bigint): Promise<void> {
  const lines = [
    { account: operatorAccount('rounding', asset), units: -units },
    { account: operatorAccount('equity', asset), units },
  ];
  const entry = {
    reference: `stock:${newId()}`,
    kind: 'funding_received' as const,
    merchantId: null,
    checkoutId: null,
  };
  await db.begin((tx) => postEntries(tx, [{ ...entry, lines }], clock.now()));
}
