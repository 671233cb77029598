-- Receipts and papers that somebody of the shop sends again have a row like every mail to a customer: `cause` is when it was asked
-- for, before it of a paper its id. So they are counted, sent once, and known again when they come back.
--
-- Of a receipt that a payer asks for, too, it is known which message it was and to whom: `id` is in the Message-ID, drawn, as anybody who
-- has a link knows the checkout's. Null in rows of before, and in those that the previous release writes.
--
-- Locks: status_mail, short; email until its index is built, about a second for a million.
alter table status_mail drop constraint status_mail_kind_check;
alter table status_mail add constraint status_mail_kind_check
  check (kind in ('created', 'paid', 'underpaid', 'expired', 'refunded', 'receipt', 'paper'));

alter table email
  add column id text,
  add column address_hash text,
  add column reason text,                        -- why it was refused or came back: a word of ours
  add column bounced_at timestamptz;
create unique index email_id on email (id) where id is not null;
