/**
 * What was brought while another kind of message credited was only shown. Where its own kind credits by now, and no other has
 * credited its days, it is taken when it is brought again, as a document of its own; and nothing is taken before it. Otherwise what
 * came in those days would be nobody's payment, and the operator's own money with the next balance.
 */
import { createHash } from 'node:crypto';
import type { Day } from '../../../lib/local-day.ts';
import type { AcceptedDocument, DocumentRefused, KnownDocuments } from '../../port/documents.ts';
import { early, quoted } from './bank-file-refused.ts';
import type { StatementKind } from './bank-statement.ts';
import { type StatementTold, statementOf } from './bank-told.ts';
import { storableName } from './statement-name.ts';

type Found = { readonly name: string; readonly digest: string; readonly isLate?: boolean };
/** As it was accepted. */
type Shown = { readonly position: number; readonly name: string; readonly told: StatementTold };

export type CreditedLate<T> = {
  readonly late: readonly T[];
  /** What comes before the first that is to be credited; null: nothing was accepted. */
  readonly before: StatementTold | null;
};

/** `ofKind`: all in a file of the kind that credits. `shownAs`: as what it was accepted, if it credited nothing. */
export async function creditLate<T extends Found>(
  ofKind: readonly T[],
  { isFresh, shownAs }: { isFresh(one: T): boolean; shownAs(one: T): AcceptedDocument | null },
  { kind, others }: { readonly kind: StatementKind; readonly others: readonly StatementKind[] },
  known: KnownDocuments,
): Promise<CreditedLate<T>> {
  const newest = ofKind.length === 0 ? null : statementOf((await known.newest([kind]))?.told ?? {});
  if (newest === null) return { late: [], before: null };
  const last = statementOf((await known.newest([kind, ...others], { isCrediting: true }))?.told ?? {});
  const base = last?.closing != null ? last : null;
  const due = await dueOf(base ?? (newest.isCrediting ? newest : null), { kind, others }, known);
  const places = new Map(due.map(({ position }, place) => [position, place]));
  const placeOf = (one: T): number | undefined => places.get(shownAs(one)?.position ?? 0);
  const late = ofKind.filter((one) => placeOf(one) !== undefined);
  const isNotice = kind === 'camt.054';
  const isBeginning = !newest.isCrediting || (isNotice && newest.isLate === true);
  if (isBeginning && late.length + ofKind.filter(isFresh).length > 0) {
    const brought = new Set(late.map(placeOf));
    const missing = due.filter((_, place) => !brought.has(place));
    // Balances hold what follows on the first to its order; notices have none.
    const isHeld = brought.has(0) && !(isNotice && ofKind.some(isFresh));
    if (missing.length > 0 && !isHeld) throw shownOnly(missing);
  }
  const first = due.find((_, place) => late.some((one) => placeOf(one) === place));
  const shownBefore = first && !newest.isCrediting ? emptyAt(first.told, first.told.opening) : newest;
  return { late: late.map(lateForm), before: base === null ? shownBefore : asBefore(base, kind) };
}

/** What was shown and is to be credited, in its order: what goes on from the last balance that counts, or what no other kind credited. */
async function dueOf(
  base: StatementTold | null,
  { kind, others }: { readonly kind: StatementKind; readonly others: readonly StatementKind[] },
  known: KnownDocuments,
): Promise<readonly Shown[]> {
  const credited = statementOf((await known.lastCrediting(others))?.told ?? {});
  const documents = await known.shownAfter(credited?.to ?? null, [kind]);
  const taken = new Set((await known.named(documents.map(({ name }) => lateName(name)))).map(({ name }) => name));
  const shown = documents
    .map(({ position, name, told }): Shown => ({ position, name, told: told as StatementTold }))
    .filter(({ name, told }) => !taken.has(lateName(name)) && isUncredited(told, credited?.to ?? null))
    .toSorted((a, b) => (a.told.to === b.told.to ? a.position - b.position : a.told.to < b.told.to ? -1 : 1));
  return base === null || kind === 'camt.054' ? shown : goingOn(shown, base);
}

/** None of its days is credited: of what another kind has told in part nobody knows which. */
const isUncredited = ({ bookedCount, firstDay }: StatementTold, creditedTo: Day | null): boolean =>
  bookedCount > 0 && firstDay !== undefined && (creditedTo === null || firstDay > creditedTo);

/** Each opens where the one before it closed. What does not was left out long ago: balances have gone over it. */
function goingOn(shown: readonly Shown[], { closing, to }: StatementTold): readonly Shown[] {
  const byOpening = Map.groupBy(
    shown.filter(({ told }) => told.to >= to),
    ({ told }) => told.opening,
  );
  const nextOf = (balance: string | null) => (balance === null ? undefined : byOpening.get(balance)?.shift());
  const following: Shown[] = [];
  for (let next = nextOf(closing); next; next = nextOf(next.told.closing)) following.push(next);
  return following;
}

const lateName = (name: string): string => storableName(`${name}, credited later`);

const lateForm = <T extends Found>(found: T): T => ({
  ...found,
  isLate: true,
  name: lateName(found.name),
  digest: createHash('sha256').update(`credited later ${found.digest}`).digest('hex'),
});

/** What was only shown since then is not before anything. Of another kind only the balance with which it ended is. */
const asBefore = (base: StatementTold, kind: StatementKind): StatementTold =>
  base.kind === kind ? base : emptyAt(base, base.closing);

/** As if one without bookings had ended with this balance, which was proven when it was accepted. */
const emptyAt = (
  { sequence: _sequence, page: _page, ...told }: StatementTold,
  units: string | null,
): StatementTold => ({
  ...told,
  opening: units,
  closing: units,
  bookedCount: 0,
  paymentCount: 0,
});

const namedMost = 5;

function shownOnly(missing: readonly Shown[]): DocumentRefused {
  const names = missing.slice(0, namedMost).map(({ name }) => quoted(name));
  const more = missing.length - names.length;
  return early(
    'bank_shown_only',
    `Accepted and only shown, because another kind of message credited then: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}. ` +
      'Import again what is named here, in this order, and then this: otherwise what came in those days is nobody’s payment.',
    { name: missing[0]?.name ?? '', more: String(missing.length - 1) },
  );
}
