-- What a chain takes back is worth what was credited, and one paid order less: days that are closed are made anew by that
-- rule, so that all of them add up.
delete from day_position;
