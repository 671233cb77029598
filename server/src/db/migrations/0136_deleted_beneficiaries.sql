-- A beneficiary who is deleted loses what was known of them at once: name, address, telephone, tax number. Transfers that were
-- made keep the name that they went to in rows of their own. Those who were deleted before lose it now.
--
-- Locks: the rows of deleted beneficiaries, which nobody reads. The previous release only marks them as deleted, and runs on.
update beneficiary set fields = '{}'::jsonb, meta = null where deleted_at is not null;
