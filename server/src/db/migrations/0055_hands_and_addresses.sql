-- Who gave a key the secret that it has now: whoever left the account, and has it, is shown to those who stay. Null: given by
-- an earlier release.
--
-- Since when a customer has this e-mail address: the link to a refund is not sent to one that came after the money. Those of
-- earlier releases count as there from the beginning.
--
-- What somebody of the role support has given up by accepting less than the price: all of a day counts together.
--
-- Locks: creates a table; adds columns that may be null, which rewrites nothing.
alter table api_key add column secret_by text;

alter table customer add column email_since timestamptz;

create table small_acceptance (
  merchant_id text not null references merchant,
  checkout_id text not null,
  actor       text not null,
  at          timestamptz not null,
  missing     numeric not null,                  -- in the billing currency
  currency    text not null,
  primary key (merchant_id, checkout_id)
);
create index small_acceptance_actor on small_acceptance (merchant_id, actor, at);
