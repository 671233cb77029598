/** Money that is there without having come. In the books alone: what the networks hold stays as it is. */
import { merchantAccount, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { newId } from '../src/lib/ids.ts';
import type { Gateway } from './gateway.ts';
import { madeUp } from './subject-problems.ts';

/** The operator has money of its own. */
export const stockTreasury = (gateway: Gateway, asset: string, units: bigint): Promise<void> =>
  book(gateway, operatorAccount('equity', asset), asset, units);

/** A merchant has something from earlier, of which nothing may come in any more. */
export const holdFromEarlier = (gateway: Gateway, merchantId: string, asset: string, units: bigint): Promise<void> =>
  book(gateway, merchantAccount(merchantId, 'available', asset), asset, units);

async function book({ db, clock }: Gateway, account: string, asset: string, units: bigint): Promise<void> {
  const lines = [
    { account: operatorAccount('rounding', asset), units: -units },
    { account, units },
  ];
  const subject = { kind: 'funding', id: madeUp(newId()) } as const;
  const entry = { reference: `stock:${subject.id}`, kind: 'funding_received', merchantId: null, subject } as const;
  await db.begin((tx) => postEntries(tx, [{ ...entry, lines }], clock.now()));
}
