-- Whoever invites may be shown the link, and open it for somebody else's address. So an address belongs to a person only once
-- that person has opened what our mail server sent to it, or the operator vouches for it at the command line. Somebody whose
-- address is not proven signs in by a name of their own: the address while nobody has proven it, and longer afterwards
-- (docs/decisions/0137-a-person-is-who-has-proven-the-address.md).
--
-- `email` stays what one signs in by, and unique: the previous release finds people by it. Who it adds has proven nothing.
--
-- People who are there: they count as proven who joined by a link of the operator's command line or asked for their account
-- themselves, and all where people are written to what waits for them: there every link went by e-mail. All others were let
-- in by somebody who was shown their link. They keep the name by which they sign in; they only are nobody elsewhere.
--
-- Locks: person and one_time_link for a moment each, to add columns without rewriting; the update writes the rows of people
-- once, of which an installation has hundreds.
alter table person
  add column address   text check (address = lower(address)),  -- where it is not what one signs in by
  add column proven_at timestamptz;                             -- null: the address is what somebody said
create index person_by_address on person (address) where address is not null;

alter table one_time_link
  add column is_proof  boolean not null default false,          -- whoever opens it has the mailbox, or the operator's word
  add column person_id text references person,                  -- whom it is for, where it is not for whoever opens it
  drop constraint one_time_link_purpose_check,
  add constraint one_time_link_purpose_check check (purpose in ('join', 'sign-in', 'recover', 'sign-up', 'prove'));

update person set proven_at = created_at
 where exists (select from notification_digest) or exists (select from statement_mail)
    or exists (select from sign_up where sign_up.person_id = person.id)
    or exists (select from membership join audit_log on audit_log.merchant_id = membership.merchant_id
                where membership.person_id = person.id and audit_log.actor = 'person:' || person.id
                  and audit_log.action = 'person.joined' and audit_log.detail ->> 'invitedBy' = 'operator')
    or exists (select from audit_log
                where audit_log.merchant_id = 'operator' and audit_log.actor = 'person:' || person.id
                  and audit_log.action = 'staff.joined' and audit_log.detail ->> 'invitedBy' = 'operator');
