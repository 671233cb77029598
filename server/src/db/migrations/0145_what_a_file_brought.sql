-- What became of each booking of a bank, for people: whoever brings a file is told what it brought, and whether the books agree
-- with the balance that it ends with. The view puts side by side what is stored of a booking elsewhere, under its identity,
-- and decides nothing. A count says up to which block, or document, it speaks.
--
-- Locks: creates a view; a column without a default. The previous release writes counts without it.
create view bank_booking_fact as
  select record.network, record.position, record.number, record.identity, record.kind, record.units, record.note,
         document.kind as document_kind,
         payment.purpose, payment.owner_id, payment.merchant_id,
         unmatched.id as unmatched_id, unmatched.is_waiting,
         movement.id as movement_id, movement.kind as movement_kind, movement.open_units <> 0 as is_open, movement.assigned_as,
         comeback.payout_id
    from bank_record record
    join bank_document document on document.network = record.network and document.position = record.position
    left join lateral (select purpose, owner_id, merchant_id from payment
                        where network = record.network and tx_hash = record.identity and rest_of is null
                        order by tx_index limit 1) as payment on true
    left join lateral (select id, assigned_at is null and returned_at is null and reversed_at is null as is_waiting
                         from unmatched_payment
                        where network = record.network and tx_hash = record.identity
                        order by tx_index limit 1) as unmatched on true
    left join lateral (select id, kind, open_units, assigned_as from network_movement
                        where network = record.network and (kind = 'REVERSAL') in (true, false) and key = record.identity
                        order by kind limit 1) as movement on true
    left join payout_comeback comeback on comeback.network = record.network and comeback.comeback_id = record.identity;

create index bank_document_of_file on bank_document (file_id);

alter table reconciliation add column counted_to bigint;
