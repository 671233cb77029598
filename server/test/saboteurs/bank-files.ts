/** Files of banks: accepted whole, once, in order, and for good. */
import type { Saboteur } from './saboteur.ts';

const files = 'server/test/bank-files.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'bank-files/import-bank-file.ts',
    fault: 'a booking that two documents tell is kept and paid twice',
    find: '!seen.has(identity) && seen.add(identity)',
    replace: 'seen.add(identity).has(identity)',
    noticedBy: files,
  },
  {
    file: 'bank-files/import-bank-file.ts',
    fault: 'a booking that one document tells twice is kept twice',
    find: '!seen.has(identity) && seen.add(identity)',
    replace: '!seen.has(identity)',
    noticedBy: files,
  },
  {
    file: 'bank-files/import-bank-file.ts',
    fault: 'a document with a known name and other bytes is let through',
    find: 'if (names.has(name)) throw nameTaken(name);',
    replace: 'if (names.has(`${name}?`)) throw nameTaken(name);',
    noticedBy: files,
  },
  {
    file: 'bank-files/import-bank-file.ts',
    fault: 'what is known of a file is not passed over',
    find: 'documents.filter(({ digest }) => !digests.has(digest))',
    replace: 'documents.filter(({ digest }) => !digests.has(`${digest}?`))',
    noticedBy: files,
  },
  {
    file: 'bank-files/import-bank-file.ts',
    fault: 'a file may be as large as it likes',
    find: 'file.bytes.length > deps.bankFileBytesMax',
    replace: 'file.bytes.length > deps.bankFileBytesMax * 2',
    noticedBy: files,
  },
  {
    file: 'bank-files/document-store.ts',
    fault: 'a piece that ends within a document says that it is whole',
    find: 'isWhole: passed.at(-1)?.records === end.number',
    replace: 'isWhole: passed.length > 0',
    noticedBy: files,
  },
  {
    file: 'bank-files/document-store.ts',
    fault: 'of a document that was begun the rest is never read',
    find: '(position = ${after.position} and record_count > ${after.number})',
    replace: '(position = ${after.position} and record_count < ${after.number})',
    noticedBy: files,
  },
  {
    file: 'bank-files/document-store.ts',
    fault: 'bookings behind a full piece are passed over',
    find: 'records.length === recordsMost && lastRecord',
    replace: 'records.length > recordsMost && lastRecord',
    noticedBy: files,
  },
  {
    file: 'bank-files/accept-store.ts',
    fault: 'the bytes of a file go before their time',
    find: 'where accepted_at < ${before}',
    replace: 'where accepted_at <= ${before}',
    noticedBy: files,
  },
  {
    file: 'bank-files/bank-file-bytes.ts',
    fault: 'a piece of one file opens as that of another',
    find: 'encryption.encryptBytes(piece, bankFileContext(fileId, number))',
    replace: "encryption.encryptBytes(piece, bankFileContext('', number))",
    noticedBy: files,
  },
  {
    file: 'bank-files/watch-folder.ts',
    fault: 'a file is taken while it is being written',
    find: 'seen.size > 0 && isSame(before.get(file), seen)',
    replace: 'seen.size > 0',
    noticedBy: files,
  },
  {
    file: 'bank-files/watch-folder.ts',
    fault: 'a file that is only too early is refused for good',
    find: "if (!isEarly) return moveTo('refused'",
    replace: "if (name !== '') return moveTo('refused'",
    noticedBy: files,
  },
  {
    file: 'bank-files/watch-folder.ts',
    fault: 'a file that came in the place of another one is put away unread',
    find: 'if (!now || !isSame(seen, now)) return',
    replace: 'if (!now) return',
    noticedBy: files,
  },
  {
    file: 'bank-files/watch-folder.ts',
    fault: 'what waits for another file never has its turn',
    find: 'return tried.newest !== null && tried.newest !== (await newestPosition(db, network));',
    replace: 'return tried.newest === null && (await newestPosition(db, network)) < 0;',
    noticedBy: files,
  },
  {
    file: 'bank-files/import-bank-file.ts',
    fault: 'whoever lost the turn while frozen leaves out what it did not see',
    find: 'if (written !== fresh.length) throw new Overtaken();',
    replace: 'if (written > fresh.length) throw new Overtaken();',
    noticedBy: files,
  },
  {
    file: 'people/staff-roles.ts',
    fault: 'who only looks imports what payments are credited for',
    find: "bank: row('proof', 'proof', 'no', 'no')",
    replace: "bank: row('proof', 'proof', 'no', 'proof')",
    noticedBy: files,
  },
];
