-- Payment links: what can be paid many times, and the checkouts that came of each. A link is never changed, only closed: a
-- price that was printed stays what it was.
--
-- Locks: creates tables. The previous release does not know them.
create table payment_link (
  merchant_id      text not null references merchant,
  id               text not null,
  description      text not null,
  currency         text not null,
  amount           numeric check (amount > 0),       -- exact; null: the payer says, or who signs
  amount_min       numeric check (amount_min > 0),
  amount_max       numeric check (amount_max > 0),
  is_signed_only   boolean not null,
  secret           bytea,                            -- sealed; signs amounts
  payments_max     integer check (payments_max > 0),
  settlement_asset text,                             -- null: what the account has set when it is paid
  webhook          text,
  page_settings    json not null,
  meta             json,
  api_key          text,                             -- signs the webhooks of its checkouts; null: a person made it
  created_by       text not null,                    -- an actor: a person or a key
  created_at       timestamptz not null,
  closed_at        timestamptz,                      -- null: it can be paid
  primary key (merchant_id, id),
  check (amount is null or (amount_min is null and amount_max is null and not is_signed_only)),
  check (is_signed_only = (secret is not null)),
  check (api_key is not null or webhook is null)
);
create index payment_link_public on payment_link (id);             -- its page knows no merchant
create index payment_link_listed on payment_link (merchant_id, created_at, id);

create table payment_link_checkout (
  merchant_id     text not null,
  payment_link_id text not null,
  checkout_id     text not null,
  -- What is done once: a form that was shown, or a reference that was signed. Null: a button on another page.
  once            text,
  created_at      timestamptz not null,
  primary key (merchant_id, checkout_id),
  foreign key (merchant_id, payment_link_id) references payment_link,
  foreign key (merchant_id, checkout_id) references checkout
);
create unique index payment_link_checkout_once on payment_link_checkout (merchant_id, payment_link_id, once);
create index payment_link_checkout_listed on payment_link_checkout (merchant_id, payment_link_id, created_at, checkout_id);
