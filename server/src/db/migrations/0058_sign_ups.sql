-- People ask for an account of their own, where the operator lets them: they prove an address and wait for a yes.
--
-- Locks: creates a table; replaces a check of one_time_link, which is small, so it is read through in a moment. The
-- previous release makes no links of the new purpose and does not open one: to it such a link is not good.
create table sign_up (
  id          text primary key,
  email       text not null,                     -- lower case
  business    text not null,                     -- the name that the account shall have
  network     text not null,                     -- where it was last asked for: an address, IPv6 by its /64
  state       text not null check (state in ('ASKED', 'WAITING', 'APPROVED', 'REFUSED')),
  person_id   text references person,            -- who proved the address
  merchant_id text references merchant,          -- what came of it
  asked_at    timestamptz not null,              -- when the latest e-mail was asked for
  decided_at  timestamptz,
  check ((state = 'ASKED') = (person_id is null)),
  check ((state = 'APPROVED') = (merchant_id is not null)),
  check ((state in ('APPROVED', 'REFUSED')) = (decided_at is not null))
);
-- Nobody has two requests open, however many ask in this name at once.
create unique index sign_up_open on sign_up (email) where state in ('ASKED', 'WAITING');
create index sign_up_of_person on sign_up (person_id, asked_at);
create index sign_up_of_network on sign_up (network) where state in ('ASKED', 'WAITING');

alter table one_time_link
  drop constraint one_time_link_purpose_check,
  add constraint one_time_link_purpose_check check (purpose in ('join', 'sign-in', 'recover', 'sign-up'));
