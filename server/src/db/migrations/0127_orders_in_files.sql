-- Banks are paid by files that a person hands over. Each payment of a file is a transaction of its own, which names the
-- file in its trace; it is done only when the network calls its booking safe, because until then it often comes back.
--
-- Locks: the column has no default; the index lets nobody write to `outgoing_transaction` until it is built, about a second for a
-- million. The previous release signs no orders and does not name the column.
alter table outgoing_transaction
  add column until text check (until in ('safe'));

create index outgoing_transaction_file on outgoing_transaction (network, (trace ->> 'file'))
  where trace ? 'file';
