-- Papers are found by the names that are printed on them, whatever has become of the customer since. Each word is kept with the
-- merchant before it, so that a search reads the papers of one account only, however common a name is.
--
-- Locks: builds an index on a table that is new in this release.
create function names_on_paper(merchant_id text, facts json) returns tsvector immutable parallel safe language sql
begin atomic
  select array_to_tsvector(coalesce(array_agg(distinct merchant_id || '/' || word.lexeme), '{}'))
    from unnest(words_of(coalesce(facts->'buyer'->>'customerId', '') || ' ' || coalesce(facts->'buyer'->>'email', '') || ' ' ||
                         coalesce(facts->'buyer'->'fields'->>'firstname', '') || ' ' ||
                         coalesce(facts->'buyer'->'fields'->>'lastname', '') || ' ' ||
                         coalesce(facts->'buyer'->'fields'->>'company', ''))) as word;
end;
create index paper_naming on paper using gin (names_on_paper(merchant_id, facts)) where customer_id is not null;
