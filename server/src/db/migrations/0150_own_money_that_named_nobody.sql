-- Money that named nobody may be the operator's own: a top-up, a refund of taxes, a supplier's credit. That it is, one of the staff
-- says with a reason, and once there are two another one says so too, as of what is sent back (0083). What was taken is no
-- longer in suspense: `assigned_at` is set as well, without a checkout, so that whatever looks for what waits leaves it out.
--
-- Locks: creates a table; a column without a default; replaces a view. A process of the previous release leaves out of its lists
-- what was taken, by `assigned_at`; only who opens such a payment there by its id could still send it back until it is stopped.
create table unmatched_adoption (
  id           text primary key,
  unmatched_id text not null references unmatched_payment,
  reason       text not null check (char_length(reason) between 1 and 200),
  state        text not null check (state in ('AWAITING_APPROVAL', 'APPROVED', 'REFUSED')),
  requested_by text not null,                                  -- an actor
  requested_at timestamptz not null,
  decided_by   text,                                           -- null: nobody else had to
  decided_at   timestamptz,
  check ((state = 'AWAITING_APPROVAL') = (decided_at is null))
);
create unique index unmatched_adoption_waiting on unmatched_adoption (unmatched_id) where state = 'AWAITING_APPROVAL';

alter table unmatched_payment add column own_at timestamptz; -- it is the operator's own since

create or replace view bank_booking_fact as
  select record.network, record.position, record.number, record.identity, record.kind, record.units, record.note,
         document.kind as document_kind,
         payment.purpose, payment.owner_id, payment.merchant_id,
         unmatched.id as unmatched_id, unmatched.is_waiting,
         movement.id as movement_id, movement.kind as movement_kind, movement.open_units <> 0 as is_open, movement.assigned_as,
         comeback.payout_id, unmatched.is_own
    from bank_record record
    join bank_document document on document.network = record.network and document.position = record.position
    left join lateral (select purpose, owner_id, merchant_id from payment
                        where network = record.network and tx_hash = record.identity and rest_of is null
                        order by tx_index limit 1) as payment on true
    left join lateral (select id, assigned_at is null and returned_at is null and reversed_at is null as is_waiting,
                              own_at is not null and reversed_at is null as is_own
                         from unmatched_payment
                        where network = record.network and tx_hash = record.identity
                        order by tx_index limit 1) as unmatched on true
    left join lateral (select id, kind, open_units, assigned_as from network_movement
                        where network = record.network and (kind = 'REVERSAL') in (true, false) and key = record.identity
                        order by kind limit 1) as movement on true
    left join payout_comeback comeback on comeback.network = record.network and comeback.comeback_id = record.identity;
