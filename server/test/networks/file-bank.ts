/**
 * A bank that is told in files, for stories about how files come in. Its files are JSON: documents, each with a name, an
 * opening balance and bookings. It reads them as strictly as a real one: what does not follow on the last is too early, and
 * what does not add up is refused. It remembers nothing: what it observes it has from the service.
 */
import { createHash } from 'node:crypto';
import { told } from '../../src/lib/errors.ts';
import type { Connector } from '../../src/networks/port/connector.ts';
import { type AcceptedDocument, DocumentRefused, type ReadDocument } from '../../src/networks/port/documents.ts';
import type { BlockRef } from '../../src/networks/port/receiving.ts';
import { bankNetwork } from './test-bank.ts';

export type Booking = { readonly id: string; readonly text: string; readonly cents: number };
/** Without an opening balance it is a report: what it tells is told again by a statement. */
export type Statement = {
  readonly name: string;
  readonly opening: number | null;
  readonly bookings: readonly Booking[];
};

export const fileOf = (...statements: readonly Statement[]): Buffer => Buffer.from(JSON.stringify(statements));

export const sumOf = (bookings: readonly Booking[]): number => bookings.reduce((sum, { cents }) => sum + cents, 0);

const day = (name: string): Date => new Date(`${name}T23:59:59Z`);
const refused = (code: string, sentence: string, isEarly = false): DocumentRefused =>
  new DocumentRefused(told(code, sentence), { isEarly });

/** Names of statements are days. `recordsMost`: how many bookings are looked at at once. */
export function createFileBank({ recordsMost = 3 }: { readonly recordsMost?: number } = {}): Connector {
  const toDocument = ({ name, opening, bookings }: Statement): ReadDocument => ({
    name,
    digest: createHash('sha256').update(JSON.stringify({ name, opening, bookings })).digest('hex'),
    time: day(name),
    told: {
      kind: opening === null ? 'report' : 'statement',
      closing: opening === null ? null : opening + sumOf(bookings),
    },
    closingUnits: opening === null ? null : BigInt(opening + sumOf(bookings)),
    async *records() {
      for (const { id, text, cents } of bookings)
        yield {
          identity: id,
          likeness: `${text} ${cents}`,
          kind: cents < 0 ? 'fee' : 'payment-in',
          units: BigInt(cents),
          note: text,
          told: { text, cents },
        };
    },
  });
  const blockOf = ({ digest, position, time }: AcceptedDocument): BlockRef => ({
    hash: digest,
    height: position,
    time,
  });

  return {
    network: bankNetwork,
    createTarget: async ({ reference }) => ({
      key: reference,
      address: 'DE02120300000000202051',
      memo: reference,
      memoType: 'text',
    }),
    documents: {
      async read(bytes, known) {
        let statements: readonly Statement[];
        try {
          statements = JSON.parse(Buffer.from(bytes).toString()) as Statement[];
        } catch {
          throw refused('no_statement', 'This is no file of a bank.');
        }
        const documents = statements.map(toDocument);
        const seen = new Set((await known.named(documents.map(({ name }) => name))).map(({ name }) => name));
        let closing = Number((await known.newest(['statement']))?.told['closing'] ?? 0);
        for (const { name, opening, bookings } of statements) {
          if (seen.has(name) || opening === null) continue;
          if (opening !== closing) throw refused('gap', `The statement before ${name} is missing.`, true);
          closing = opening + sumOf(bookings);
        }
        return documents;
      },
    },
    async observe(cursor, context) {
      const after = (cursor?.['place'] ?? { position: 0, number: 0 }) as { position: number; number: number };
      const { documents, records, end, isWhole, newest } = await context.documents({ after, recordsMost });
      const before = (cursor?.['tip'] ?? { digest: 'none', position: 0, time: day('2026-01-01') }) as AcceptedDocument;
      const last = documents.at(-1);
      const kept = last ? { digest: last.digest, position: last.position, time: last.time } : before;
      const blocks = new Map(documents.map((document) => [document.position, blockOf(document)]));
      const observations = records.map(({ position, identity, told: { text, cents } }) => ({
        targetKey: String(text),
        txHash: identity,
        index: '0',
        assetCode: 'EUR',
        units: BigInt(Number(cents)),
        block: blocks.get(position) as BlockRef,
        trace: {},
      }));
      const targets = await context.knownTargets(observations.map(({ targetKey }) => targetKey));
      const tip = blockOf({ ...kept, time: new Date(kept.time), told: {} });
      return {
        observations: observations.filter(({ targetKey, units }) => units > 0n && targets.has(targetKey)),
        unmatched: observations
          .filter(({ targetKey, units }) => units > 0n && !targets.has(targetKey))
          .map(({ targetKey: memo, ...arrival }) => ({ ...arrival, sender: null, memo })),
        otherMovements: observations
          .filter(({ units }) => units < 0n)
          .map(({ txHash: key, assetCode, units, block }) => ({
            key,
            kind: 'FEE' as const,
            assetCode,
            units,
            block,
            note: null,
          })),
        vanishedBlocks: [],
        vanishedArrivals: [],
        tip,
        finalHeight: 0,
        cursor: {
          place: end,
          tip: kept,
          // Only a whole statement says what there is.
          held: isWhole ? (last ? last.told['closing'] : (cursor?.['held'] ?? 0)) : null,
        },
        isCaughtUp: isWhole && end.position === newest,
        blocksBehind: newest - end.position,
      };
    },
    async holdings({ cursor }) {
      const held = cursor?.['held'];
      return typeof held === 'number' ? [{ assetCode: 'EUR', units: BigInt(held) }] : [];
    },
  };
}
