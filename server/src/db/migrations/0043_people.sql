-- People who sign in: who they are, how they prove it, to which accounts they belong, and their open sessions.
--
-- Nothing in these tables lets anybody in by itself: tokens and codes are stored as hashes, the second factor's secret
-- encrypted under the master key, passwords as argon2id.
--
-- Locks: creates tables; adds columns without a default to audit_log and a trigger to it; short. The previous release
-- only ever inserts into audit_log, and does not know the rest.
create table person (
  id          text primary key,
  email       text not null unique check (email = lower(email)),  -- proven by a link before anything else
  name        text not null,
  language    text not null default 'en',
  password    text,                              -- argon2id in PHC form
  totp_secret bytea,                             -- encrypted
  totp_step   bigint,                            -- of the last code that was used: each is good once
  created_at  timestamptz not null
);

create table passkey (
  id           text primary key,                 -- the credential's id, base64url
  person_id    text not null references person,
  public_key   bytea not null,
  counter      bigint not null,
  rp_id        text not null,                    -- the domain it was made for
  label        text not null,
  created_at   timestamptz not null,
  last_used_at timestamptz
);
create index passkey_of_person on passkey (person_id);

create table recovery_code (
  person_id text not null references person,
  hash      bytea not null,
  used_at   timestamptz,
  primary key (person_id, hash)
);

create table membership (
  merchant_id text not null references merchant,
  person_id   text not null references person,
  role        text not null check (role in ('owner', 'admin', 'accountant', 'support', 'developer', 'viewer')),
  created_at  timestamptz not null,
  primary key (merchant_id, person_id)
);
create index membership_of_person on membership (person_id);

create table staff (
  person_id  text primary key references person,
  role       text not null check (role in ('operator', 'treasury', 'support', 'viewer')),
  created_at timestamptz not null
);

create table session (
  token_hash  bytea primary key,                 -- sha256
  id          text not null unique,              -- how the audit log and the list of sessions name it
  person_id   text not null references person,
  merchant_id text references merchant,          -- the account that is looked at
  created_at  timestamptz not null,
  seen_at     timestamptz not null,
  proved_at   timestamptz,                       -- when the person last proved who it is; null: half signed in
  proved_how  text check (proved_how in ('passkey', 'totp', 'code', 'password', 'link')),
  address     text not null,
  browser     text not null
);
create index session_of_person on session (person_id);

create table one_time_link (
  token_hash   bytea primary key,                -- sha256
  purpose      text not null check (purpose in ('join', 'sign-in', 'recover')),
  email        text,                             -- null: whoever opens it says which
  merchant_id  text references merchant,
  role         text,                             -- in that account
  staff_role   text,
  made_by      text not null,                    -- an actor
  browser_hash bytea,                            -- only good in the browser that asked for it
  created_at   timestamptz not null,
  good_from    timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz
);
create index one_time_link_of_account on one_time_link (merchant_id, created_at) where used_at is null;

-- What a passkey is asked to sign. Good for one answer.
create table challenge (
  challenge  bytea primary key,
  purpose    text not null check (purpose in ('sign-in', 'register', 'prove', 'order')),
  person_id  text references person,             -- null: not known before the answer
  digest     bytea,                              -- of the order that is signed
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index challenge_expired on challenge (expires_at);

-- Failed attempts, per e-mail address and per network address.
create table sign_in_failure (
  subject    text primary key,
  failures   integer not null,
  last_at    timestamptz not null
);

alter table audit_log
  add column session_id text,
  add column address text,
  add column proof text;                         -- how the actor proved who it is, for this very change

create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only ever added to';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change_of_audit();
