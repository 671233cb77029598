/**
 * Every account there is. An account is named by its owner, its purpose and its asset. Names of merchants sort before
 * names of the operator, so that the operator's accounts, which everyone shares, are locked last and for the shortest
 * time.
 */
export type MerchantPurpose = 'available' | 'pending' | 'receivable' | 'reserved' | 'suspense';

/**
 * wallet: the other side of the coins we hold on a network. fees: what settlements earned. fx: coins bought against
 * coins sold. bridge: tokens that we issued on Stellar against coins held elsewhere. rounding: what rounding left over.
 * equity: the operator's own money. suspense: what arrived for nobody we know. costs: what networks, and tokens
 * with a fee, took for our transactions. reserved: the operator's own money on its way out, and what
 * networks may take for it.
 */
export type OperatorPurpose = 'fees' | 'fx' | 'bridge' | 'rounding' | 'equity' | 'suspense' | 'costs' | 'reserved';

export const merchantAccount = (merchantId: string, purpose: MerchantPurpose, asset: string): string =>
  `merchant/${merchantId}/${purpose}/${asset}`;

export const operatorAccount = (purpose: OperatorPurpose, asset: string): string => `operator/${purpose}/${asset}`;

export const chainWallet = (network: string, asset: string): string => `operator/wallet-${network}/${asset}`;

export const networkOfWallet = (account: string): string => account.split('/')[1]?.replace('wallet-', '') ?? '';

/** The asset is the last part of the name, so an account cannot be posted to in another asset. */
export const assetOfAccount = (account: string): string => account.slice(account.lastIndexOf('/') + 1);

/** Whose an account is and what for; of a chain wallet, the network. */
export type AccountName =
  | { readonly owner: 'merchant'; readonly purpose: MerchantPurpose }
  | { readonly owner: 'operator'; readonly purpose: OperatorPurpose }
  | { readonly owner: 'network'; readonly purpose: string };

export function partsOfAccount(account: string): AccountName {
  const [owner, first = '', second = ''] = account.split('/');
  if (owner === 'merchant') return { owner, purpose: second as MerchantPurpose };
  if (first.startsWith('wallet-')) return { owner: 'network', purpose: networkOfWallet(account) };
  return { owner: 'operator', purpose: first as OperatorPurpose };
}

/** A merchant can owe us only in `receivable`; everything else is money that we hold for the merchant. */
export const mayBeNegative = (account: string): boolean =>
  account.startsWith('operator/') || account.split('/')[2] === 'receivable';
