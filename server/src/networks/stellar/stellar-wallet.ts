/** What sending on Stellar needs: who signs, which account is free to sign with, and what can be spent. */
import { formatDecimal, formatFixed, fromUnits } from '../../money/decimal.ts';
import { NetworkError } from '../port/connector.ts';
import { NotEnoughFunds, type SendContext } from '../port/sending.ts';
import type { StellarSigner } from './stellar-channels.ts';
import type { LedgerTerms, LedgerTip, StellarAccount, StellarLedgerApi } from './stellar-ledger-api.ts';

export type StellarWallet = {
  readonly api: StellarLedgerApi;
  readonly passphrase: string;
  /** Has the money, pays the fees and is the source of every operation. */
  readonly owner: StellarSigner;
  readonly channels: readonly StellarSigner[];
  /** Issues our own tokens; null: nobody here can. */
  readonly issuer: StellarSigner | null;
  /** Stellar's names of our assets, by code. */
  readonly assetNames: ReadonlyMap<string, string>;
};

export const ownAccounts = ({ owner, channels }: StellarWallet): string[] =>
  [owner, ...channels].map(({ accountId }) => accountId);

export const feeAsset = 'XLM';
/** 0.1 XLM per operation: more is not worth it, and a sign that something is wrong. */
export const feeRateMax = 1_000_000n;

export const feeRateOf = ({ feeRate }: LedgerTerms): bigint => (feeRate < feeRateMax ? feeRate : feeRateMax);

/** The account whose next sequence number a transaction takes. */
export type Source = { readonly signer: StellarSigner; readonly sequence: bigint };

// The library is large, and only those who send need it.
export const loadSdk = () => import('@stellar/stellar-sdk');

export const amountText = (units: bigint): string => formatFixed(fromUnits(units, 7), 7);

/** For people: without zeros at the end. */
export const saidAmount = (units: bigint): string => formatDecimal(fromUnits(units, 7));

export const useOf = (accountId: string, sequence: bigint): string => `${accountId}:${sequence}`;

export type Standing = {
  readonly own: StellarAccount;
  /** Null: this channel does not exist yet. */
  readonly channels: readonly { readonly accountId: string; readonly state: StellarAccount | null }[];
  readonly tip: LedgerTip;
  readonly terms: LedgerTerms;
  /** The first account whose next sequence number no signed transaction uses. */
  readonly free: Source | undefined;
  /** What can be spent, by asset code, less what signed transactions will spend. */
  readonly spendable: ReadonlyMap<string, bigint>;
};

/**
 * The state of all accounts that sign. The channels are read before the owner: so a payment that is included in between
 * is counted twice, but never forgotten.
 */
export async function readStanding(wallet: StellarWallet, context: SendContext): Promise<Standing> {
  const { api, owner, channels } = wallet;
  const channelAccounts = await Promise.all(channels.map(({ accountId }) => api.account(accountId)));
  const [own, tip, terms] = await Promise.all([requireAccount(wallet), api.tip(), api.terms()]);
  const states = [...channels.map((signer, at) => [signer, channelAccounts[at]] as const), [owner, own] as const];
  const signedUnits = new Map<string, bigint>();
  let free: Source | undefined;
  for (const [signer, state] of states) {
    if (!state) continue;
    const use = useOf(signer.accountId, state.sequence + 1n);
    const used = await context.used(use);
    if (used.length === 0) free ??= { signer, sequence: state.sequence };
    for (const text of used) {
      const [asset, units] = text.slice(use.length + 1).split(':');
      if (asset && units) signedUnits.set(asset, (signedUnits.get(asset) ?? 0n) + BigInt(units));
    }
  }
  const spendable = Array.from(wallet.assetNames, ([code, name]): [string, bigint] => [
    code,
    spendableOf(own, name, terms.baseReserve) - (signedUnits.get(code) ?? 0n),
  ]);
  return {
    own,
    tip,
    terms,
    free,
    spendable: new Map(spendable),
    channels: channels.map(({ accountId }, at) => ({ accountId, state: channelAccounts[at] ?? null })),
  };
}

/** What an account can spend of an asset, by Stellar's name: neither its reserve nor what its offers may take. */
export function spendableOf(own: StellarAccount, name: string, baseReserve: bigint): bigint {
  if (name === 'native') return own.lumens - own.lumensPromised - reserveOf(own, baseReserve);
  const line = own.lines.get(name);
  return line?.isAuthorized ? line.spendable : 0n;
}

export const reserveOf = ({ reserveCount }: StellarAccount, baseReserve: bigint): bigint =>
  BigInt(reserveCount) * baseReserve;

export async function requireAccount({ api, owner }: StellarWallet): Promise<StellarAccount> {
  const own = await api.account(owner.accountId);
  if (!own)
    throw new NetworkError(`The account ${owner.accountId} does not exist: fund it first.`, { isRetryable: false });
  return own;
}

export function assertAffordable({ spendable }: Standing, assetCode: string, units: bigint): void {
  const held = spendable.get(assetCode) ?? 0n;
  if (held < units)
    throw new NotEnoughFunds(
      `The Stellar account has ${saidAmount(held > 0n ? held : 0n)} ${assetCode} to spend, but ${saidAmount(units)} are needed.`,
    );
}
