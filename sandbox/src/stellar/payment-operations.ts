/** Lumens and assets from one account to another: create_account, payment, account_merge, claimable balances. */
import { type OperationRecord, StrKey, xdr } from '@stellar/stellar-sdk';
import { canClaim, horizonPredicate, isValidPredicate, settledPredicate } from './claim-predicate.ts';
import {
  baseReserve,
  changeBalance,
  holdingProblem,
  liabilities,
  receivable,
  sendable,
  subentryCount,
} from './holdings.ts';
import { assetKey, formatStroops, issuerOf, type LedgerEntries, nativeAsset, toStroops } from './ledger-entries.ts';
import { type Applied, assertReserve, assetFields, type OperationContext, sourceAccount } from './operation-context.ts';
import { OperationFailure } from './operation-outcome.ts';

type Operation<Type extends OperationRecord['type']> = Extract<OperationRecord, { type: Type }>;

/** An M… address (SEP-23, CAP-27) is an account with a number; the ledger knows the account only. */
export function accountOf(address: string): { account: string; muxed: { address: string; id: string } | null } {
  if (!StrKey.isValidMed25519PublicKey(address)) return { account: address, muxed: null };
  const bytes = Buffer.from(StrKey.decodeMed25519PublicKey(address));
  const id = String(bytes.readBigUInt64BE(32));
  return { account: StrKey.encodeEd25519PublicKey(bytes.subarray(0, 32)), muxed: { address, id } };
}

export const muxedFields = (name: string, muxed: { address: string; id: string } | null): Record<string, string> =>
  muxed ? { [`${name}_muxed`]: muxed.address, [`${name}_muxed_id`]: muxed.id } : {};

export function newAccount(id: string, balance: bigint, sequence: bigint) {
  const thresholds = { master: 1, low: 0, medium: 0, high: 0 };
  return {
    id,
    balance,
    sequence,
    thresholds,
    flags: 0,
    homeDomain: '',
    signers: new Map(),
    data: new Map(),
    sponsoring: 0,
  };
}

/** Gives to an account; its failures carry the names of the receiving side. */
export function credit(entries: LedgerEntries, id: string, asset: string, units: bigint): void {
  const problem = holdingProblem(entries, id, asset);
  if (problem) throw new OperationFailure(problem === 'noTrust' ? 'NoTrust' : 'NotAuthorized');
  if (receivable(entries, id, asset) < units) throw new OperationFailure('LineFull');
  changeBalance(entries, id, asset, units);
}

/** Takes from an account; its failures carry the names of the sending side. */
export function debit(entries: LedgerEntries, id: string, asset: string, units: bigint): void {
  const problem = holdingProblem(entries, id, asset);
  if (problem) throw new OperationFailure(problem === 'noTrust' ? 'SrcNoTrust' : 'SrcNotAuthorized');
  if (sendable(entries, id, asset) < units) throw new OperationFailure('Underfunded');
  changeBalance(entries, id, asset, -units);
}

export function createAccount(context: OperationContext, operation: Operation<'createAccount'>): Applied {
  const { entries, source } = context;
  const { destination } = operation;
  const units = toStroops(operation.startingBalance);
  if (destination === source) throw new OperationFailure('Malformed');
  if (entries.accounts.get(destination)) throw new OperationFailure('AlreadyExist');
  if (units < 2n * baseReserve) throw new OperationFailure('LowReserve');
  if (sendable(entries, source, nativeAsset) < units) throw new OperationFailure('Underfunded');
  changeBalance(entries, source, nativeAsset, -units);
  // A sequence that starts with the ledger's number: an account that was merged and made anew cannot replay old
  // transactions.
  entries.accounts.set(destination, newAccount(destination, units, BigInt(context.ledger) << 32n));
  const record = {
    type: 'create_account',
    type_i: 0,
    account: destination,
    funder: source,
    starting_balance: formatStroops(units),
  };
  return { record, participants: [destination] };
}

export function payment({ entries, source }: OperationContext, operation: Operation<'payment'>): Applied {
  const { account: to, muxed } = accountOf(operation.destination);
  const asset = assetKey(operation.asset);
  const units = toStroops(operation.amount);
  if (units <= 0n) throw new OperationFailure('Malformed');
  // An asset can always be given back to its issuer, even to one that is gone (stellar-core's shouldBypassIssuerCheck).
  if (!entries.accounts.get(to) && issuerOf(asset) !== to) throw new OperationFailure('NoDestination');
  if (to !== source || asset !== nativeAsset) {
    credit(entries, to, asset, units);
    debit(entries, source, asset, units);
  }
  return {
    record: {
      type: 'payment',
      type_i: 1,
      ...assetFields(asset),
      from: source,
      to,
      ...muxedFields('to', muxed),
      amount: formatStroops(units),
    },
    participants: [to],
  };
}

