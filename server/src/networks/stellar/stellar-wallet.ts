/** What sending on Stellar is made of: who signs, what is free to sign with, and how a transaction is put together. */
import type { Memo as MemoType, xdr } from '@stellar/stellar-sdk';
import { formatDecimal, formatFixed, fromUnits } from '../../money/decimal.ts';
import { NetworkError, NotEnoughFunds, type SendContext, type SignedTransaction } from '../port.ts';
import type { StellarSigner } from './stellar-channels.ts';
import type { LedgerTerms, LedgerTip, StellarAccount, StellarLedgerApi } from './stellar-ledger-api.ts';

export type StellarWallet = {
  readonly api: StellarLedgerApi;
  readonly passphrase: string;
  /** Has the money, pays the fees and is the source of every operation. */
  readonly owner: StellarSigner;
  readonly channels: readonly StellarSigner[];
  /** Brings our own tokens into being; null: nobody here can. */
  readonly issuer: StellarSigner | null;
  /** Stellar's names of our assets, by code. */
  readonly assetNames: ReadonlyMap<string, string>;
};

export const feeAsset = 'XLM';
/** Time for a second try at a higher fee, and not much more: what is not in a ledger by then never will be. */
const validSeconds = 600n;
/** 0.1 XLM per operation: more than that is not worth it, and a sign of something else. */
export const feeRateMax = 1_000_000n;

export const feeRateOf = ({ feeRate }: LedgerTerms): bigint => (feeRate < feeRateMax ? feeRate : feeRateMax);

/** The account whose next sequence number a transaction takes. */
export type Source = { readonly signer: StellarSigner; readonly sequence: bigint };

export type Draft = {
  readonly source: Source;
  readonly operations: readonly xdr.Operation[];
  readonly memo?: MemoType;
  readonly feeRate: bigint; // per operation; the fee bump counts as one more (CAP-15)
  readonly transferIds: readonly string[];
  /** By asset code, without the fee. */
  readonly spends: ReadonlyMap<string, bigint>;
  /** Lumens for channel accounts: gone from the account as a fee is, and in the books together with it. */
  readonly reserves?: bigint;
  readonly claims?: readonly string[];
  readonly note?: string;
  /** Whose operations they are; left out: the owner's. A signature that is not needed is refused. */
  readonly signer?: StellarSigner;
  /** What the exchange in it is for, by asset code. */
  readonly exchangedFor?: string;
};

/** What the connector needs later, of what it signed. */
export type StellarTrace = {
  readonly innerHash: string;
  readonly source: string;
  readonly sequence: string;
  readonly validUntil: number; // seconds, by the network's clock
  readonly feeRate: string;
  readonly reserves: string;
  readonly operations: number;
  readonly transferIds: readonly string[];
  readonly exchangedFor?: string;
};

// The library is large, and only those who send need it.
export const loadSdk = () => import('@stellar/stellar-sdk');

export const amountText = (units: bigint): string => formatFixed(fromUnits(units, 7), 7);

/** For people: without zeros at the end. */
export const saidAmount = (units: bigint): string => formatDecimal(fromUnits(units, 7));

export const claimOf = (accountId: string, sequence: bigint): string => `${accountId}:${sequence}`;

/**
 * Two signatures on the inside, one on the outside: the transaction is the channel's, the money and the fee are the
 * owner's. The fee bump is there from the beginning, so that all of its successors carry the same transaction, which
 * can happen only once.
 */
