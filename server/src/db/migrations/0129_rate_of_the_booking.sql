-- Whether what is paid by bank is also credited in another asset, at the rate of the day on which it is booked.
--
-- Locks: adds a column with a constant default, for a moment. The previous release does not name it.
alter table merchant add column takes_rate_of_booking boolean not null default false;
