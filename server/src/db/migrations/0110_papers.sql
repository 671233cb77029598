-- Receipts, invoices and credit notes as they were issued, each with a number of its series. What was issued is never changed,
-- and its number is taken in the transaction that stores it: so there is no gap, whoever dies. PostgreSQL itself sees to both,
-- because tax offices ask for exactly that, also after a hand-typed statement.
--
-- Locks: creates tables; nobody writes to merchants and checkouts until that is done, short. The previous release does not know them.
create table paper_series (
  merchant_id text not null references merchant,
  series      text not null,                     -- the prefix of its numbers, with the year in it
  last_number integer not null check (last_number > 0),
  primary key (merchant_id, series)
);

create table paper (
  merchant_id text not null,
  id          text not null,
  kind        text not null check (kind in ('receipt', 'invoice', 'creditNote')),
  checkout_id text not null,
  customer_id text,                              -- of the buyer; null: the shop named none
  generation  integer not null,                  -- the settlement that it is about
  cause       text not null,                     -- why it was issued: there is one paper for each
  corrects_id text,                              -- of a credit note
  series      text not null,
  number      integer not null,
  printed     text not null generated always as (series || lpad(number::text, greatest(5, length(number::text)), '0')) stored,
  issued_at   timestamptz not null,
  currency    text not null,
  total       numeric not null,                  -- of a credit note: what it takes back
  facts       json not null,                     -- all that it says, in no language
  primary key (merchant_id, id),
  constraint paper_once unique (merchant_id, checkout_id, kind, cause),
  constraint paper_number unique (merchant_id, series, number),
  foreign key (merchant_id, series) references paper_series,
  foreign key (merchant_id, checkout_id) references checkout,
  foreign key (merchant_id, corrects_id) references paper,
  check ((kind = 'creditNote') = (corrects_id is not null))
);
create index paper_listed on paper (merchant_id, issued_at, id);
create index paper_of_customer on paper (merchant_id, customer_id, issued_at, id) where customer_id is not null;
create index paper_printed on paper (merchant_id, (lower(printed) collate "C"));

create function refuse_change_of_paper() returns trigger language plpgsql as $$
begin
  raise exception 'what was issued is never changed: correct it by a credit note';
end $$;
create trigger paper_append_only before update or delete or truncate on paper
  for each statement execute function refuse_change_of_paper();

-- Counts up by one, from one.
create function count_paper_series() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.last_number = 1 then return new; end if;
  if tg_op = 'UPDATE' and new.last_number = old.last_number + 1 and new.series = old.series
     and new.merchant_id = old.merchant_id then return new; end if;
  raise exception 'numbers of papers are given out one by one';
end $$;
create trigger paper_series_counts before insert or update or delete on paper_series
  for each row execute function count_paper_series();

-- A number that was taken has its paper when the transaction ends.
create function demand_numbered_paper() returns trigger language plpgsql as $$
begin
  if not exists (select from paper where merchant_id = new.merchant_id and series = new.series and number = new.last_number)
  then raise exception 'number % of the series % has no paper', new.last_number, new.series; end if;
  return null;
end $$;
create constraint trigger paper_series_without_gap after insert or update on paper_series
  deferrable initially deferred for each row execute function demand_numbered_paper();

-- And a paper has the number that was taken last. After the statement, which may have taken it itself.
create function demand_taken_number() returns trigger language plpgsql as $$
begin
  if new.number is distinct from
     (select last_number from paper_series where merchant_id = new.merchant_id and series = new.series)
  then raise exception 'number % of the series % was not taken for this paper', new.number, new.series; end if;
  return null;
end $$;
create trigger paper_takes_its_number after insert on paper for each row execute function demand_taken_number();
