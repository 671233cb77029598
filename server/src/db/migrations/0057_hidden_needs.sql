-- What somebody does not want to be reminded of for a while. Per person: the others of the account still see it.
--
-- Locks: creates a table.
create table hidden_need (
  merchant_id text not null,
  person_id   text not null,
  item        text not null,                     -- the name of an item of *Needs you*
  since       timestamptz not null,              -- since when its cause was there: one that began later is another one
  until       timestamptz not null,
  primary key (merchant_id, person_id, item),
  foreign key (merchant_id, person_id) references membership on delete cascade
);
