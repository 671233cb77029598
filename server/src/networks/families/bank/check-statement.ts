/**
 * A statement that does not add up is not a statement. Each rule is checked by itself, and the first that is broken refuses
 * the file whole, in a sentence that says what would be right. What a bank leaves out is taken for what the sums prove.
 */
import type { Day } from '../../../lib/local-day.ts';
import { formatFixed, fromUnits } from '../../../money/decimal.ts';
import { early, quoted, refused } from './bank-file-refused.ts';
import type { AccountTold } from './bank-statement.ts';
import { currencyDecimals } from './currency-decimals.ts';
import type { BankStatement, ReversalMeaning } from './join-pages.ts';
import { statementName } from './statement-name.ts';

/** Which account is ours. `others`: what the bank calls it besides, where it does not write the IBAN. */
export type OurAccount = {
  readonly iban: string | null;
  readonly others: readonly string[];
  readonly currency: string;
};

/** How the last accepted one of its kind closed. */
export type Closed = {
  /** Null: it told no balance. */
  readonly units: bigint | null;
  readonly day: Day | null;
  /** The last page of it; null or left out: it has none. */
  readonly page?: PagePlace | null;
};

/** `of`: by what the pages of a statement are known. */
export type PagePlace = { readonly of: string; readonly number: number };

/** What is proven of it, by its own balances or by those that were accepted. */
export type ProvenStatement = {
  readonly statement: BankStatement;
  /** Units; null: nothing says what lay there before. */
  readonly opening: bigint | null;
  readonly reversals: ReversalMeaning;
};

/** Statements prove balances; a report within the day does where it has them, a notice never. */
const isStatement = ({ kind }: BankStatement): boolean => kind === 'camt.053' || kind === 'mt940';

/** `proofs`: what the account held, as other kinds of messages told last. */
export function checkStatement(
  statement: BankStatement,
  account: OurAccount,
  previous: Closed | null,
  proofs: readonly bigint[] = [],
): ProvenStatement {
  checkAccount(statement, account);
  checkCurrency(statement, account.currency);
  checkPages(statement, previous);
  checkSum(statement);
  const proven = proveOpening(statement, previous?.units ?? null, proofs);
  checkOpening(proven, previous);
  return proven;
}

/**
 * All statements of a file, oldest first, each against the one before; the first against what was accepted before. Gives
 * them in this order.
 */
export function checkStatements(
  statements: readonly BankStatement[],
  account: OurAccount,
  previous: Closed | null,
  proofs: readonly bigint[] = [],
): readonly ProvenStatement[] {
  const ordered = inSequence([...statements].sort(byAge), previous?.units ?? null);
  const seen = new Set<string>();
  let before = previous;
  return ordered.map((statement) => {
    const name = statementName(statement);
    if (seen.has(name))
      throw refused('bank_statement_twice', `The statement ${named(statement)} is in the file twice: leave one out.`);
    seen.add(name);
    const proven = checkStatement(statement, account, before, proofs);
    const { closing } = statement;
    const isProof = isStatement(statement) && closing !== null;
    before = {
      units: isProof ? closing.units : (before?.units ?? null),
      day: isProof ? closing.day : (before?.day ?? null),
      page: lastPageOf(statement),
    };
    return proven;
  });
}

/** Null: nothing more of it is to come. */
export function lastPageOf({ pages, pagesOf }: BankStatement): PagePlace | null {
  const last = pages.at(-1);
  return last && !last.isLast && pagesOf !== null ? { of: pagesOf, number: last.number } : null;
}

const ageOf = ({ closing, period }: BankStatement): Day => closing?.day ?? period.to ?? '';
const numberOf = ({ sequence }: BankStatement): number =>
  sequence !== null && /^\d{1,15}$/.test(sequence) ? Number(sequence) : 0;
/** Sorting is stable: where neither says which is older, the order of the file does. */
const byAge = (a: BankStatement, b: BankStatement): number => {
  if (ageOf(a) !== ageOf(b)) return ageOf(a) < ageOf(b) ? -1 : 1;
  const pageOf = ({ pages }: BankStatement): number => pages[0]?.number ?? 0;
  return numberOf(a) - numberOf(b) || pageOf(a) - pageOf(b);
};

