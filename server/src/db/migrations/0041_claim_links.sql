-- Links that payers ask for themselves, to claim what they paid too much or too little. A row says that the payer asked
-- for the refund, and not an API key; and how often a link was asked for, so that many presses send few e-mails.
--
-- The token is not here: each message has a new one, and the refund keeps the hash of the newest.
--
-- Locks: creates a table only. The previous release does not know it: it makes no such refunds and sends no such links,
-- and shows those there are like any other refund.
create table claim_link (
  merchant_id text not null,
  refund_id   text not null,
  language    text not null,                  -- of the page on which the payer asked
  asked       integer not null check (asked > 0),
  asked_at    timestamptz not null,           -- the last time
  answered    integer not null default 0,     -- which of the requests was the last to be answered by a message
  busy_until  timestamptz,                    -- until then whoever writes the message is the only one
  refused_at  timestamptz,                    -- the mail server says that nobody can be reached
  primary key (merchant_id, refund_id),
  foreign key (merchant_id, refund_id) references refund,
  check (answered between 0 and asked)
);
