import type { CreateDepositDeps } from '../../deposits/create-deposit.ts';
import type { SwapDeps } from '../../wallets/create-swap.ts';
import type { TransferDeps } from '../../wallets/create-transfer.ts';
import type { AccountDeps } from '../frame/account-route.ts';

/** What pages about the account's own money need. */
export type MoneyDeps = AccountDeps & TransferDeps & SwapDeps & CreateDepositDeps;
