-- What an entry of the ledger took out of an account, or gave for something else: functions, because a report asks for it row
-- by row and in sums, and both must mean the same.
--
-- It is on the other side of the entry: on the wallet of a network (a transfer or refund that was sent), in the exchange (a
-- swap, a payment that is credited in another asset), or with the fees and costs of an attempt that failed. In the exchange
-- what is received for it has the opposite sign.
--
-- Locks: creates functions. The previous release does not know them.
create function units_that_left(entry ledger_entry) returns table (asset text, units numeric) stable language sql as $$
  select substring(account_id from '[^/]*$'), sum(line.units)
    from ledger_line as line
   where line.reference = entry.reference
     and case when entry.kind in ('transfer_sent', 'refund_sent') then starts_with(account_id, 'operator/wallet-')
              when entry.kind in ('transfer_released', 'refund_returned')
              then starts_with(account_id, 'operator/fees/') or starts_with(account_id, 'operator/costs/')
              when entry.kind in ('swap', 'settlement') then starts_with(account_id, 'operator/fx/') and line.units > 0
              when entry.kind = 'settlement_reversed' then starts_with(account_id, 'operator/fx/') and line.units < 0
              else false end
   group by 1
$$;

-- Whether a refund was paid out of what had never been credited. Ask it of refunds only: it costs a look at another entry.
create function is_of_uncredited(entry ledger_entry) returns boolean stable language sql as $$
  select exists (
    select from ledger_entry as held join ledger_line using (reference)
     where held.subject_id = entry.subject_id and held.subject_kind = 'refund' and held.merchant_id = entry.merchant_id
       and held.kind = 'refund_held' and split_part(account_id, '/', 3) in ('suspense', 'pending'))
$$;
