-- Where a network tells the day of a payment and no hour, as banks do: when that day began. By it a payment is late or not, because
-- nobody knows the hour, and whoever was booked on the last day of the time to pay was in time. What was stored before this
-- has none, and counts as it did.
--
-- Locks: adds columns without a default, for a moment. The previous release does not name them.
alter table payment add column day_began_at timestamptz;
alter table unmatched_payment add column day_began_at timestamptz;
