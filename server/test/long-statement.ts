/** A statement of many bookings, one like the other, as bytes: for what is long or fast. */
import { camtPieces, type WrittenEntry } from './write-bank-statement.ts';

const entry = (number: number): WrittenEntry => ({
  direction: 'credit',
  isReversal: false,
  status: 'BOOK',
  bookingDay: '2026-03-02',
  valueDay: '2026-03-02',
  servicerRef: `2026061${number}`,
  text: null,
  details: [
    {
      units: 100n,
      endToEndId: null,
      txId: `TX${number}`,
      name: `Erika Beispiel ${number}`,
      iban: 'DE22200411110123456789',
      bic: 'COBADEFFXXX',
      references: [],
      texts: [`Bestellung ${number} vom 28.02. RF05 QX7K M2WT 9ZPA`],
    },
  ],
});

export function longStatement(count: number): Uint8Array {
  const entries = { [Symbol.iterator]: () => Iterator.from(numbers(count)).map(entry) };
  const statement = { id: 'LONG', sequence: 1, iban: 'DE67500502011234567890', currency: 'EUR', opening: 0n };
  const form = { kind: 'camt.053', version: 8, prefix: '', isPretty: true, reversalsAreTurned: false } as const;
  const pieces = [...camtPieces({ ...statement, entries }, form, BigInt(count) * 100n)];
  return Buffer.from(pieces.join(''));
}

function* numbers(count: number): Generator<number> {
  for (let number = 0; number < count; number += 1) yield number;
}
