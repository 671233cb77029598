-- What a payer leaves on the payment page: an address for the receipt, and where money would be sent back to.
--
-- A table of its own, because few leave anything, because it is personal and may have to be forgotten alone, and so that
-- no list of checkouts can show it by accident.
--
-- Locks: creates a table only.
create table checkout_contact (
  merchant_id    text not null,
  checkout_id    text not null,
  email          text,
  refund_network text,
  refund_address text,
  updated_at     timestamptz not null,
  primary key (merchant_id, checkout_id)
);
