-- Finding checkouts among a million, and what waits for a person.
--
-- Locks: each `create index` lets nobody write to its table until this migration is done, about ten seconds for a million
-- checkouts; reading goes on. New columns have constant defaults, which rewrites nothing.
--
-- The previous release knows none of this and runs on: the rails of its checkouts are written by a trigger, terms by the
-- follower of this release, and what its checkouts await is counted by a job that only this release knows, ten minutes
-- from now, when the upgrade is over.

-- Whether money in suspense waits for the merchant: stored with the state, by whoever stores that.
alter table checkout add column awaits_decision boolean not null default false;

create index checkout_of_state on checkout (merchant_id, state, created_at, id);
create index checkout_undecided on checkout (merchant_id, created_at, id) where awaits_decision;
create index checkout_odd on checkout (merchant_id, created_at, id) where exceptions <> '{}';
create index checkout_price on checkout (merchant_id, round(total, 2), created_at, id);
-- In the order of the list, unlike the index that it replaces: some shops have one customer for all guests.
create index checkout_of_customer on checkout (merchant_id, customer_id, created_at, id) where customer_id is not null;
drop index checkout_customer;

-- Which checkouts were committed to which network and asset, in the order of the list.
create table checkout_rail (
  merchant_id text not null,
  network     text not null,
  asset       text not null,
  created_at  timestamptz not null,             -- of the checkout
  checkout_id text not null,
  primary key (merchant_id, network, asset, created_at, checkout_id)
);
create function checkout_rail_of_commitments() returns trigger language plpgsql as $$
begin
  insert into checkout_rail
  select inserted.merchant_id, inserted.network, inserted.asset, checkout.created_at, checkout.id
    from inserted join checkout on checkout.merchant_id = inserted.merchant_id and checkout.id = inserted.checkout_id
      on conflict do nothing;
  return null;
end $$;
create trigger checkout_rail_of_commitments after insert on commitment
  referencing new table as inserted for each statement execute function checkout_rail_of_commitments();
-- After the trigger, which lets nobody commit until this is done: so none is missed.
insert into checkout_rail
select distinct commitment.merchant_id, network, asset, created_at, checkout_id
  from commitment join checkout on checkout.merchant_id = commitment.merchant_id and checkout.id = commitment.checkout_id;

-- What a checkout can be found by: texts of its charge, in lower case. Bytes in their own order, so that the index also
-- knows what begins with a text.
create table checkout_term (
  merchant_id text not null,
  term        text collate "C" not null,
  created_at  timestamptz not null,             -- of the checkout
  checkout_id text not null,
  primary key (merchant_id, term, created_at, checkout_id)
);
-- Until when the follower has written terms; no row: it has not begun.
create table term_position (
  id          boolean primary key default true check (id),
  followed_to timestamptz not null
);

-- When a key was last used, to the minute. Keys that are there count as used today: nobody has noted it so far.
create table api_key_use (
  merchant_id  text not null,
  key          text not null,
  last_used_at timestamptz not null,
  primary key (merchant_id, key)
);
insert into api_key_use select merchant_id, key, now() from api_key where revoked_at is null;

create index settlement_reversed on settlement (merchant_id, reversed_at) where reversed_at is not null;
create index transfer_to_approve on transfer (merchant_id, created_at, id) where state = 'AWAITING_APPROVAL';
create index refund_listed on refund (merchant_id, requested_at, id);
create index refund_of_state on refund (merchant_id, state, requested_at, id);
drop index refund_newest;
create index delivery_of_state on delivery (merchant_id, state, created_at, id);
create index ledger_entry_listed on ledger_entry (merchant_id, posted_at, reference) where merchant_id is not null;

insert into job (name, payload, run_at)
select name, '{}', now() + wait
  from (values ('checkout.recount', interval '10 minutes'), ('terms.rebuild', interval '0')) as new_job (name, wait)
 where exists (select from checkout);
