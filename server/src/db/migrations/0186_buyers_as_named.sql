-- A checkout keeps the buyer as the shop named them for it. A customer is found again by e-mail address, and anybody can type
-- any address in a shop: what they type must change no order that is there, and must not show them what is known already.
--
-- `named`: what of `fields` was said since the customer was last posted by the e-mail address; null: by the previous release,
-- where all that is known counts. `buyer`: e-mail address and fields; null: nobody was named, what was known is erased, or
-- the previous release made it.
--
-- Locks: adds columns without a default, which takes no time. The previous release goes on without them.
alter table customer add column named jsonb;
alter table checkout add column buyer jsonb;
