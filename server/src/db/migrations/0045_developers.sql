-- What developers look at: keys with a name and their last use, requests that failed, deliveries by their state, and a
-- webhook secret that can be exchanged while shops run.
--
-- Locks: adds columns without a rewrite, short. Nobody writes deliveries while their index is built and those that were
-- sent again are marked: a second or so per million of them. The previous release does not know the columns and leaves
-- them empty: the keys that it makes have no name, its webhooks carry only the newest signature, and what it sends again
-- counts as given up until that is done once more.
alter table api_key
  add column label text not null default '',
  add column made_by text;                       -- an actor; null: before this was written down

-- The secret before the present one: for a day both sign.
alter table merchant
  add column former_webhook_secret bytea,        -- encrypted
  add column former_webhook_secret_until timestamptz;

-- No bodies: they hold what customers say. Kept for a week.
create table failed_request (
  merchant_id text not null,
  id          text not null,
  created_at  timestamptz not null,
  method      text not null,
  path        text not null,                     -- without its query string
  status      integer not null,
  sentence    text not null,                     -- what was answered
  key         text not null,                     -- that the request named, also where its signature was wrong
  request_id  text not null,
  primary key (merchant_id, id)
);
create index failed_request_newest on failed_request (merchant_id, created_at, id);
create index failed_request_old on failed_request (created_at);

alter table delivery
  add column replaced_by text;                   -- of one that was given up: the delivery by which it was made good
update delivery as former
   set replaced_by = again.id
  from (select distinct on (merchant_id, event_id) merchant_id, event_id, id, sequence from delivery
         where (merchant_id, event_id) in (select merchant_id, event_id from delivery where state = 'FAILED')
         order by merchant_id, event_id, sequence desc) as again
 where former.state = 'FAILED' and former.merchant_id = again.merchant_id and former.event_id = again.event_id
   and former.sequence < again.sequence;
create index delivery_given_up on delivery (merchant_id, created_at, id) where state = 'FAILED' and replaced_by is null;
