-- Mails about an order to the customer whom the shop linked with it, and what became of each.
--
-- A table of its own beside `email`: the previous release names the primary key of that one when it writes, and a refund
-- has no generation. Nobody's address is in here. `address_hash` is the SHA-256 of it in small letters: enough to know
-- the same address again, also after its customer was deleted.
--
-- Locks: creates tables. The previous release does not know them.
create table status_mail (
  merchant_id   text not null,
  checkout_id   text not null,
  kind          text not null check (kind in ('created', 'paid', 'underpaid', 'expired', 'refunded')),
  cause         text not null,               -- generation of the settlement, id of the refund, or when it happened
  id            text not null,               -- the Message-ID has it: the same for every attempt, and nobody guesses it
  address_hash  text not null,
  begun_at      timestamptz not null,
  claimed_until timestamptz not null,        -- until then whoever started it is the only one who sends it
  outcome       text check (outcome in ('sent', 'refused', 'limited', 'stopped', 'unreachable', 'receipt', 'over')),
  reason        text,                        -- why it was refused or came back, or which limit it was: a word of ours
  ended_at      timestamptz,
  bounced_at    timestamptz,                 -- the mail server took it, and later gave it back
  primary key (merchant_id, checkout_id, kind, cause),
  check ((outcome is null) = (ended_at is null)),
  check (bounced_at is null or outcome = 'sent')
);
create unique index status_mail_id on status_mail (id);

-- What is known about an address beside its customer: that whoever reads it wants no such mails, or that none arrives.
create table mail_address (
  merchant_id  text not null references merchant,
  address_hash text not null,
  stopped_at   timestamptz,
  failed_at    timestamptz,
  failure      text,
  primary key (merchant_id, address_hash),
  check ((failed_at is null) = (failure is null))
);

-- How many were begun on a day (UTC): to an address of whichever merchant, and by a merchant.
create table mail_count (
  scope text not null,
  day   date not null,
  mails integer not null,
  primary key (scope, day)
);
