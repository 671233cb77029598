-- A transfer to a bank waits for its file for days. If a payment that its account was credited for is taken back meanwhile, and there is not
-- enough left for that, the account owes it, and what it has set aside to leave is somebody else's money. So it waits until the debt is
-- paid, or it is cancelled, which pays the debt first.
--
-- Locks: a function, and replaces one; takes no time. The previous release asks the same function.
create function owes(merchant text, asset text) returns boolean stable language sql as $$
  select exists (select from ledger_account where id = 'merchant/' || $1 || '/receivable/' || $2 and balance < 0)
$$;

create or replace function is_paid(transfer outgoing_transfer) returns boolean stable language sql as $$
  select (transfer.purpose <> 'transfer' or transfer.was_done or not owes(transfer.merchant_id, transfer.asset))
     and (transfer.purpose <> 'refund' or (
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
                       and (select coalesce(sum(div((cover ->> 'units')::numeric * (refund.sent_units - refund.came_back_units),
                                                    refund.sent_units)), 0)
                              from refund, jsonb_array_elements(refund.covers) as cover
                             where refund.merchant_id = own.merchant_id and refund.checkout_id = own.checkout_id
                               and refund.place <> 'returned'
                               and cover ->> 'commitmentId' = covered ->> 'commitmentId')
                         > (select coalesce(sum((part ->> 'countedUnits')::numeric), 0)
                              from settlement, jsonb_array_elements(settlement.parts) as part
                             where settlement.merchant_id = own.merchant_id
                               and settlement.checkout_id = own.checkout_id and settlement.reversed_at is null
                               and part ->> 'commitmentId' = covered ->> 'commitmentId'))
    -- And to the account of who paid goes no more than stands of what came from there.
    and not exists (select from refund own
                     where own.merchant_id = transfer.merchant_id and own.id = transfer.id
                       and not has_what_it_gives_back(own))
  ))
$$;
