-- A place of a payment link that a bank transfer keeps is free again after a day: which checkouts of links wait for money is
-- asked whenever places are counted, and a link may have a hundred thousand that were paid.
--
-- Locks: the index lets nobody write to checkout until it is made, about a second for a million checkouts. The previous
-- release knows nothing of it and runs on.
create index checkout_waiting_of_links on checkout (merchant_id, id) where origin = 'PAYMENT_LINK' and state = 'PENDING';
