/**
 * What every entry of the ledger says that it is about must be there, in the table of whoever posted it, and of the same
 * merchant. Asked after each test of every story, so whatever posts in any of them is looked at.
 */
import type { Query } from '../src/db/database.ts';

/** For subjects of entries that a test has posted by hand, about nothing that there is. */
export const madeUp = (name: string): string => `made-up-${name}`;

export async function subjectProblems(query: Query): Promise<string[]> {
  const rows = await query<{ problem: string }>`
    select format('%s is about %s %s, which there is not.', entry.reference, entry.subject_kind, entry.subject_id) as problem
      from ledger_entry entry
     where entry.subject_id not like ${`%${madeUp('%')}`}
       and not case entry.subject_kind
         when 'checkout' then exists (select from checkout own
                                       where own.id = entry.subject_id and own.merchant_id = entry.merchant_id)
         when 'deposit' then exists (select from deposit own
                                      where own.id = entry.subject_id and own.merchant_id = entry.merchant_id)
         when 'refund' then exists (select from refund own
                                     where own.id = entry.subject_id and own.merchant_id = entry.merchant_id)
         when 'swap' then exists (select from swap own
                                   where own.id = entry.subject_id and own.merchant_id = entry.merchant_id)
         when 'transfer' then exists (select from transfer own
                                       where own.id = entry.subject_id and own.merchant_id = entry.merchant_id)
         when 'funding' then exists (select from payment own
                                      where own.id = entry.subject_id and own.purpose = 'funding')
         when 'unmatched_payment' then exists (select from unmatched_payment own where own.id = entry.subject_id)
         when 'crumb_adoption' then exists (select from crumb_adoption own where own.id = entry.subject_id)
         when 'network_movement' then exists (select from network_movement own where own.id = entry.subject_id)
         when 'withdrawal' then exists (select from outgoing_transfer own
                                         where own.id = entry.subject_id and own.purpose = 'withdrawal')
         when 'bridge_payout' then exists (select from outgoing_transfer own
                                              where own.id = entry.subject_id and own.purpose = 'bridge')
         when 'outgoing_transaction' then exists (select from outgoing_transaction own
                                                   where own.network || '/' || own.tx_hash = entry.subject_id)
         when 'holding' then exists (select from reconciliation own
                                      where own.network || '/' || own.asset = entry.subject_id)
         else false
       end
     order by entry.reference`;
  return rows.map(({ problem }) => problem);
}
