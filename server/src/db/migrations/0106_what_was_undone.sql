-- What an entry of the ledger took out of an account, once more: of a refund that was sent and is undone afterwards, because
-- a reorganisation took the payment with it, what had left comes back (on the wallet, with a minus). It was taken for the cost of
-- an attempt that failed, which has nothing on a wallet.
--
-- And when an entry is worth what it is: what is undone is taken back at the worth that it had, in whatever hour that happens, so
-- that units that are nothing in the end are worth nothing.
--
-- Locks: replaces functions; the rows of day_position, short. The previous release can use them.
create or replace function units_that_left(entry ledger_entry) returns table (asset text, units numeric) stable language sql as $$
  select substring(account_id from '[^/]*$'), sum(line.units)
    from ledger_line as line
   where line.reference = entry.reference
     and case when entry.kind in ('transfer_sent', 'refund_sent') then starts_with(account_id, 'operator/wallet-')
              when entry.kind in ('transfer_released', 'refund_returned')
              then starts_with(account_id, 'operator/wallet-')
                   or ((starts_with(account_id, 'operator/fees/') or starts_with(account_id, 'operator/costs/'))
                       and not exists (select from ledger_line as sent
                                        where sent.reference = entry.reference and starts_with(sent.account_id, 'operator/wallet-')))
              when entry.kind in ('swap', 'settlement') then starts_with(account_id, 'operator/fx/') and line.units > 0
              when entry.kind = 'settlement_reversed' then starts_with(account_id, 'operator/fx/') and line.units < 0
              else false end
   group by 1
$$;

create function worth_at(entry ledger_entry) returns timestamptz stable language sql as $$
  select coalesce((
    select original.posted_at from ledger_entry as original
     where original.merchant_id = entry.merchant_id
       and original.reference = case when entry.reference like '%:reversed' then left(entry.reference, -length(':reversed'))
                                     when entry.kind = 'refund_returned'
                                     then left(entry.reference, -length(':returned')) || ':sent' end), entry.posted_at)
$$;

update day_position set statement_to = null; -- With other sums of what left, and of taxes: made anew by itself.
