/** How a function of a store is called for the owner of what it is about, and for a stranger. */
import type { CheckoutDossier } from '../src/checkouts/checkout.ts';
import { findDossier } from '../src/checkouts/checkout-store.ts';
import type { Refund } from '../src/checkouts/refund.ts';
import { findRefund } from '../src/checkouts/refund-store.ts';
import type { TargetAccount } from '../src/counterparties/target-account.ts';
import { findTargetAccount } from '../src/counterparties/target-account-store.ts';
import type { Tx } from '../src/db/database.ts';
import type { DepositDossier } from '../src/deposits/custom-deposit.ts';
import { findDeposit } from '../src/deposits/custom-deposit-store.ts';
import { present } from '../src/lib/assert.ts';
import type { Swap, SwapQuote } from '../src/wallets/swap.ts';
import { findSwap, findSwapQuote } from '../src/wallets/swap-store.ts';
import type { Transfer } from '../src/wallets/transfer.ts';
import { findTransfer } from '../src/wallets/transfer-store.ts';
import type { Kind, Tenants } from './tenant-world.ts';

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

export async function ownedBy({ ids, world }: Tenants): Promise<Owned> {
  const { db, clock } = world.gateway;
  const merchantId = ids.merchant;
  return {
    merchantId,
    ids,
    now: clock.now(),
    refund: present(await findRefund(db, merchantId, ids.refund), 'a refund').refund,
    settled: present(await findDossier(db, merchantId, ids.settled), 'a checkout'),
    transfer: present(await findTransfer(db, merchantId, ids.transfer), 'a transfer'),
    swap: present(await findSwap(db, merchantId, ids.swap), 'a swap'),
    quote: present(await findSwapQuote(db, merchantId, ids.swapQuote), 'a quote'),
    deposit: present(await findDeposit(db, merchantId, ids.deposit), 'a deposit'),
    targetAccount: present(await findTargetAccount(db, merchantId, { id: ids.targetAccount }), 'a target account'),
  };
}
