/**
 * Checks the books from the lines up: every entry balances per asset, every running balance is the sum of its lines,
 * every asset sums to zero over all accounts, and no merchant account is below zero. Returns a sentence for each
 * problem.
 */
import type { Query } from '../db/database.ts';

export async function verifyLedger(query: Query): Promise<string[]> {
  const problems = await query<{ problem: string }>`
    select format('Entry %s is off by %s %s.', line.reference, sum(line.units), account.asset) as problem
      from ledger_line line join ledger_account account on account.id = line.account_id
     group by line.reference, account.asset having sum(line.units) <> 0
    union all
    select format('Account %s says %s but its lines add up to %s.', account.id, account.balance, coalesce(line.units, 0))
      from ledger_account account
      left join (select account_id, sum(units) as units from ledger_line group by 1) line on line.account_id = account.id
     where account.balance <> coalesce(line.units, 0)
    union all
    select format('All accounts in %s together are off by %s.', asset, sum(balance))
      from ledger_account group by asset having sum(balance) <> 0
    union all
    select format('Account %s is overdrawn: %s.', id, balance)
      from ledger_account where balance < 0 and not may_be_negative
    union all
    select format('Entry %s has no lines.', reference)
      from ledger_entry entry where not exists (select from ledger_line line where line.reference = entry.reference)`;
  return problems.map((row) => row.problem);
}
