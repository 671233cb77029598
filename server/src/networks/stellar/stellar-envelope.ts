/** How a transaction is made and signed: the inner one, and the fee bump around it. */
import type { Memo as MemoType, xdr } from '@stellar/stellar-sdk';
import type { SignedTransaction } from '../port/sending.ts';
import type { StellarSigner } from './stellar-channels.ts';
import type { LedgerTip } from './stellar-ledger-api.ts';
import { feeAsset, loadSdk, type Source, type StellarWallet, useOf } from './stellar-wallet.ts';

/** Time for a second try at a higher fee, and not much more: what is in no ledger by then never will be. */
const validSeconds = 600n;

export type Draft = {
  readonly source: Source;
  readonly operations: readonly xdr.Operation[];
  readonly memo?: MemoType;
  readonly feeRate: bigint; // per operation; the fee bump counts as one more (CAP-15)
  readonly payoutIds: readonly string[];
  /** By asset code, without the fee. */
  readonly spends: ReadonlyMap<string, bigint>;
  /** Lumens for channel accounts: they leave the account like a fee, and are booked together with it. */
  readonly reserves?: bigint;
  readonly uses?: readonly string[];
  readonly note?: string;
  /** Who must sign the operations; left out: the owner. Stellar refuses a signature that is not needed. */
  readonly signer?: StellarSigner;
  /** What the exchange in it is to bring, by asset code. */
  readonly exchangedFor?: string;
};

/** What the connector needs later of what it signed. */
export type StellarTrace = {
  readonly innerHash: string;
  readonly source: string;
  readonly sequence: string;
  readonly validUntil: number; // seconds, by the network's clock
  readonly feeRate: string;
  readonly reserves: string;
  readonly operations: number;
  readonly transferIds: readonly string[]; // of payouts; stored under this name
  readonly exchangedFor?: string;
};

/**
 * Two signatures inside and one outside: the transaction is the channel's, the money and the fee are the owner's. There
 * is a fee bump from the beginning, so that all later versions carry the same inner transaction, which can happen only
 * once.
 */
export async function signDraft(wallet: StellarWallet, tip: LedgerTip, draft: Draft): Promise<SignedTransaction> {
  const { Account, TransactionBuilder } = await loadSdk();
  const { source, operations, feeRate } = draft;
  const sequence = source.sequence + 1n;
  const validUntil = BigInt(Math.floor(tip.closedAt.getTime() / 1000)) + validSeconds;
  const builder = new TransactionBuilder(new Account(source.signer.accountId, String(source.sequence)), {
    fee: '100', // Nobody pays it inside a fee bump, but the library refuses a bump below it.
    networkPassphrase: wallet.passphrase,
    timebounds: { minTime: 0, maxTime: String(validUntil) },
    ...(draft.memo && { memo: draft.memo }),
  });
  for (const operation of operations) builder.addOperation(operation);
  const inner = builder.build();
  for (const signer of new Set([source.signer, draft.signer ?? wallet.owner]))
    inner.addSignature(signer.accountId, signer.sign(inner.hash()).toString('base64'));
  const use = useOf(source.signer.accountId, sequence);
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
    transferIds: draft.payoutIds,
    ...(draft.exchangedFor !== undefined && { exchangedFor: draft.exchangedFor }),
  };
  return {
    ...(await bump(wallet, inner.toXdr(), feeRate, reserves)),
    // What a transaction will spend is part of its uses, so that the next one to be signed can subtract it.
    uses: [use, ...Array.from(spends, ([asset, units]) => `${use}:${asset}:${units}`), ...(draft.uses ?? [])],
    payoutIds: draft.payoutIds,
    trace,
    ...(draft.note !== undefined && { note: draft.note }),
  };
}

/** CAP-15: the same transaction with another fee, paid by the owner. */
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
