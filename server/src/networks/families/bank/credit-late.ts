/**
 * What was brought while another kind of message credited was only shown. Where its own kind credits by now, and no other has
 * credited its days, it is taken when it is brought again, as a document of its own; and nothing is taken before it. Otherwise what
 * came in those days would be nobody's payment, and the operator's own money with the next balance.
 */
import { createHash } from 'node:crypto';
import type { Day } from '../../../lib/local-day.ts';
import type { AcceptedDocument, KnownDocuments } from '../../port/documents.ts';
import { quoted, refused } from './bank-file-refused.ts';
import type { StatementKind } from './bank-statement.ts';
import { type StatementTold, statementOf } from './bank-told.ts';
import { storableName } from './statement-name.ts';

type Found = { readonly name: string; readonly digest: string };
/** `shown`: as it was accepted. */
type Shown<T> = { readonly found: T; readonly shown: AcceptedDocument; readonly told: StatementTold };

export type CreditedLate<T> = {
  readonly late: readonly T[];
  /** Before the first of them; null: what was accepted last is. */
  readonly before: StatementTold | null;
};

/** `ofKind`: all in a file of the kind that credits. `shownAs`: as what it was accepted, if it credited nothing. */
export async function creditLate<T extends Found>(
  ofKind: readonly T[],
  { isFresh, shownAs }: { isFresh(one: T): boolean; shownAs(one: T): AcceptedDocument | null },
  { kind, others }: { readonly kind: StatementKind; readonly others: readonly StatementKind[] },
  known: KnownDocuments,
): Promise<CreditedLate<T>> {
  if (ofKind.length === 0) return { late: [], before: null };
  const newest = statementOf((await known.newest([kind]))?.told ?? {});
  if (newest === null) return { late: [], before: null };
  const creditedTo = statementOf((await known.lastBy('to', others, { isCrediting: true }))?.told ?? {})?.to ?? null;
  const all = ofKind.flatMap((found): Shown<T>[] => {
    const shown = shownAs(found);
    const told = statementOf(shown?.told ?? {});
    return shown && told && isUncredited(told, creditedTo) ? [{ found: lateForm(found), shown, told }] : [];
  });
  const taken = new Set((await known.named(all.map(({ found }) => found.name))).map(({ name }) => name));
  const left = all.filter(({ found }) => !taken.has(found.name));
  if (newest.isCrediting) {
    const late = kind === 'camt.054' ? left : goingOn(left, newest.closing);
    return { late: late.map(({ found }) => found), before: null };
  }
  await demandNoneBefore(left, ofKind.some(isFresh), { kind, creditedTo }, known);
  const [first] = left.toSorted((a, b) => a.shown.position - b.shown.position);
  return { late: left.map(({ found }) => found), before: first ? emptyBefore(first.told) : null };
}

const isUncredited = ({ bookedCount, to }: StatementTold, creditedTo: Day | null): boolean =>
  bookedCount > 0 && (creditedTo === null || to > creditedTo);

const lateForm = <T extends Found>(found: T): T => ({
  ...found,
  name: storableName(`${found.name}, credited later`),
  digest: createHash('sha256').update(`credited later ${found.digest}`).digest('hex'),
});

/** Each opens where the one before it closed. What does not was left out long ago: balances have gone over it. */
function goingOn<T>(left: readonly Shown<T>[], closing: string | null): readonly Shown<T>[] {
  const byOpening = Map.groupBy(left, ({ told }) => told.opening);
  const nextOf = (balance: string | null) => (balance === null ? undefined : byOpening.get(balance)?.shift());
  const late: Shown<T>[] = [];
  for (let next = nextOf(closing); next; next = nextOf(next.told.closing)) late.push(next);
  return late;
}

/** As if one without bookings had ended where it begins: that was proven when it was accepted. */
const emptyBefore = (told: StatementTold): StatementTold => ({
  ...told,
  page: null,
  closing: told.opening,
  bookedCount: 0,
  paymentCount: 0,
});

/** The first time that this kind credits. Notices follow on nothing, so all of them are named before a new one is taken. */
async function demandNoneBefore(
  left: readonly Shown<unknown>[],
  hasFresh: boolean,
  { kind, creditedTo }: { readonly kind: StatementKind; readonly creditedTo: Day | null },
  known: KnownDocuments,
): Promise<void> {
  if (left.length === 0 && !hasFresh) return;
  const brought = new Set(left.map(({ shown }) => shown.position));
  const shown = (await known.later('to', creditedTo, [kind], { isCrediting: false })).filter(({ told }) =>
    isUncredited(statementOf(told) as StatementTold, creditedTo),
  );
  const missing = shown.filter(({ position }) => !brought.has(position));
  const [first] = shown;
  const isInOrder = kind === 'camt.054' ? !hasFresh : first === undefined || brought.has(first.position);
  if (missing.length === 0 || isInOrder) return;
  const names = missing.slice(0, namedMost).map(({ name }) => quoted(name));
  const more = missing.length - names.length;
  throw refused(
    'bank_shown_only',
    `Accepted and only shown, because another kind of message credited then: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}. ` +
      'Import again what is named here, in this order, and then this: otherwise what came in those days is nobody’s payment.',
    { name: missing[0]?.name ?? '', more: String(missing.length - 1) },
  );
}

const namedMost = 5;
