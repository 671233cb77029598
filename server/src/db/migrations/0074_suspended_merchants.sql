-- The operator may suspend an account: nothing is charged or sent for it until it is let go again. Payments that arrive are
-- credited all the same, so nothing here touches what comes in.
--
-- What was asked for before, or by a payer who claims a refund, waits in the queue instead of failing: `is_held_back` is
-- asked wherever a payout is about to be signed. What was announced as sent is sent.
--
-- Locks: adds columns without a default, and a function; takes no time. The previous release knows neither and goes on
-- sending: an account is suspended when every process has been updated.
alter table merchant
  add column suspended_at timestamptz,
  add column suspended_why text,                 -- a sentence, which the account's people read
  add constraint merchant_suspended_why check ((suspended_at is null) = (suspended_why is null));

create function is_held_back(payout outgoing_transfer) returns boolean stable language sql as $$
  select payout.purpose in ('transfer', 'refund') and not payout.was_done
     and exists (select from merchant where id = payout.merchant_id and suspended_at is not null)
$$;
