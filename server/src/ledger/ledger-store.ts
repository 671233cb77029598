/** All SQL of the ledger. */
import type { Query, Tx } from '../db/database.ts';
import { assetOfAccount, chainWallet, mayBeNegative, networkOfWallet } from './chart-of-accounts.ts';
import { balancedEntry, type Entry, type Line, type Subject, type SubjectKind } from './entry.ts';

/**
 * Posts entries, each at most once; returns the references that were new. All in one statement: the balances of all
 * accounts touched change in account order, so two transactions over the same accounts wait for each other instead of
 * deadlocking. For the same reason a use case collects its entries and posts them with one call.
 */
export async function postEntries(tx: Tx, entries: readonly Entry[], at: Date): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  const balanced = entries.map(balancedEntry);
  const lines = balanced.flatMap((entry) => entry.lines.map((line) => ({ ...line, reference: entry.reference })));
  const rows = await tx<{ reference: string }>`
    with entry as (
      insert into ledger_entry (reference, kind, merchant_id, subject_kind, subject_id, posted_at)
      select reference, kind, merchant_id, subject_kind, subject_id, ${at}::timestamptz
        from unnest(${balanced.map((entry) => entry.reference)}::text[], ${balanced.map((entry) => entry.kind)}::text[],
                    ${balanced.map((entry) => entry.merchantId)}::text[],
                    ${balanced.map((entry) => entry.subject.kind)}::text[], ${balanced.map((entry) => entry.subject.id)}::text[])
             as new_entry (reference, kind, merchant_id, subject_kind, subject_id)
          on conflict (reference) do nothing
      returning reference
    ), line as (
      select new_line.* from unnest(
        ${lines.map((line) => line.reference)}::text[], ${lines.map((line) => line.account)}::text[],
        ${lines.map((line) => assetOfAccount(line.account))}::text[], ${lines.map((line) => mayBeNegative(line.account))}::boolean[],
        ${lines.map((line) => line.units.toString())}::numeric[])
        as new_line (reference, account_id, asset, may_be_negative, units)
        join entry using (reference)
    ), balance as (
      insert into ledger_account (id, asset, may_be_negative, balance)
      select account_id, asset, may_be_negative, sum(units) from line group by 1, 2, 3 order by 1
          on conflict (id) do update set balance = ledger_account.balance + excluded.balance
    ), written as (
      insert into ledger_line (reference, account_id, units) select reference, account_id, units from line
    )
    select reference from entry`;
  return new Set(rows.map((row) => row.reference));
}

/** Balances, locked in account order until the transaction ends. An account that has never been used has zero. */
export async function lockBalances(tx: Tx, accounts: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await tx<{ id: string; balance: string }>`
    select id, balance from ledger_account where id = any(${[...accounts].sort()}) order by id for update`;
  const balances = new Map(accounts.map((account) => [account, 0n]));
  for (const row of rows) balances.set(row.id, BigInt(row.balance));
  return balances;
}

/** What all merchants together owe us of each asset, locked in account order until the transaction ends. */
export async function lockReceivables(tx: Tx, assets: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const rows = await tx<{ asset: string; balance: string }>`
    select asset, balance from ledger_account
     where asset = any(${[...assets]}) and id like 'merchant/%/receivable/%' order by id for update`;
  const owed = new Map<string, bigint>();
  for (const { asset, balance } of rows) owed.set(asset, (owed.get(asset) ?? 0n) - BigInt(balance));
  return owed;
}

/**
 * Makes sure that these accounts exist, so that they can be locked. Otherwise two transactions could both find an
 * account missing, and both believe that nothing was taken from it.
 */
export async function openAccounts(tx: Tx, accounts: readonly string[]): Promise<void> {
  const sorted = [...new Set(accounts)].sort();
  await tx`
    insert into ledger_account (id, asset, may_be_negative)
    select * from unnest(${sorted}::text[], ${sorted.map(assetOfAccount)}::text[], ${sorted.map(mayBeNegative)}::boolean[])
        on conflict do nothing`;
}

/** As they are now, without waiting for any lock: for showing. */
export async function readBalances(query: Query, accounts: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await query<{ id: string; balance: string }>`
    select id, balance from ledger_account where id = any(${[...accounts]})`;
  const balances = new Map(accounts.map((account) => [account, 0n]));
  for (const row of rows) balances.set(row.id, BigInt(row.balance));
  return balances;
}

export async function linesOfEntry(query: Query, reference: string): Promise<Line[]> {
  const rows = await query<{ account_id: string; units: string }>`
    select account_id, units from ledger_line where reference = ${reference} order by account_id`;
  return rows.map((row) => ({ account: row.account_id, units: BigInt(row.units) }));
}

export type PostedEntry = {
  readonly reference: string;
  readonly kind: string;
  readonly subject: Subject;
  readonly postedAt: Date;
  readonly lines: Line[];
};

type PostedRow = {
  reference: string;
  kind: string;
  subject_kind: SubjectKind;
  subject_id: string;
  posted_at: Date;
  account_id: string;
  units: string;
};

/**
 * What was posted about any of these, in the order in which it happened. Two merchants may have the same ids; `null` asks
 * for what is about the operator's own.
 */
export async function entriesAbout(
  query: Query,
  merchantId: string | null,
  subjects: readonly Subject[],
): Promise<PostedEntry[]> {
  const rows = await query<PostedRow>`
    select entry.reference, entry.kind, subject_kind, subject_id, entry.posted_at, line.account_id, line.units
      from unnest(${subjects.map(({ kind }) => kind)}::text[], ${subjects.map(({ id }) => id)}::text[])
             as wanted (subject_kind, subject_id)
      join ledger_entry entry using (subject_kind, subject_id)
      join ledger_line line using (reference)
     where entry.merchant_id is not distinct from ${merchantId}
     order by entry.posted_at, entry.reference, line.account_id`;
  const entries = new Map<string, PostedEntry>();
  for (const row of rows) {
    const entry = entries.get(row.reference) ?? {
      reference: row.reference,
      kind: row.kind,
      subject: { kind: row.subject_kind, id: row.subject_id },
      postedAt: row.posted_at,
      lines: [],
    };
    entry.lines.push({ account: row.account_id, units: BigInt(row.units) });
    entries.set(row.reference, entry);
  }
  return [...entries.values()];
}

export type AccountBalance = { readonly account: string; readonly asset: string; readonly units: bigint };

/** For the operator: every account that is not at zero, of everybody or of one merchant. */
export async function listBalances(query: Query, merchantId: string | null): Promise<AccountBalance[]> {
  const rows = await query<{ id: string; asset: string; balance: string }>`
    select id, asset, balance from ledger_account
     where balance <> 0 and (${merchantId}::text is null or split_part(id, '/', 1) = 'merchant' and split_part(id, '/', 2) = ${merchantId})
     order by id`;
  return rows.map((row) => ({ account: row.id, asset: row.asset, units: BigInt(row.balance) }));
}

export type Holding = { readonly network: string; readonly asset: string; readonly units: bigint };

/** What we hold on the networks, by the books: the other side of the wallet accounts. */
export async function listHoldings(query: Query): Promise<Holding[]> {
  const rows = await query<{ id: string; asset: string; balance: string }>`
    select id, asset, balance from ledger_account where id like ${chainWallet('%', '%')} and balance <> 0 order by id`;
  return rows.map(({ id, asset, balance }) => ({ network: networkOfWallet(id), asset, units: -BigInt(balance) }));
}
