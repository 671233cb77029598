/** What happened to an account's money, newest first: the entries of the ledger, with the lines in its own accounts. */
import type { LedgerEntriesQuery, LedgerEntryRecord } from '@quittance/contract/wallet';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { readPageRange } from '../http/page-cursor.ts';
import { assetOfAccount, merchantAccount } from '../ledger/chart-of-accounts.ts';
import { readEntryCursor, writeEntryCursor } from '../ledger/entry-cursor.ts';
import {
  countEntriesOfAccounts,
  type EntryCut,
  type EntryPosition,
  type ListedEntry,
  listEntryPositions,
  loadEntries,
  referencesOfAccounts,
  sortEntryPositions,
} from '../ledger/entry-list-store.ts';
import { present } from '../lib/assert.ts';
import { formatTimestamp } from '../lib/clock.ts';
import { invalidRequest } from '../lib/errors.ts';
import { formatUnits } from '../money/amount.ts';
import { purposes } from './read-wallets.ts';

/** So many are looked at for a page of one asset: first a few of all, then its own, if they are few, or more of all. */
const lookedAtFirst = 200;
const lookedAtMax = 1_000;

export async function listEntries(
  { db, assets }: { readonly db: Query; readonly assets: AssetCatalog },
  merchantId: string,
  query: LedgerEntriesQuery,
): Promise<{ entries: LedgerEntryRecord[]; next: string | null }> {
  const { cursor, asset: wanted, ...range } = query;
  const asset = wanted === undefined ? null : findAsset(assets, wanted);
  if (asset === undefined)
    throw invalidRequest(
      `asset must be the id or code of an asset, see GET /assets, but is ${JSON.stringify(wanted)}.`,
    );
  const cut = { ...readPageRange(range), before: readEntryCursor(cursor) };
  const ids = asset ? [asset.id] : assets.assets.map(({ id }) => id);
  const accounts = ids.flatMap((id) => purposes.map((purpose) => merchantAccount(merchantId, purpose, id)));
  const ofAsset = asset && accounts;
  const few = { ...cut, limit: asset ? Math.max(lookedAtFirst, cut.limit + 1) : cut.limit + 1 };
  const first = await readPage(db, accounts, few, cut.limit, await listEntryPositions(db, merchantId, few));
  const { page, next } = ofAsset && first.isUnknown ? await lookFurther(db, merchantId, ofAsset, cut) : first;
  return { entries: page.map((entry) => recordOf(assets, entry)), next: next ? writeEntryCursor(next) : null };
}

/** Of one asset, and at most `max`: not more is counted. */
export const countEntriesOf = (query: Query, merchantId: string, asset: string, max: number): Promise<number> =>
  countEntriesOfAccounts(
    query,
    purposes.map((purpose) => merchantAccount(merchantId, purpose, asset)),
    max,
  );

async function lookFurther(db: Query, merchantId: string, accounts: readonly string[], cut: EntryCut): Promise<Page> {
  const many = { ...cut, limit: Math.max(lookedAtMax, cut.limit + 1) };
  const references = await referencesOfAccounts(db, accounts, lookedAtMax);
  const looked = await (references.length < lookedAtMax
    ? sortEntryPositions(db, merchantId, references, many)
    : listEntryPositions(db, merchantId, many));
  return readPage(db, accounts, many, cut.limit, looked);
}

type Page = { readonly page: ListedEntry[]; readonly next: EntryPosition | undefined; readonly isUnknown: boolean };

/** `isUnknown`: whether there is another one was not looked at. */
async function readPage(
  db: Query,
  accounts: readonly string[],
  { limit: most }: EntryCut,
  limit: number,
  looked: readonly EntryPosition[],
): Promise<Page> {
  const references = looked.map(({ reference }) => reference);
  const entries = await loadEntries(db, references, accounts);
  const found = references.flatMap((reference) => entries.get(reference) ?? []);
  const page = found.slice(0, limit);
  const isMore = found.length > limit;
  const isUnknown = !isMore && looked.length === most;
  return { page, next: isMore ? page.at(-1) : isUnknown ? looked.at(-1) : undefined, isUnknown };
}

const recordOf = (
  assets: AssetCatalog,
  { reference, kind, subject, postedAt, lines }: ListedEntry,
): LedgerEntryRecord => ({
  reference,
  kind,
  subject: { kind: subject.kind, id: subject.id },
  timestamp: formatTimestamp(postedAt),
  lines: lines.map(({ account, units }) => {
    const asset = present(findAsset(assets, assetOfAccount(account)), `asset of ${account}`);
    const purpose = present(
      purposes.find((each) => account.split('/')[2] === each),
      `purpose of ${account}`,
    );
    return {
      account: purpose,
      assetId: asset.id,
      assetCode: asset.assetCode,
      amount: formatUnits(units, asset.ledgerScale),
    };
  }),
});
