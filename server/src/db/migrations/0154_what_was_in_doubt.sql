-- A correction of the bank asks which movements ever named the payments of a statement, also those that were explained since. The index
-- of 0152 has the open ones only, so all movements of a network were read for each piece of a statement. Few name a payment at all.
--
-- Locks: the index lets nobody write to network_movement until it is made, less than a second for a hundred thousand rows. What asked the
-- index before asks this one, the previous release too.
create index network_movement_named on network_movement using gin (about) with (fastupdate = off)
 where about <> '{}';
drop index network_movement_about;
