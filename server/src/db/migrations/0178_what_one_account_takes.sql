-- Who signs somebody out of one account signed them out of all others. A session says now of which accounts (or `operator`: of
-- the operator's area) it is no longer good. And who approves, or asks for what others approve, is new to it for a day, also
-- after they were let in anew or added a passkey; until now only the staff were
-- (docs/decisions/0138-nobody-becomes-somebody-else.md).
--
-- Locks: session and membership for a moment each, to add columns without rewriting.
alter table session add column not_for text[] not null default '{}';
alter table membership add column hand_since timestamptz;       -- null: since the membership

-- Browsers in which somebody was all the way in. Wrong passwords from elsewhere do not hold them up
-- (docs/decisions/0139-who-guesses-waits.md).
create table known_browser (
  token_hash bytea not null,                                    -- sha256 of the cookie
  person_id  text not null references person,
  seen_at    timestamptz not null,
  primary key (person_id, token_hash)
);
create index known_browser_seen on known_browser (seen_at);
