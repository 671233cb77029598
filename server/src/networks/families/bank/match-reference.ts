/**
 * Whom a bank's booking is for, by its texts alone. Banks cut, join, upper-case and decorate what a payer wrote, so every
 * run of twelve characters may be a reference of ours. Two steps, so that one look-up serves a whole file: `referenceCandidates`
 * says what to look up, `matchReference` decides by what was found. The amount never decides.
 *
 * People and machines take O for 0 and I for 1, and ids use all four. So references are looked up folded, by `foldedReference`
 * on both sides; what is found is then told apart by how it was really spelt.
 */
import { rfBodyLength, rfCheckDigits } from './rf-reference.ts';

export type ReferenceCandidates = {
  /** What to look up, folded, each once: first what stands behind `RF` and right check digits, then all others. */
  readonly folded: readonly string[];
  /** The same as they were spelt. */
  readonly spelt: ReadonlySet<string>;
};

/** A name under which a target of ours is known: that in its reference, or the id of its checkout. */
export type KnownReference = { readonly id: string; readonly targetKey: string };

export type ReferenceMatch =
  | { readonly kind: 'matched'; readonly targetKey: string }
  /** none: no text names a target. several: the texts name more than one, or what they name could be either of two. */
  | { readonly kind: 'unmatched'; readonly why: 'none' | 'several'; readonly targetKeys: readonly string[] };

/**
 * More than banks deliver of one booking (four lines of 35, and the same again in other fields); of longer texts, the rest
 * is looked through only for whole RF references.
 */
const charactersMost = 2_000;
const charactersOfRfMost = 100_000;

/** How a reference is looked up, whoever wrote it. */
export const foldedReference = (text: string): string =>
  text.toUpperCase().replaceAll('O', '0').replaceAll('I', '1').toLowerCase();

/** `texts`: all of one booking, in the bank's order, because what was cut in one field may go on in the next. */
export function referenceCandidates(texts: readonly string[]): ReferenceCandidates {
  const text = squeezed(texts);
  const spelt = new Set<string>();
  for (const [, digits = '', body = ''] of text.matchAll(/(?=RF(\d\d)([A-Z0-9]{12}))/g))
    if (rfCheckDigits(body) === digits) spelt.add(body.toLowerCase());
  for (let from = 0; from + rfBodyLength <= Math.min(text.length, charactersMost); from += 1)
    spelt.add(text.slice(from, from + rfBodyLength).toLowerCase());
  return { folded: [...new Set(Array.from(spelt, foldedReference))], spelt };
}

/**
 * `known`: what the look-up found, by `foldedReference`. Something that is spelt exactly like one target is that one,
 * though folded it could be another as well.
 */
export function matchReference(
  { folded, spelt }: ReferenceCandidates,
  known: ReadonlyMap<string, readonly KnownReference[]>,
): ReferenceMatch {
  const hits = folded.flatMap((each) => {
    const alike = known.get(each) ?? [];
    const exact = alike.filter(({ id }) => spelt.has(id.toLowerCase()));
    return exact.length > 0 ? exact : alike;
  });
  const targetKeys = [...new Set(hits.map(({ targetKey }) => targetKey))];
  const [only, ...others] = targetKeys;
  if (only === undefined) return { kind: 'unmatched', why: 'none', targetKeys };
  return others.length === 0 ? { kind: 'matched', targetKey: only } : { kind: 'unmatched', why: 'several', targetKeys };
}

/** What a look-up found, in the form in which `matchReference` wants it. */
export const knownByFolded = (found: readonly KnownReference[]): ReadonlyMap<string, readonly KnownReference[]> =>
  Map.groupBy(found, ({ id }) => foldedReference(id));

/** Letters without their marks, upper-case, and digits; nothing between them. A Turkish bank writes İ for i. */
const squeezed = (texts: readonly string[]): string =>
  texts
    .join('')
    .slice(0, charactersOfRfMost)
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '');
