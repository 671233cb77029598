-- A refund waits while the money that it gives back is not there, whatever that money is made of by then: a payment may
-- have been replaced by another one since the refund was asked for. So the refund itself is asked, which has the same id.
--
-- Locks: replaces a function and drops two columns, in no time.
create or replace function is_paid(transfer outgoing_transfer) returns boolean stable language sql as $$
  select transfer.purpose <> 'refund' or (
    -- The payments that it takes from are confirmed, and those behind what was credited for what it covers.
    not exists (select from refund
                  join payment on payment.merchant_id = refund.merchant_id and payment.owner_id = refund.checkout_id
                 where refund.merchant_id = transfer.merchant_id and refund.id = transfer.id
                   and payment.state not in ('CONFIRMED', 'FINAL')
                   and (refund.takes @> jsonb_build_array(jsonb_build_object('paymentId', payment.id))
                        or (payment.place = 'settled' and refund.covers @> jsonb_build_array(
                              jsonb_build_object('commitmentId', payment.commitment_id)))))
    -- And of what it covers, no more is given back than was credited.
    and not exists (select from refund own, jsonb_array_elements(own.covers) as covered
                     where own.merchant_id = transfer.merchant_id and own.id = transfer.id
                       and (select coalesce(sum((cover ->> 'units')::numeric), 0)
                              from refund, jsonb_array_elements(refund.covers) as cover
                             where refund.merchant_id = own.merchant_id and refund.checkout_id = own.checkout_id
                               and refund.place <> 'returned'
                               and cover ->> 'commitmentId' = covered ->> 'commitmentId')
                         > (select coalesce(sum((part ->> 'countedUnits')::numeric), 0)
                              from settlement, jsonb_array_elements(settlement.parts) as part
                             where settlement.merchant_id = own.merchant_id
                               and settlement.checkout_id = own.checkout_id and settlement.reversed_at is null
                               and part ->> 'commitmentId' = covered ->> 'commitmentId')))
$$;
alter table outgoing_transfer drop column paid_owner, drop column paid_ids;
