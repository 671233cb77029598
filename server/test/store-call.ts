/** How a function of a store is called for the owner of what it is about, and for a stranger. */
import type { CheckoutDossier } from '../src/checkouts/checkout.ts';
import type { Refund } from '../src/checkouts/refund.ts';
import type { TargetAccount } from '../src/counterparties/target-account.ts';
import type { Tx } from '../src/db/database.ts';
import type { DepositDossier } from '../src/deposits/custom-deposit.ts';
import type { Swap, SwapQuote } from '../src/wallets/swap.ts';
import type { Transfer } from '../src/wallets/transfer.ts';
import type { Kind } from './tenant-world.ts';

/** What the owner has, as the code sees it. */
export type Owned = {
  readonly merchantId: string;
  readonly ids: Readonly<Record<Kind, string>>;
  readonly now: Date;
  readonly settled: CheckoutDossier;
  readonly transfer: Transfer;
  readonly swap: Swap;
  readonly quote: SwapQuote;
  readonly refund: Refund;
  readonly deposit: DepositDossier;
  readonly targetAccount: TargetAccount;
};

export type Call = (tx: Tx, merchantId: string, own: Owned) => Promise<unknown>;

/** `first` is done by the owner, in the same transaction. `strangerGets`: where the answer is not simply nothing. */
export type StoreCall = Call | { readonly first?: Call; readonly ask: Call; readonly strangerGets?: unknown };

/** By the path of the store and the name of the function. */
export type StoreCalls = Readonly<Record<string, Readonly<Record<string, StoreCall>>>>;
