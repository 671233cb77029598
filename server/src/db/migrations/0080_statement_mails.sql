-- To whom the statement of which month was announced by e-mail: once, whoever dies and however often days are made anew.
--
-- Locks: creates a table.
create table statement_mail (
  merchant_id text not null,
  person_id   text not null,
  month       text not null,                     -- as 2026-10
  told_at     timestamptz not null,
  primary key (merchant_id, person_id, month),
  foreign key (merchant_id, person_id) references membership on delete cascade
);
