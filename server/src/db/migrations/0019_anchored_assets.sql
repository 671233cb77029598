-- Every asset of another issuer (ANCHORED_ASSETS) that this installation has ever known.
--
-- What was credited in one is owed after it is no longer offered, and records of checkouts name it for ever. So taking
-- it out of the settings only retires it.
--
-- Locks: creates a table only.
create table anchored_asset (
  code   text not null,
  issuer text not null,
  domain text not null,
  primary key (code, issuer)
);
