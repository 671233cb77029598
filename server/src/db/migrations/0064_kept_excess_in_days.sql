-- An excess that was kept and that a chain took back is credited no longer: days that are closed are made anew by that
-- rule, so that all of them add up.
delete from day_position;
