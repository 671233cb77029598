/**
 * What an account can send, receive and keep. It cannot use its whole balance: a part is the reserve for its entries,
 * and another part is promised to its offers (liabilities).
 */
import { exchangeAtMost } from './exchange.ts';
import {
  type AccountEntry,
  int64Max,
  issuerOf,
  type LedgerEntries,
  nativeAsset,
  stroopsPerLumen,
  trustlineKey,
} from './ledger-entries.ts';

/** 0.5 XLM: the network's setting since 2018, one of those its validators vote on. */
export const baseReserve = stroopsPerLumen / 2n;
/** Trustlines, offers, signers and data entries together; the network's limit since protocol 11. */
export const subentriesMax = 1_000;

export function subentryCount(entries: LedgerEntries, account: AccountEntry): number {
  let count = account.signers.size + account.data.size;
  for (const line of entries.trustlines.values()) if (line.account === account.id) count += 1;
  for (const offer of entries.offers.values()) if (offer.seller === account.id) count += 1;
  return count;
}

/** CAP-33: two base reserves for the account and one for each entry it pays for. */
export const minimumBalance = (entries: LedgerEntries, account: AccountEntry): bigint =>
  BigInt(2 + subentryCount(entries, account) + account.sponsoring) * baseReserve;

/** CAP-3: what the account's offers would give away, or take in, if all of them were taken in full. */
export function liabilities(
  entries: LedgerEntries,
  account: string,
  asset: string,
): { readonly buying: bigint; readonly selling: bigint } {
  let buying = 0n;
  let selling = 0n;
  for (const offer of entries.offers.values()) {
    if (offer.seller !== account) continue;
    const whole = exchangeAtMost(offer.price, { wheat: offer.amount, sheep: int64Max });
    if (offer.selling === asset) selling += whole.wheat;
    if (offer.buying === asset) buying += whole.sheep;
  }
  return { buying, selling };
}

/** What of this asset the account can give away. An issuer can give as much of its own as it likes. */
export function sendable(entries: LedgerEntries, id: string, asset: string): bigint {
  if (issuerOf(asset) === id) return int64Max;
  const account = entries.accounts.get(id);
  if (!account) return 0n;
  const { selling } = liabilities(entries, id, asset);
  const spare =
    asset === nativeAsset
      ? account.balance - minimumBalance(entries, account) - selling
      : (entries.trustlines.get(trustlineKey(id, asset))?.balance ?? 0n) - selling;
  return spare > 0n ? spare : 0n;
}

export function receivable(entries: LedgerEntries, id: string, asset: string): bigint {
  if (issuerOf(asset) === id) return int64Max;
  const { buying } = liabilities(entries, id, asset);
  if (asset === nativeAsset) return int64Max - (entries.accounts.get(id)?.balance ?? 0n) - buying;
  const line = entries.trustlines.get(trustlineKey(id, asset));
  return line ? line.limit - line.balance - buying : 0n;
}

export type HoldingProblem = 'noTrust' | 'notAuthorized' | null;

/** Whether the account may hold this asset at all. */
export function holdingProblem(entries: LedgerEntries, id: string, asset: string): HoldingProblem {
  if (asset === nativeAsset || issuerOf(asset) === id) return null;
  const line = entries.trustlines.get(trustlineKey(id, asset));
  if (!line) return 'noTrust';
  return line.isAuthorized ? null : 'notAuthorized';
}

/** Adds to a balance, or takes from it; the caller has asked `sendable` and `receivable`. An issuer has no balance. */
export function changeBalance(entries: LedgerEntries, id: string, asset: string, units: bigint): void {
  if (issuerOf(asset) === id) return;
  if (asset === nativeAsset) {
    const account = entries.accounts.get(id);
    if (!account) throw new Error(`no account ${id}`);
    entries.accounts.set(id, { ...account, balance: account.balance + units });
    return;
  }
  const key = trustlineKey(id, asset);
  const line = entries.trustlines.get(key);
  if (!line) throw new Error(`no trustline ${key}`);
  entries.trustlines.set(key, { ...line, balance: line.balance + units });
}
