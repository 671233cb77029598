/** Keeps accepted documents as the service does, in memory: what a connector that is told in documents reads them from. */
import type { Connector } from '../../src/networks/port/connector.ts';
import type {
  AcceptedDocument,
  DocumentPiece,
  DocumentRecord,
  KnownDocuments,
  ReadDocument,
  ReadRecord,
  ToldValues,
} from '../../src/networks/port/documents.ts';
import type { ObserveContext } from '../../src/networks/port/receiving.ts';

export type Imported = { readonly document: ReadDocument; readonly records: readonly ReadRecord[] };

export type MemoryDocuments = ReturnType<typeof createMemoryDocuments>;

export function createMemoryDocuments() {
  const accepted: (AcceptedDocument & { readonly name: string })[] = [];
  const records: (DocumentRecord & { readonly likeness: string | null })[] = [];

  const those = (kinds: readonly string[], telling: Partial<ToldValues>) =>
    accepted.filter(
      ({ told }) =>
        kinds.includes(String(told['kind'])) && Object.entries(telling).every(([name, value]) => told[name] === value),
    );

  const known: KnownDocuments = {
    newest: async (kinds, telling) => those(kinds, telling ?? {}).at(-1) ?? null,
    lastCrediting: async (kinds) =>
      those(kinds, { isCrediting: true })
        .toSorted((a, b) => (String(a.told['to']) < String(b.told['to']) ? -1 : 1))
        .at(-1) ?? null,
    lastCorrection: async () => accepted.findLast(({ told }) => told['isCorrection'] === true) ?? null,
    creditedTo: async (day, kinds) => those(kinds, { isCrediting: true }).filter(({ told }) => told['to'] === day),
    shownAfter: async (day, kinds) =>
      those(kinds, { isCrediting: false }).filter(({ told }) => day === null || String(told['to']) > day),
    alike: async (contents) => accepted.filter(({ told }) => contents.includes(String(told['content']))),
    named: async (names) => accepted.filter(({ name }) => names.includes(name)),
    async counts(likenesses) {
      const asked = new Set(likenesses);
      const found = new Map<string, number>();
      for (const { likeness } of records)
        if (likeness !== null && asked.has(likeness)) found.set(likeness, (found.get(likeness) ?? 0) + 1);
      return found;
    },
  };

  return {
    accepted,
    records,
    known,
    /** Gives what was new; throws and changes nothing if the file is refused. */
    async import({ documents }: Connector, bytes: Uint8Array, isVouched = false): Promise<readonly Imported[]> {
      const fresh = ((await documents?.read(bytes, known, { isVouched })) ?? []).filter(
        ({ digest }) => !accepted.some((each) => each.digest === digest),
      );
      const imported: Imported[] = [];
      for (const document of fresh) {
        const read: ReadRecord[] = [];
        for await (const record of document.records()) read.push(record);
        imported.push({ document, records: read });
      }
      for (const each of imported) {
        const { name, digest, time, told } = each.document;
        const position = accepted.length + 1;
        accepted.push({ position, name, digest, time, told: asStored(told) });
        let number = 0;
        for (const { identity, likeness, told: of } of each.records)
          if (!records.some((known) => known.identity === identity))
            records.push({ position, number: ++number, identity, likeness, told: asStored(of) });
      }
      return imported;
    },
    context: ((request) => Promise.resolve(pieceOf(request))) satisfies ObserveContext['documents'],
  };

  function pieceOf({ after, recordsMost }: Parameters<ObserveContext['documents']>[0]): DocumentPiece {
    const isAfter = (each: { position: number; number: number }): boolean =>
      each.position > after.position || (each.position === after.position && each.number > after.number);
    const rest = records.filter(isAfter);
    const piece = rest.slice(0, recordsMost);
    const newest = accepted.length;
    const cut = rest[recordsMost];
    const last = cut ? (piece.at(-1)?.position ?? after.position) : newest;
    const inLast = records.filter(({ position }) => position === last);
    const end = cut
      ? { position: last, number: piece.at(-1)?.number ?? 0 }
      : { position: last === 0 ? after.position : last, number: inLast.at(-1)?.number ?? 0 };
    const isWhole = cut?.position !== last;
    const documents = accepted.filter(
      ({ position }) =>
        position <= end.position &&
        (position > after.position ||
          (position === after.position && after.number <= 0) ||
          piece.some((each) => each.position === position)),
    );
    return { documents, records: piece, end, isWhole, newest };
  }
}

const asStored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
