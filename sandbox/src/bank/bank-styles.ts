/**
 * How banks differ in what they make of the same standard. A style is a value; each is in the image of what one kind of
 * bank really sends, under an invented name.
 */
import type { CamtVersion } from './statement-content.ts';

export type Encoding = 'UTF-8' | 'UTF-8 with mark' | 'ISO-8859-1' | 'UTF-16';

export type BankStyle = {
  readonly bankName: string;
  readonly version: CamtVersion;
  readonly encoding: Encoding;
  /** Before every name of an element; null: the namespace is that of the whole document. */
  readonly prefix: string | null;
  readonly hasComments: boolean;
  readonly isIndented: boolean;
  /** Of a sum of many payments: each with its details, or only how many they were. */
  readonly batches: 'detailed' | 'counted';
  /** Details have amounts of their own, or the reader must know that they are the entry's. */
  readonly detailAmounts: 'each' | 'none';
  /** What stands where a payer gave no name to the payment. */
  readonly missingEndToEndId: 'NOTPROVIDED' | 'left out';
  /** The bank's reference of an entry: its own, none, one for all of the day, or a word. */
  readonly entryReference: 'own' | 'left out' | 'shared' | 'NONREF';
  /** How long a line of text is before the next one begins. */
  readonly textLine: 35 | 140;
  /** All that is known in one sentence of the entry, and nothing in its fields. */
  readonly isWordy: boolean;
  /** The time that a statement is about is said, not only the days of its balances. */
  readonly hasPeriod: boolean;
  readonly openingCode: 'OPBD' | 'PRCD';
  /** Of a correction: the side on which it is booked, or that of the booking which it takes back. */
  readonly reversalSide: 'booked' | 'original';
  readonly hasLeadingZeros: boolean;
  readonly entriesPerPage: number | null;
  /** How several days are told: as one statement, as statements in one file, as files in a ZIP. */
  readonly days: 'one statement' | 'statements' | 'zip';
  readonly mt940: 'german' | 'free';
};

const plain: BankStyle = {
  bankName: 'Bankhaus Lindenhof',
  version: '08',
  encoding: 'UTF-8',
  prefix: null,
  hasComments: false,
  isIndented: false,
  batches: 'detailed',
  detailAmounts: 'each',
  missingEndToEndId: 'NOTPROVIDED',
  entryReference: 'own',
  textLine: 140,
  isWordy: false,
  hasPeriod: false,
  openingCode: 'OPBD',
  reversalSide: 'booked',
  hasLeadingZeros: false,
  entriesPerPage: null,
  days: 'one statement',
  mt940: 'german',
};

export const bankStyles: Readonly<Record<string, BankStyle>> = {
  plain,
  /** A savings bank in Germany. */
  sparkasse: {
    ...plain,
    bankName: 'Kreissparkasse Hinterwald',
    openingCode: 'PRCD',
    hasPeriod: true,
    isIndented: true,
    entryReference: 'shared',
    days: 'zip',
  },
  /** A large German bank with an old system behind the new one. */
  deutsche: {
    ...plain,
    bankName: 'Rheinische Handelsbank AG',
    version: '02',
    hasPeriod: true,
    encoding: 'ISO-8859-1',
    batches: 'counted',
    textLine: 35,
    entryReference: 'NONREF',
    reversalSide: 'original',
    entriesPerPage: 50,
  },
  /** A cooperative bank in the Netherlands. */
  rabobank: {
    ...plain,
    bankName: 'Boerenkrediet Zuiderzee',
    version: '02',
    openingCode: 'PRCD',
    days: 'statements',
    detailAmounts: 'none',
    missingEndToEndId: 'left out',
    mt940: 'free',
  },
  /** An institution on the web, whose texts are sentences for people. */
  wise: {
    ...plain,
    bankName: 'Overseas Pocket Ltd',
    version: '06',
    isIndented: true,
    hasComments: true,
    isWordy: true,
    missingEndToEndId: 'left out',
    entryReference: 'left out',
    mt940: 'free',
  },
  /** A bank of the north, whose programs like namespaces. */
  nordic: {
    ...plain,
    bankName: 'Fjordbanken ASA',
    version: '04',
    prefix: 'ns2',
    hasComments: true,
    encoding: 'UTF-16',
    hasLeadingZeros: true,
    entriesPerPage: 3,
  },
  /** The newest version, as a bank would send it that has just changed to it. */
  newest: { ...plain, bankName: 'Neubank Morgenrot', version: '13', encoding: 'UTF-8 with mark', hasPeriod: true },
};
