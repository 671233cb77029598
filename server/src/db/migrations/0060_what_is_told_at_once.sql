-- Who chooses to be told of a kind of item at once is told of what begins after that; what waits already is in the next
-- summary. So the moment of the choice is kept.
--
-- Locks: adds a column without a value to notification_choice, for a moment. The previous release leaves it empty, as do
-- choices that change nothing: such a choice counts from the beginning.
alter table notification_choice add column chosen_at timestamptz;
