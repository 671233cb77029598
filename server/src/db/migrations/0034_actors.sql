-- What a key may do, whose hands know its secret, and the secrets it had until a moment ago.
--
-- Locks: adds columns with constant defaults to a table with a few rows per merchant, and creates a table; both short.
-- The previous release does not know the columns: the keys that it makes may do everything, as it says, and a secret
-- that it rotates is exchanged at once.
alter table api_key
  -- Existing keys may do what they could do. Whoever makes a key says what it may do.
  add column scopes text[] not null default '{charge,read,money,approve}'
    check (cardinality(scopes) > 0 and scopes <@ '{charge,read,money,approve}'::text[]),
  -- Actors that made the key or gave it a secret, and those that stood behind them. The operator is not among them.
  add column known_to text[] not null default '{}',
  -- Whether a request was signed with the secret: until then the shop may still have the former one.
  add column is_secret_used boolean not null default true;

create table former_api_secret (
  id           bigint generated always as identity,  -- in the order in which they were replaced
  merchant_id  text not null,
  key          text not null,
  secret       bytea not null,            -- encrypted
  basic_digest bytea not null unique,
  is_used      boolean not null,
  good_until   timestamptz not null,      -- not at this moment any more
  primary key (merchant_id, key, id),
  foreign key (merchant_id, key) references api_key
);
