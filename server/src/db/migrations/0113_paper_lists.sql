-- Papers of one kind are listed by themselves, newest first: among a million invoices the few credit notes are found at once.
--
-- Locks: builds an index on a table that is new in this release.
create index paper_of_kind on paper (merchant_id, kind, issued_at, id);
