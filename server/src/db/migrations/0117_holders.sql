-- Whose account money goes to, where a network asks for it, as it was when the money was asked to leave: what is sent is
-- what was asked for and signed, whatever became of the beneficiary since. And of a target account, at which bank it is.
--
-- Locks: adds columns without a default, each for a moment. The previous release does not name them.
alter table target_account add column bic text;
alter table transfer add column holder jsonb;
alter table refund add column holder jsonb;
alter table unmatched_return add column holder jsonb;
alter table outgoing_transfer add column holder jsonb;
