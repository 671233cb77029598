-- What may leave an account depends on how deep the payments are that brought it, by the sum of them.
--
-- Locks: adds columns without defaults and creates a view, in no time. The index is built while payments wait to be
-- stored, once over the table; it holds only what is not final, so it stays small however old the service grows.

-- What the network itself called safe and final at that tip. Null while the previous release writes: the depth decides.
alter table network_cursor
  add column safe_height  bigint,
  add column final_height bigint;

-- What a reorganisation could still take away, by whose it is.
create index payment_unfinal on payment (merchant_id, owner_id) where state in ('SEEN', 'CONFIRMED');

-- What would be taken from a merchant's balance if a payment that is not final vanished, by the block that brought it:
-- what was credited for it, and what was given back or kept of it while nobody was credited. Rounded up.
create view unfinal_credit as
  select payment.merchant_id, payment.network, payment.block_height, settled.asset,
         div(settled.net_units * least(payment.units, settled.paid_units) + settled.paid_units - 1,
             settled.paid_units) as units
    from (select merchant_id, owner_id, commitment_id, network, block_height, sum(units) as units
            from payment
           where state in ('SEEN', 'CONFIRMED') and place = 'settled' and purpose = 'checkout'
           group by 1, 2, 3, 4, 5) as payment
    join lateral (select part ->> 'creditedAsset' as asset, sum((part ->> 'netUnits')::numeric) as net_units,
                         sum((part ->> 'countedUnits')::numeric + (part ->> 'excessUnits')::numeric) as paid_units
                    from settlement, jsonb_array_elements(settlement.parts) as part
                   where settlement.merchant_id = payment.merchant_id and settlement.checkout_id = payment.owner_id
                     and settlement.reversed_at is null and part ->> 'commitmentId' = payment.commitment_id
                   group by 1) as settled on settled.paid_units > 0
  union all
  select payment.merchant_id, payment.network, payment.block_height, payment.asset, credit.net_units
    from payment
    join deposit_credit credit on credit.merchant_id = payment.merchant_id and credit.deposit_id = payment.owner_id
          and credit.payment_id = payment.id and credit.reference is not null
   where payment.state in ('SEEN', 'CONFIRMED') and payment.place = 'settled' and payment.purpose = 'deposit'
  union all
  select payment.merchant_id, payment.network, payment.block_height, payment.asset, (take ->> 'units')::numeric
    from payment
    join refund on refund.merchant_id = payment.merchant_id and refund.checkout_id = payment.owner_id
          and refund.place <> 'returned'
    join lateral jsonb_array_elements(refund.takes) as take on take ->> 'paymentId' = payment.id
   where payment.state in ('SEEN', 'CONFIRMED') and payment.place in ('settled', 'suspense')
  union all
  select payment.merchant_id, payment.network, payment.block_height, payment.asset,
         (take ->> 'units')::numeric - (take ->> 'feeUnits')::numeric
    from payment
    join checkout on checkout.merchant_id = payment.merchant_id and checkout.id = payment.owner_id
          and checkout.accepted_excess <> '[]'
    join lateral jsonb_array_elements(checkout.accepted_excess) as excess on true
    join lateral jsonb_array_elements(excess -> 'takes') as take on take ->> 'paymentId' = payment.id
   where payment.state in ('SEEN', 'CONFIRMED') and payment.place in ('settled', 'suspense');

-- What needs a second approval is counted over a day, refunds included: together with transfers (null), or by
-- themselves, above an amount of their own in the account currency.
alter table merchant add column refund_approval_above numeric check (refund_approval_above >= 0);

-- A refund can wait for the approval of another key than the one that asked for it.
alter table refund
  add column api_key     text,     -- who asked; null: before this was written down
  add column approved_by text,
  add column approved_at timestamptz,
  drop constraint refund_state_check,
  drop constraint refund_check,
  add constraint refund_state_check check (state in
    ('AWAITING_APPROVAL', 'CLAIMABLE', 'SENDING', 'COMPLETED', 'FAILED', 'CANCELED', 'EXPIRED')) not valid,
  add constraint refund_check check (state in ('AWAITING_APPROVAL', 'CLAIMABLE', 'CANCELED', 'EXPIRED')
    or address is not null) not valid; -- What is there fulfilled the narrower ones.
create index refund_newest on refund (merchant_id, requested_at);
