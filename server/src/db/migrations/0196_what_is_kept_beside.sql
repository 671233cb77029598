-- Two things were kept of what merchants post that nothing counted (0172). An answer with all that was posted is kept for a day for
-- each Idempotency-Key: sixty bytes, sent again and again with other keys, stored 190 KB each. And an order of money has up to
-- 16 KiB of meta: ordered and cancelled, it cost nothing.
--
-- Of answers only long ones count: `counted_bytes` says how much of the row does, null: nothing. They are counted when their
-- transaction commits, because it holds other locks, and waits for none after that.
--
-- Locks: adds a column without a default and triggers, which takes no time. The previous release leaves the column out: its
-- answers are not counted, and take nothing away when they go.
alter table idempotency_key add column counted_bytes integer;

create function count_kept_answer() returns trigger language plpgsql as $$
declare
  more integer := coalesce(new.counted_bytes, 0) - case tg_op when 'UPDATE' then coalesce(old.counted_bytes, 0) else 0 end;
begin
  if more <> 0 then
    insert into stored_bytes (merchant_id, stripe, bytes) values (new.merchant_id, pg_backend_pid() % 16, more)
        on conflict (merchant_id, stripe) do update set bytes = stored_bytes.bytes + excluded.bytes;
  end if;
  return null;
end $$;
create constraint trigger count_kept_answer after insert on idempotency_key deferrable initially deferred
  for each row when (new.counted_bytes is not null) execute function count_kept_answer();
create constraint trigger count_changed_answer after update of counted_bytes on idempotency_key deferrable initially deferred
  for each row when (new.counted_bytes is distinct from old.counted_bytes) execute function count_kept_answer();

-- In the order of the merchants, as where many checkouts are counted.
create function count_forgotten_answers() returns trigger language plpgsql as $$
begin
  insert into stored_bytes (merchant_id, stripe, bytes)
  select merchant_id, pg_backend_pid() % 16, -sum(counted_bytes) from changed
   where counted_bytes is not null group by merchant_id order by merchant_id
      on conflict (merchant_id, stripe) do update set bytes = stored_bytes.bytes + excluded.bytes;
  return null;
end $$;
create trigger count_forgotten_answers after delete on idempotency_key referencing old table as changed
  for each statement execute function count_forgotten_answers();

-- Orders are never deleted, and their meta never changes.
create function count_meta_of_order() returns trigger language plpgsql as $$
begin
  insert into stored_bytes (merchant_id, stripe, bytes)
  values (new.merchant_id, pg_backend_pid() % 16, octet_length(new.meta::text))
      on conflict (merchant_id, stripe) do update set bytes = stored_bytes.bytes + excluded.bytes;
  return null;
end $$;
create constraint trigger count_meta after insert on transfer deferrable initially deferred
  for each row when (new.meta is not null) execute function count_meta_of_order();
create constraint trigger count_meta after insert on refund deferrable initially deferred
  for each row when (new.meta is not null) execute function count_meta_of_order();
create constraint trigger count_meta after insert on swap deferrable initially deferred
  for each row when (new.meta is not null) execute function count_meta_of_order();
