-- An event never reaches a shop after a newer one of the same subject: an old one overturns what the newer one said.
--
-- Who is sending about a subject at the moment, and the newest event that was ever begun to be sent about it: nothing
-- older is sent from then on. What was overtaken is SUPERSEDED, and says by which event. A delivery that a newer one
-- has overtaken already would still be sent by the rules of yesterday, so it is superseded here.
--
-- `awaits_bridge_since`: a credit waits a while for the tokens of the bridge, from the moment when it was due.
--
-- Locks: delivery and checkout exclusively for a moment; rows of deliveries that are pending. No table is read whole:
-- the old check has proven every row to the new one.
alter table delivery
  drop constraint delivery_state_check,
  add constraint delivery_state_check
    check (state in ('PENDING', 'DELIVERED', 'FAILED', 'SUPERSEDED')) not valid,
  add column superseded_by text;            -- the id of the newer event

create table webhook_turn (
  merchant_id text not null,
  subject     text not null,
  newest      bigint not null,              -- event.sequence
  event_id    text not null,                -- of that event
  delivery_id text not null,
  worker      integer,                      -- the number of the worker that is sending; null: nobody is
  begun_at    timestamptz not null,
  quiet_until timestamptz,                  -- until then a worker that was taken for dead may still be sending
  primary key (merchant_id, subject)
);

update delivery set state = 'SUPERSEDED', next_at = null, superseded_by = newer.id,
                    failure = 'A newer event, ' || newer.type || ', was sent before it.'
  from event, lateral (
    select later.id, later.type from event later
      join delivery sent on sent.merchant_id = later.merchant_id and sent.event_id = later.id
     where later.merchant_id = event.merchant_id and later.subject = event.subject
       and later.sequence > event.sequence and sent.attempts > 0
     order by later.sequence desc limit 1
  ) newer
 where delivery.state = 'PENDING' and event.merchant_id = delivery.merchant_id and event.id = delivery.event_id;

alter table checkout add column awaits_bridge_since timestamptz;
