-- Several merchants may name a domain; whose container was seen answering at it has it. A domain that is in use stays in
-- use. The previous release goes on: it refuses a second one no more, and what it marks as seen twice it only logs.
--
-- Locks: brand_domain, for as long as an index over one row per merchant takes.
alter table brand_domain drop constraint brand_domain_domain_key;
create unique index brand_domain_shown on brand_domain (origin) where seen_at is not null;
