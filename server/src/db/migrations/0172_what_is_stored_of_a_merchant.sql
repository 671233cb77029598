-- What merchants post is kept, and nothing bounded how much. How long what was posted with a checkout is stands beside it, so that a
-- page of a list can end where it has enough, and what each merchant has stored is counted by the transaction that stores it. In
-- sixteen stripes, by the session that writes, so that nobody waits for a counter: the sum of them is what counts.
--
-- What is there already is not counted, and takes nothing away when it goes.
--
-- Locks: adds columns without defaults and triggers, creates a table; takes no time. The previous release leaves the length of its
-- checkouts out: they are measured when a list reads them, and are not counted.
alter table checkout add column payload_bytes integer;      -- null: nobody measured it
alter table customer add column counted_bytes integer not null default 0;
alter table beneficiary add column counted_bytes integer not null default 0;
alter table payment_link add column counted_bytes integer not null default 0;
alter table deposit add column counted_bytes integer not null default 0;

create table stored_bytes (
  merchant_id text not null,
  stripe      smallint not null,
  bytes       bigint not null,                   -- may be negative: what one session stored, another may delete
  primary key (merchant_id, stripe)
) with (fillfactor = 50);

-- In the order of the merchants, or two batches would wait for each other. What strangers make by pressing a link is not the
-- merchant's doing, and is swept away when nobody pays.
create function count_bytes_of_checkouts() returns trigger language plpgsql as $$
begin
  insert into stored_bytes (merchant_id, stripe, bytes)
  select merchant_id, pg_backend_pid() % 16, sum(payload_bytes) * case tg_op when 'INSERT' then 1 else -1 end
    from changed where payload_bytes is not null and origin <> 'PAYMENT_LINK' group by merchant_id order by merchant_id
      on conflict (merchant_id, stripe) do update set bytes = stored_bytes.bytes + excluded.bytes;
  return null;
end $$;
create trigger count_bytes_of_new after insert on checkout referencing new table as changed
  for each statement execute function count_bytes_of_checkouts();
create trigger count_bytes_of_gone after delete on checkout referencing old table as changed
  for each statement execute function count_bytes_of_checkouts();

-- Of the others the row says how much of it is counted, so that what was there before is not taken away.
create function bytes_of(posted customer) returns integer immutable language sql as
$$ select octet_length(posted.fields::text) + coalesce(octet_length(posted.meta::text), 0) $$;
create function bytes_of(posted beneficiary) returns integer immutable language sql as
$$ select octet_length(posted.fields::text) + coalesce(octet_length(posted.meta::text), 0) $$;
create function bytes_of(posted payment_link) returns integer immutable language sql as
$$ select octet_length(posted.page_settings::text) + coalesce(octet_length(posted.meta::text), 0) $$;
create function bytes_of(posted deposit) returns integer immutable language sql as
$$ select coalesce(octet_length(posted.meta::text), 0) $$;

create function measure_bytes() returns trigger language plpgsql as $$
begin
  new.counted_bytes := bytes_of(new);
  return new;
end $$;
create function count_bytes() returns trigger language plpgsql as $$
declare
  more integer := case when tg_op = 'DELETE' then 0 else new.counted_bytes end
                - case when tg_op = 'INSERT' then 0 else old.counted_bytes end;
begin
  if more <> 0 then
    insert into stored_bytes (merchant_id, stripe, bytes)
    values (case when tg_op = 'DELETE' then old.merchant_id else new.merchant_id end, pg_backend_pid() % 16, more)
        on conflict (merchant_id, stripe) do update set bytes = stored_bytes.bytes + excluded.bytes;
  end if;
  return null;
end $$;

create trigger measure_bytes before insert or update of fields, meta on customer for each row execute function measure_bytes();
create trigger measure_bytes before insert or update of fields, meta on beneficiary for each row execute function measure_bytes();
create trigger measure_bytes before insert or update of page_settings, meta on payment_link for each row execute function measure_bytes();
create trigger measure_bytes before insert or update of meta on deposit for each row execute function measure_bytes();
create trigger count_bytes after insert or update of fields, meta or delete on customer for each row execute function count_bytes();
create trigger count_bytes after insert or update of fields, meta or delete on beneficiary for each row execute function count_bytes();
create trigger count_bytes after insert or update of page_settings, meta or delete on payment_link for each row execute function count_bytes();
create trigger count_bytes after insert or update of meta or delete on deposit for each row execute function count_bytes();