export async function signDraft(wallet: StellarWallet, tip: LedgerTip, draft: Draft): Promise<SignedTransaction> {
  const { Account, TransactionBuilder } = await loadSdk();
  const { source, operations, feeRate } = draft;
  const sequence = source.sequence + 1n;
  const validUntil = BigInt(Math.floor(tip.closedAt.getTime() / 1000)) + validSeconds;
  const builder = new TransactionBuilder(new Account(source.signer.accountId, String(source.sequence)), {
    fee: '100', // Of no account inside a fee bump, but the library refuses a bump below it.
    networkPassphrase: wallet.passphrase,
    timebounds: { minTime: 0, maxTime: String(validUntil) },
    ...(draft.memo && { memo: draft.memo }),
  });
  for (const operation of operations) builder.addOperation(operation);
  const inner = builder.build();
  for (const signer of new Set([source.signer, draft.signer ?? wallet.owner]))
    inner.addSignature(signer.accountId, signer.sign(inner.hash()).toString('base64'));
  const claim = claimOf(source.signer.accountId, sequence);
  const fee = feeRate * BigInt(operations.length + 1);
  const reserves = draft.reserves ?? 0n;
  const spends = new Map(draft.spends).set(feeAsset, (draft.spends.get(feeAsset) ?? 0n) + fee + reserves);
  const trace: StellarTrace = {
    innerHash: Buffer.from(inner.hash()).toString('hex'),
    source: source.signer.accountId,
    sequence: String(sequence),
    validUntil: Number(validUntil),
    feeRate: String(feeRate),
    reserves: String(reserves),
    operations: operations.length,
    transferIds: draft.transferIds,
    ...(draft.exchangedFor !== undefined && { exchangedFor: draft.exchangedFor }),
  };
  return {
    ...(await bump(wallet, inner.toXdr(), feeRate, reserves)),
    // What a transaction will spend is part of its claims, so that whoever signs the next one can count it.
    claims: [claim, ...Array.from(spends, ([asset, units]) => `${claim}:${asset}:${units}`), ...(draft.claims ?? [])],
    transferIds: draft.transferIds,
    trace,
    ...(draft.note !== undefined && { note: draft.note }),
  };
}

/** CAP-15: the same transaction at another fee, paid by the owner. */
export async function bump(
  wallet: StellarWallet,
  innerEnvelope: string,
  feeRate: bigint,
  reserves: bigint,
): Promise<Pick<SignedTransaction, 'txHash' | 'raw' | 'fee'>> {
  const { Transaction, TransactionBuilder } = await loadSdk();
  const inner = new Transaction(innerEnvelope, wallet.passphrase);
  const { owner, passphrase } = wallet;
  const outer = TransactionBuilder.buildFeeBumpTransaction(owner.accountId, String(feeRate), inner, passphrase);
  outer.addSignature(owner.accountId, owner.sign(outer.hash()).toString('base64'));
  return {
    txHash: Buffer.from(outer.hash()).toString('hex'),
    raw: outer.toXdr(),
    fee: { assetCode: feeAsset, units: BigInt(outer.fee) + reserves },
  };
}

export type Standing = {
  readonly own: StellarAccount;
  /** Null: this channel does not exist yet. */
  readonly channels: readonly { readonly accountId: string; readonly state: StellarAccount | null }[];
  readonly tip: LedgerTip;
  readonly terms: LedgerTerms;
  /** The first account with whose next number nothing is signed yet. */
  readonly free: Source | undefined;
  /** What can be spent beyond what is signed already, by asset code. */
  readonly spendable: ReadonlyMap<string, bigint>;
};

/**
 * How things stand with all accounts that sign. The channels are read before the owner: a payment that is included in
 * between is then counted twice, never not at all.
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
    const claim = claimOf(signer.accountId, state.sequence + 1n);
    const claimed = await context.claimed(claim);
    if (claimed.length === 0) free ??= { signer, sequence: state.sequence };
    for (const text of claimed) {
      const [asset, units] = text.slice(claim.length + 1).split(':');
      if (asset && units) signedUnits.set(asset, (signedUnits.get(asset) ?? 0n) + BigInt(units));
    }
  }
  const spendable = Array.from(wallet.assetNames, ([code, name]): [string, bigint] => {
    const line = own.lines.get(name);
    const held =
      name === 'native' ? own.lumens - own.lumensPromised - reserveOf(own, terms.baseReserve) : (line?.spendable ?? 0n);
    return [code, held - (signedUnits.get(code) ?? 0n)];
  });
  return {
    ...{ own, tip, terms, free, spendable: new Map(spendable) },
    channels: channels.map(({ accountId }, at) => ({ accountId, state: channelAccounts[at] ?? null })),
  };
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
