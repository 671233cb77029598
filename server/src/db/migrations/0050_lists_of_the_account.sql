-- Lists of the account: transfers that are not over, and customers by the beginning of a name or an e-mail address.
--
-- Locks: each `create index` lets nobody write to its table until this migration is done, about four seconds for a
-- million customers; reading goes on.
create index transfer_open on transfer (merchant_id, created_at, id) where state in ('WAITING', 'QUEUED');

-- Bytes in their own order, so that the index also knows what begins with a text.
create index customer_email_begins on customer (merchant_id, (lower(email) collate "C")) where deleted_at is null;
create index customer_lastname_begins on customer (merchant_id, (lower(fields ->> 'lastname') collate "C"))
  where deleted_at is null and fields ? 'lastname';
create index customer_company_begins on customer (merchant_id, (lower(fields ->> 'company') collate "C"))
  where deleted_at is null and fields ? 'company';
