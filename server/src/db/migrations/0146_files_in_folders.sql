-- Files of banks that lie in a folder and were not accepted: too early, refused, or not to be read or moved. The folder is on the
-- disk of one process; staff read of it at another's pages, and are told that it needs them. A file that waits is written down
-- again every minute while somebody sees it there, so that what nobody sees any more is not shown for long.
--
-- Locks: creates a table only. The previous release does not know it.
create table bank_folder_file (
  network text not null,
  name    text not null,                         -- in the bank's own folder
  state   text not null check (state in ('WAITS', 'REFUSED', 'STUCK')),
  why     text not null,                         -- a sentence
  since   timestamptz not null,
  seen_at timestamptz not null,
  primary key (network, name)
);
