-- At each import it is asked what was told last of those messages that credit, up to which day, and under which number. A bank
-- that sends a notice of each payment sends a hundred thousand, and all of them were read for each further one. What a person
-- vouches for is looked for as often.
--
-- A number may be as long as any text of a file, and no index takes that: so it has its hash.
--
-- Locks: the indexes let nobody write to bank_document until they are made, less than a second for a hundred thousand
-- documents. The previous release runs on, as slowly as before.
create index bank_document_crediting on bank_document (network, kind, (told ->> 'isCrediting'), position);
create index bank_document_day on bank_document
  (network, kind, (told ->> 'isCrediting'), (told ->> 'to') collate "C", position);
create index bank_document_correction on bank_document (network, position) where told ->> 'isCorrection' = 'true';
create index bank_document_sequence on bank_document
  (network, kind, (told ->> 'isCrediting'), md5(told ->> 'sequence'), position);
