/**
 * A file of a bank, whatever it is. It is read twice: first whole, so that nothing of a file that will be refused reaches
 * anybody, and to learn what balances prove; then again as a stream of bookings, in the memory of a piece.
 */
import { createHash, type Hash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { decodeBankText } from './bank-encoding.ts';
import { type BankFileLimits, bankFileLimits } from './bank-file-limits.ts';
import { refused } from './bank-file-refused.ts';
import type { BankEntry, BankEvent, FileAnswer, MessageTold, StatementPart } from './bank-statement.ts';
import { type CountedPart, countEntry, noSums, type PartSums } from './counted-part.ts';
import { type BankStatement, joinPages } from './join-pages.ts';
import { type Recognised, recogniseMessage } from './recognise-message.ts';
import { turnedAround } from './settle-details.ts';
import { isZip, listZipMembers, slices } from './zip-members.ts';

export type BankDocument = {
  readonly name: string | null; // in a ZIP
  readonly digest: string; // SHA-256 of its bytes
  readonly message: MessageTold;
};

export type BookedEntry = {
  readonly document: BankDocument;
  readonly place: number; // of its part, in the order of the file
  readonly statement: BankStatement;
  readonly entry: BankEntry;
};
export type ToldAnswer = { readonly document: BankDocument; readonly answer: FileAnswer };

export type BankFile = {
  readonly documents: readonly BankDocument[];
  readonly statements: readonly BankStatement[];
  /** What each statement was put together from, in the order of the file: pages, or all of it. */
  readonly parts: readonly { readonly document: BankDocument; readonly statement: BankStatement }[];
  /** Every booking once, in the order of the file; reversals in the direction that the balances prove. */
  entries(): AsyncGenerator<BookedEntry>;
  answers(): AsyncGenerator<ToldAnswer>;
};

type Source = { readonly name: string | null; pieces(): Iterable<Uint8Array> };
type ReadPart = { readonly part: StatementPart; readonly sums: PartSums };
type ReadSource = Source & {
  readonly recognised: Recognised;
  readonly document: BankDocument;
  readonly parts: readonly ReadPart[];
};

const pieceBytes = 65_536;

/** Throws `DocumentRefused`, with one sentence, for whatever is not a file of a bank. */
export async function readBankFile(bytes: Uint8Array, limits: BankFileLimits = bankFileLimits): Promise<BankFile> {
  if (bytes.length > limits.bytesMax) throw tooLarge(bytes.length, limits);
  const sources: readonly Source[] = isZip(bytes)
    ? listZipMembers(bytes, limits)
    : [{ name: null, pieces: () => slices(bytes, pieceBytes) }];
  const counter = createCounter(limits);
  const read: ReadSource[] = [];
  for (const source of sources) read.push(await readSource(source, counter, limits));

  const counted = read.flatMap(({ document, parts }) => parts.map((each) => countedPart(document, each, parts.length)));
  const statements = joinPages(counted);
  return {
    documents: read.map(({ document }) => document),
    statements: [...new Set(statements)],
    parts: read
      .flatMap(({ document, parts }) => parts.map(() => document))
      .flatMap((document, place) => {
        const statement = statements[place];
        return statement ? [{ document, statement }] : [];
      }),
    async *entries() {
      let place = 0;
      for (const source of read)
        for await (const event of eventsOf(source, source.recognised, limits)) {
          const statement = statements[place];
          if (event.kind === 'part') place += 1;
          else if (event.kind === 'entry' && statement) {
            const isTurned = event.entry.isReversal && statement.reversals === 'opposite';
            yield {
              document: source.document,
              place,
              statement,
              entry: isTurned ? turnedAround(event.entry) : event.entry,
            };
          }
        }
    },
    async *answers() {
      for (const source of read.filter(({ document }) => document.message.kind === 'pain.002'))
        for await (const event of eventsOf(source, source.recognised, limits))
          if (event.kind === 'answer') yield { document: source.document, answer: event.answer };
    },
  };
}

function countedPart({ message }: BankDocument, { part, sums }: ReadPart, count: number): CountedPart {
  if (message.kind === 'pain.002') throw new Error('an answer has no statement');
  const { kind, page, createdAt } = message;
  return { kind, part, message: { page, day: createdAt?.slice(0, 10) ?? null, hasOthers: count > 1 }, sums };
}

async function readSource(source: Source, counter: Counter, limits: BankFileLimits): Promise<ReadSource> {
  const recognised = recogniseMessage(source.pieces, source.name);
  const hash = createHash('sha256');
  const parts: ReadPart[] = [];
  let message: MessageTold | null = null;
  let sums = noSums();
  for await (const event of eventsOf(source, recognised, limits, hash)) {
    counter(event);
    if (event.kind === 'entry') countEntry(sums, event.entry);
    else if (event.kind === 'message') message = event.message;
    else if (event.kind === 'part') {
      parts.push({ part: event.part, sums });
      sums = noSums();
    }
  }
  if (!message) throw new Error('a reader told no message');
  const document = { name: source.name, digest: hash.digest('hex'), message };
  return { name: source.name, pieces: source.pieces, recognised, document, parts };
}

/** Others get their turn after each piece: a large file must not keep a process from answering. */
async function* eventsOf(
  source: Source,
  { encoding, read }: Recognised,
  limits: BankFileLimits,
  hash?: Hash,
): AsyncGenerator<BankEvent> {
  const pieces = hash ? hashed(source.pieces(), hash) : source.pieces();
  for (const events of read(decodeBankText(pieces, encoding), limits)) {
    yield* events;
    await breathe();
  }
}

function* hashed(pieces: Iterable<Uint8Array>, hash: Hash): Generator<Uint8Array> {
  for (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

type Counter = (event: BankEvent) => void;

function createCounter({ entriesMax, statementsMax }: BankFileLimits): Counter {
  let [entries, statements] = [0, 0];
  return (event) => {
    if (event.kind === 'entry') entries += Math.max(1, event.entry.details.length + event.entry.unproven.length);
    if (event.kind === 'answer') entries += 1;
    if (event.kind === 'part') statements += 1;
    if (entries > entriesMax)
      throw refused(
        'bank_entries_too_many',
        `The file has more than ${entriesMax} bookings: ask the bank for shorter periods.`,
        {
          most: String(entriesMax),
        },
      );
    if (statements > statementsMax)
      throw refused(
        'bank_statements_too_many',
        `The file has more than ${statementsMax} statements: import it in parts.`,
        {
          most: String(statementsMax),
        },
      );
  };
}

const tooLarge = (bytes: number, { bytesMax }: BankFileLimits) =>
  refused('bank_file_too_large', `The file has ${bytes} bytes; at most ${bytesMax} are read.`, {
    bytes: String(bytes),
    most: String(bytesMax),
  });
