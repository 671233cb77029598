/**
 * The bookings of one statement of a file, which may have thousands of them. A file is read from its beginning to its end:
 * whoever asks for its statements one after the other gets them all in one reading, and for one that was passed, it is
 * read again.
 */
import type { BankEntry } from './bank-statement.ts';
import type { BankStatement } from './join-pages.ts';
import type { BankFile, BookedEntry } from './read-bank-file.ts';

export type StatementEntries = (statement: BankStatement) => AsyncGenerator<BankEntry>;

export function createStatementEntries(file: BankFile): StatementEntries {
  const places = new Map<BankStatement, { first: number; last: number }>();
  for (const [place, { statement }] of file.parts.entries()) {
    const known = places.get(statement);
    if (known) known.last = place;
    else places.set(statement, { first: place, last: place });
  }
  let reading: Reading | null = null;

  return async function* entriesOf(statement) {
    const { first, last } = places.get(statement) ?? { first: 0, last: -1 };
    if (!reading || reading.isBusy || reading.next > first) reading = beginReading(file.entries());
    const own = reading;
    own.isBusy = true;
    let isOver = false;
    while (!isOver) {
      const booked: BookedEntry | null = own.held ?? (await own.read());
      own.held = null;
      isOver = booked === null || booked.place > last;
      if (booked && isOver) own.held = booked;
      else if (booked?.statement === statement) yield booked.entry;
    }
    own.next = last + 1;
    own.isBusy = false;
  };
}

/** `next`: no part before it can be had any more. `isBusy`: somebody is within a statement, or left it halfway. */
type Reading = { next: number; isBusy: boolean; held: BookedEntry | null; read(): Promise<BookedEntry | null> };

function beginReading(entries: AsyncGenerator<BookedEntry>): Reading {
  return {
    next: 0,
    isBusy: false,
    held: null,
    async read() {
      const { value, done } = await entries.next();
      return done === true ? null : value;
    },
  };
}
