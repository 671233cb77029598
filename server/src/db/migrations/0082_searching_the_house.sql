-- The operator's staff look for something of which they do not know whose it is: an id, a transaction, an address, the number
-- of an order, a name. Indexes that begin with the merchant cannot tell, so these begin with what is looked for; and accounts
-- are listed and found by their words, however many there are.
--
-- Locks: each `create index` lets nobody write to its table until this migration is done; reading goes on. That of
-- checkout_term takes some ten seconds for a million checkouts, but is written by the follower of terms only. The previous
-- release runs on.

-- The words of a name or an address, so that the beginning of any of them finds it. What PostgreSQL's parser would take for
-- one word, such as a host or an e-mail address, is taken apart first.
create function words_of(text) returns tsvector immutable strict parallel safe language sql as $$
  select to_tsvector('pg_catalog.simple', translate(lower($1), '@.-_/+:~%=?#', '            '))
$$;
create index merchant_words on merchant using gin (words_of(name || ' ' || coalesce(email, '')));
create index person_words on person using gin (words_of(email));
create index merchant_newest on merchant (created_at, id);

create index deposit_public on deposit (id);
create index checkout_term_of_anybody on checkout_term (term, created_at);

create index outgoing_transfer_to on outgoing_transfer (address, requested_at);
create index transfer_to on transfer (address, created_at); -- Also what waits for an approval, and has no payout yet.
create index withdrawal_to on withdrawal (address, requested_at);
create index unmatched_payment_from on unmatched_payment (sender, seen_at) where sender is not null;
create index unmatched_payment_named on unmatched_payment (memo, seen_at) where memo is not null;
