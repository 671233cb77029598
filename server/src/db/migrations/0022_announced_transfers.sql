-- A transfer that was announced as sent may have to be sent again, after a reorganisation. Should that be refused, whoever
-- asked will not be told that it failed: it waits and is tried again.
--
-- Locks: adds a column with a constant default and one without a default, and creates a function; short.
alter table outgoing_transfer
  add column was_done   boolean not null default false,  -- announced as sent, until its block was given up
  add column held_until timestamptz;                     -- refused since then: not tried again before

-- When a transfer that was announced as sent is tried again: after it has waited as long once more, at least an hour and
-- at most a day. Null for one that was not announced.
create function next_try(transfer outgoing_transfer, refused_at timestamptz) returns timestamptz
  immutable language sql as $$
  select refused_at + least(greatest(refused_at - transfer.requested_at, interval '1 hour'), interval '1 day')
   where transfer.was_done
$$;