/** Of one day each follows on another, by its balance; where several do, or none, as they are numbered. */
function inSequence(ordered: readonly BankStatement[], held: bigint | null): readonly BankStatement[] {
  const sorted: BankStatement[] = [];
  let balance = held;
  for (const day of Map.groupBy(ordered, ageOf).values()) {
    const all = day.map((statement) => ({ statement, isLeft: true }));
    const byOpening = Map.groupBy(all, ({ statement }) => openingOf(statement));
    const nextOf = (some: typeof all) => {
      while (some[0]?.isLeft === false) some.shift();
      return some[0];
    };
    for (let next = nextOf(all); next; next = nextOf(all)) {
      const following = nextOf(byOpening.get(balance) ?? []) ?? next;
      following.isLeft = false;
      sorted.push(following.statement);
      balance = following.statement.closing?.units ?? balance;
    }
  }
  return sorted;
}

const openingOf = (statement: BankStatement): bigint | null =>
  statement.opening?.units ?? possibleOpenings(statement)[0]?.opening ?? null;

const named = ({ id, sequence }: BankStatement): string => quoted(id || sequence || '');

function checkAccount(statement: BankStatement, account: OurAccount): void {
  if (isOurs(statement.account, account)) return;
  const [theirs, ours] = [
    statement.account.iban ?? statement.account.other ?? '',
    account.iban ?? account.others[0] ?? '',
  ];
  throw refused(
    'bank_account_foreign',
    `The statement ${named(statement)} is of the account ${quoted(theirs)}; it must be of ${ours}.`,
    {
      account: theirs,
      ours,
    },
  );
}

const squeezed = (text: string): string => text.replaceAll(/[^0-9a-z/]/gi, '').toUpperCase();

function isOurs({ iban, other }: AccountTold, ours: OurAccount): boolean {
  if (iban !== null) return iban === ours.iban;
  if (other === null) return false;
  return ours.others.some((each) => squeezed(each) === squeezed(other)) || isGermanForm(other, ours.iban);
}

/** `10020030/1234567`: bank code and account number, which a German IBAN consists of. */
function isGermanForm(other: string, iban: string | null): boolean {
  const [, bank, number] = /^(\d{8})\/0*(\d{1,10})$/.exec(other.replaceAll(' ', '')) ?? [];
  return (
    bank !== undefined &&
    number !== undefined &&
    iban?.startsWith('DE') === true &&
    iban.slice(4) === bank + number.padStart(10, '0')
  );
}

function checkCurrency(statement: BankStatement, currency: string): void {
  const found = new Set(statement.currencies);
  if (statement.currency !== null) found.add(statement.currency);
  const foreign = [...found].find((each) => each !== currency);
  if (foreign !== undefined)
    throw refused(
      'bank_currency_foreign',
      `The statement ${named(statement)} has amounts in ${foreign}; all of it must be in ${currency}.`,
      {
        foreign,
        currency,
      },
    );
}

/** Pages that come without the others are taken in their order, where each has the balances that prove it. */
function checkPages(statement: BankStatement, previous: Closed | null): void {
  const { pages, pagesOf, opening, closing, kind } = statement;
  // Their numbers are not to be trusted, and pages on which as much left as came are known by no balance: alone they could come twice.
  if (kind === 'mt940' && (opening?.isInterim || closing?.isInterim))
    throw refused(
      'bank_page_missing',
      `The statement ${named(statement)} begins or ends within another one (:60M:, :62M:): import all of its pages together, as one ZIP.`,
      { page: '0' },
    );
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last) return;
  const numbers = pages.map(({ number }) => number);
  const twice = numbers.find((number, place) => numbers[place - 1] === number);
  if (twice !== undefined)
    throw refused(
      'bank_page_twice',
      `Page ${twice} of the statement ${named(statement)} is there twice: leave one out.`,
      { page: String(twice) },
    );
  const gap = numbers.findIndex((number, place) => number !== first.number + place);
  if (gap !== -1) throw pageMissing(statement, first.number + gap);
  if (pages.some(({ isLast }) => isLast && !last.isLast) || pages.filter(({ isLast }) => isLast).length > 1)
    throw refused(
      'bank_page_missing',
      `The statement ${named(statement)} goes on after its last page: get it from the bank again.`,
      { page: '0' },
    );
  const isFollowing = pagesOf !== null && previous?.page?.of === pagesOf && previous.page.number === first.number - 1;
  const begins = first.number === 1 || opening === null || opening.isInterim;
  const ends = last.isLast || closing?.isInterim === true;
  const isProven = kind === 'camt.054' || (begins && ends && closing !== null);
  if (first.number > 1 && !(isFollowing && isProven)) {
    const isLater = previous === null || previous.day === null || ageOf(statement) >= previous.day;
    throw pageMissing(statement, first.number - 1, isProven && isLater);
  }
  if (!last.isLast && !isProven) throw pageMissing(statement, last.number + 1);
}

