-- What matches nobody and is too small for a person to read one by one (decision 118) is told apart from the rest wherever it is
-- counted, and listed by network and asset, the newest first. At banks that is less than one euro or dollar. What is there
-- already stays in the list that people read.
--
-- Locks: the index lets nobody write to unmatched_payment until it is made, less than a second for a hundred thousand rows; replaces a
-- view. The previous release runs on, and shows what is small as what waits.
drop index unmatched_payment_crumbs;
create index unmatched_payment_crumbs on unmatched_payment (network, asset, seen_at, id) include (units)
 where is_crumb and assigned_at is null and returned_at is null and reversed_at is null;

create or replace view bank_booking_fact as
  select record.network, record.position, record.number, record.identity, record.kind, record.units, record.note,
         document.kind as document_kind,
         payment.purpose, payment.owner_id, payment.merchant_id,
         unmatched.id as unmatched_id, unmatched.is_waiting,
         movement.id as movement_id, movement.kind as movement_kind, movement.open_units <> 0 as is_open, movement.assigned_as,
         comeback.payout_id, unmatched.is_own, unmatched.is_crumb
    from bank_record record
    join bank_document document on document.network = record.network and document.position = record.position
    left join lateral (select purpose, owner_id, merchant_id from payment
                        where network = record.network and tx_hash = record.identity and rest_of is null
                        order by tx_index limit 1) as payment on true
    left join lateral (select id, assigned_at is null and returned_at is null and reversed_at is null as is_waiting,
                              own_at is not null and reversed_at is null as is_own, is_crumb
                         from unmatched_payment
                        where network = record.network and tx_hash = record.identity
                        order by tx_index limit 1) as unmatched on true
    left join lateral (select id, kind, open_units, assigned_as from network_movement
                        where network = record.network and (kind = 'REVERSAL') in (true, false) and key = record.identity
                        order by kind limit 1) as movement on true
    left join payout_comeback comeback on comeback.network = record.network and comeback.comeback_id = record.identity;
