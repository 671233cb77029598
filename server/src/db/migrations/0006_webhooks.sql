-- Events are written in the transaction of the change they announce; deliveries carry them to the merchant.
--
-- Locks: creates tables only.
create table event (
  merchant_id text not null,
  id          text not null,
  sequence    bigint generated always as identity,
  type        text not null,
  subject     text not null,            -- the id of the checkout, deposit, swap …: events of one subject keep their order
  body        text not null,            -- the exact bytes that are sent and signed
  created_at  timestamptz not null,
  primary key (merchant_id, id)
);
create index event_subject on event (merchant_id, subject, sequence);

create table delivery (
  merchant_id  text not null,
  id           text not null,
  event_id     text not null,
  sequence     bigint not null generated always as identity,
  subject      text not null,
  url          text not null,
  api_key      text not null,
  state        text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts     integer not null default 0,
  created_at   timestamptz not null,
  next_at      timestamptz,             -- of the next attempt; null when there will be none
  delivered_at timestamptz,
  failure      text,                    -- why it was given up, for the merchant to read
  primary key (merchant_id, id)
);
create index delivery_waiting on delivery (merchant_id, subject, sequence) where state = 'PENDING';
create index delivery_oldest on delivery (created_at) where state = 'PENDING';
create index delivery_event on delivery (merchant_id, event_id);

create table delivery_attempt (
  merchant_id      text not null,
  delivery_id      text not null,
  number           integer not null,
  at               timestamptz not null,
  duration_ms      integer not null,
  request_headers  jsonb not null,
  response_status  integer,
  response_headers jsonb,
  response_excerpt text,
  error            text,
  primary key (merchant_id, delivery_id, number)
);

-- A receiver that answers 410 Gone does not want this URL any more.
create table disabled_webhook (
  merchant_id text not null,
  url         text not null,
  at          timestamptz not null,
  primary key (merchant_id, url)
);
