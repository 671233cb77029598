-- The latest answer of every rate source: the price of one unit in US dollars. Shared by all processes.
--
-- Locks: creates a table only.
create table rate_observation (
  source      text not null,
  code        text not null,
  usd         numeric not null check (usd > 0),
  observed_at timestamptz not null,
  primary key (source, code)
);