const pageMissing = (statement: BankStatement, number: number, isEarly = false) =>
  (isEarly ? early : refused)(
    'bank_page_missing',
    `Page ${number} of the statement ${named(statement)} is missing: import ${isEarly ? 'it first, or ' : ''}all of its pages ` +
      'together, as one ZIP.',
    { page: String(number) },
  );

function checkSum(statement: BankStatement): void {
  const { opening, closing, booked, currency } = statement;
  if (!closing && isStatement(statement)) {
    const what = 'closing balance (CLBD, :62F:)';
    throw refused(
      'bank_balance_missing',
      `The statement ${named(statement)} has no ${what}: get it from the bank again.`,
      { what },
    );
  }
  if (!opening || !closing) return;
  const due = opening.units + booked;
  if (due === closing.units) return;
  const text = (units: bigint): string => amountText(units, currency ?? '');
  throw refused(
    'bank_sum_wrong',
    `The statement ${named(statement)} opens with ${text(opening.units)} and its bookings come to ${text(booked)}, so it must ` +
      `close with ${text(due)}, but it closes with ${text(closing.units)}: bookings are missing or there twice.`,
    { opening: text(opening.units), booked: text(booked), due: text(due), closing: text(closing.units) },
  );
}

/**
 * Where it does not say with what it opens, its bookings do, if that is what the account held by what was told before. Of the
 * first one nothing was: a booking that is missing in it would be taken for the operator's own. But an account began with nothing.
 */
function proveOpening(statement: BankStatement, previous: bigint | null, proofs: readonly bigint[]): ProvenStatement {
  const { opening, reversals } = statement;
  if (opening || !isStatement(statement)) return { statement, opening: opening?.units ?? null, reversals };
  const possible = possibleOpenings(statement);
  const held = previous === null ? [...proofs, 0n] : [previous];
  const found = possible.find(({ opening: units }) => held.includes(units)) ?? (previous === null ? null : possible[0]);
  if (found) return { statement, ...found };
  throw refused(
    'bank_opening_unproven',
    `The statement ${named(statement)} has no opening balance (OPBD, PRCD, :60F:), and nothing that was accepted proves what it ` +
      'is: begin with one that has it or that goes back to when the account was opened, or first import an MT940 that ends ' +
      'where this one begins.',
  );
}

/** By its bookings it opens so, whichever way what it takes back was booked. */
export function possibleOpenings({ closing, booked, reversed, reversals }: BankStatement) {
  if (!closing) return [];
  const asTold = { opening: closing.units - booked, reversals };
  if (reversals !== 'undecided' || reversed === 0n) return [asTold];
  return [
    { opening: asTold.opening, reversals: 'as-marked' as const },
    { opening: asTold.opening + 2n * reversed, reversals: 'opposite' as const },
  ];
}

function checkOpening(proven: ProvenStatement, previous: Closed | null): void {
  const { statement } = proven;
  if (!isStatement(statement)) return;
  if ((previous?.units ?? null) === null && statement.opening?.isInterim)
    throw refused(
      'bank_begins_within',
      `The statement ${named(statement)} begins within another one (:60M:), and nothing was accepted before it: import the ` +
        'pages before it too, or begin with the next one.',
    );
  demandFollows(proven, previous);
}

/** It goes on from that balance, if it has any: what is between the two would be credited by nobody. */
export function demandFollows({ statement, opening }: ProvenStatement, previous: Closed | null): void {
  const { currency } = statement;
  const closed = previous?.units ?? null;
  if (opening === null || closed === null || closed === opening) return;
  const [opens, closes] = [amountText(opening, currency ?? ''), amountText(closed, currency ?? '')];
  const [from, last] = [statement.period.from, previous?.day ?? null];
  const begins = from !== null && last !== null && from < last ? from : null;
  // One of a day that is over already, or that was told in part, would wait for ever.
  const isLater = last === null || (begins === null && ageOf(statement) >= last);
  const how = statement.opening
    ? `opens with ${opens}`
    : `opens with ${opens}, by its closing balance and its bookings`;
  throw (isLater ? early : refused)(
    'bank_opening_wrong',
    `The statement ${named(statement)} ${how}, but the one before closed with ${closes}` +
      `${last === null ? '' : ` on ${last}`}: ${
        begins === null
          ? 'import those between first; where there are none, npx quittance bank correct says what is missing.'
          : `it begins on ${begins} already, so get one that begins after ${last}.`
      }`,
    { opening: opens, closed: closes, day: last ?? '' },
  );
}

const amountText = (units: bigint, currency: string): string => {
  const decimals = currencyDecimals(currency);
  return `${formatFixed(fromUnits(units, decimals), decimals)} ${currency}`;
};
