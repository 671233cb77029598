-- E-mails to payers. One row for each that was begun, so that a receipt goes out once per settlement, whoever runs the
-- job and however often. The address stays where the payer left it; here is only what became of the message.
--
-- A worker claims the row for longer than a conversation with the mail server may take. When it dies in between, the
-- next one repeats the message with the same Message-ID.
--
-- Locks: creates a table, and adds a column without a default to a small one.
create table email (
  merchant_id   text not null,
  checkout_id   text not null,
  kind          text not null check (kind = 'receipt'),
  generation    integer not null,            -- of the settlement that it tells of
  claimed_until timestamptz not null,
  outcome       text check (outcome in ('sent', 'refused')),
  ended_at      timestamptz,
  primary key (merchant_id, checkout_id, kind, generation),
  check ((outcome is null) = (ended_at is null))
);

-- The language of the page on which the payer left the address.
alter table checkout_contact add column language text;