export function accountMerge(context: OperationContext, operation: Operation<'accountMerge'>): Applied {
  const { entries, source } = context;
  const account = sourceAccount(context);
  const { account: into, muxed } = accountOf(operation.destination);
  if (into === source) throw new OperationFailure('Malformed');
  if (!entries.accounts.get(into)) throw new OperationFailure('NoAccount');
  if ((account.flags & immutableFlag) !== 0) throw new OperationFailure('ImmutableSet');
  if (subentryCount(entries, account) > account.signers.size) throw new OperationFailure('HasSubEntries');
  // CAP-1: otherwise the account could be made again in this ledger and use its old sequence numbers again.
  if (account.sequence >= BigInt(context.ledger) << 32n) throw new OperationFailure('SeqnumTooFar');
  if (account.sponsoring > 0) throw new OperationFailure('IsSponsor'); // CAP-33
  if (receivable(entries, into, nativeAsset) < account.balance) throw new OperationFailure('DestFull');
  changeBalance(entries, into, nativeAsset, account.balance);
  entries.accounts.delete(source);
  return {
    detail: account.balance,
    record: { type: 'account_merge', type_i: 8, account: source, into, ...muxedFields('into', muxed) },
    participants: [into],
  };
}

export const immutableFlag = 4;
const claimantsMax = 10;

export function createClaimableBalance(
  context: OperationContext,
  operation: Operation<'createClaimableBalance'>,
): Applied {
  const { entries, source, ledger } = context;
  const asset = assetKey(operation.asset);
  const units = toStroops(operation.amount);
  const { claimants } = operation;
  const destinations = new Set(claimants.map(({ destination }) => destination));
  const isWellFormed =
    units > 0n &&
    claimants.length > 0 &&
    claimants.length <= claimantsMax &&
    destinations.size === claimants.length &&
    claimants.every(({ predicate }) => isValidPredicate(predicate));
  if (!isWellFormed) throw new OperationFailure('Malformed');
  const problem = holdingProblem(entries, source, asset);
  if (problem) throw new OperationFailure(problem === 'noTrust' ? 'NoTrust' : 'NotAuthorized');
  if (sendable(entries, source, asset) < units) throw new OperationFailure('Underfunded');
  changeBalance(entries, source, asset, -units);
  const account = sourceAccount(context);
  entries.accounts.set(source, { ...account, sponsoring: account.sponsoring + claimants.length }); // CAP-23, CAP-33
  assertReserve(context, liabilities(entries, source, nativeAsset).selling);
  const id = context.claimableBalanceId;
  const settled = claimants.map((claimant) => settledPredicate(claimant, context.closeTime));
  entries.claimableBalances.set(id, { id, asset, amount: units, claimants: settled, sponsor: source, ledger });
  return {
    detail: xdr.ClaimableBalanceId.fromXdr(id, 'hex'),
    record: {
      type: 'create_claimable_balance',
      type_i: 14,
      asset,
      amount: formatStroops(units),
      claimants: claimants.map(({ destination, predicate }) => ({
        destination,
        predicate: horizonPredicate(predicate),
      })),
    },
    participants: [...destinations],
    claimableBalance: id,
  };
}

export function claimClaimableBalance(
  context: OperationContext,
  operation: Operation<'claimClaimableBalance'>,
): Applied {
  const { entries, source } = context;
  const balance = entries.claimableBalances.get(operation.balanceId);
  if (!balance) throw new OperationFailure('DoesNotExist');
  if (!canClaim(balance.claimants, source, context.closeTime)) throw new OperationFailure('CannotClaim');
  credit(entries, source, balance.asset, balance.amount);
  entries.claimableBalances.delete(balance.id);
  const sponsor = entries.accounts.get(balance.sponsor);
  if (sponsor) {
    const sponsoring = sponsor.sponsoring - balance.claimants.length;
    entries.accounts.set(sponsor.id, { ...sponsor, sponsoring });
  }
  return {
    record: { type: 'claim_claimable_balance', type_i: 15, balance_id: balance.id, claimant: source },
    claimableBalance: balance.id,
  };
}
