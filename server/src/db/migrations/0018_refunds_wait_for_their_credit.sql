-- A refund of what was credited waits while that credit does not stand, whatever it is made of by then: a payment may
-- have been replaced by another one since the refund was asked for.
--
-- Locks: adds a column without a default and replaces a function, in no time.
alter table outgoing_transfer add column covered_ids text[]; -- commitments of the checkout in `paid_owner`

-- Whether a transfer gives back money that is there; true of one that gives none back. The payments it takes from are
-- confirmed; and of the commitments it covers, all that is given back is credited, for confirmed payments.
create or replace function is_paid(transfer outgoing_transfer) returns boolean stable language sql as $$
  select not exists (select from payment
                      where payment.merchant_id = transfer.merchant_id and payment.owner_id = transfer.paid_owner
                        and (payment.id = any(transfer.paid_ids)
                             or (payment.commitment_id = any(transfer.covered_ids) and payment.place = 'settled'))
                        and payment.state not in ('CONFIRMED', 'FINAL'))
     and not exists (select from unnest(transfer.covered_ids) as covered (id)
                      where (select coalesce(sum((cover ->> 'units')::numeric), 0)
                               from refund, jsonb_array_elements(refund.covers) as cover
                              where refund.merchant_id = transfer.merchant_id
                                and refund.checkout_id = transfer.paid_owner
                                and refund.place <> 'returned' and cover ->> 'commitmentId' = covered.id)
                          > (select coalesce(sum((part ->> 'countedUnits')::numeric), 0)
                               from settlement, jsonb_array_elements(settlement.parts) as part
                              where settlement.merchant_id = transfer.merchant_id
                                and settlement.checkout_id = transfer.paid_owner
                                and settlement.reversed_at is null and part ->> 'commitmentId' = covered.id))
$$;
