/**
 * A statement that does not add up is not a statement. Each rule is checked by itself, and the first that is broken refuses
 * the file whole, in a sentence that says what would be right.
 */
import type { Day } from '../../../lib/local-day.ts';
import { formatFixed, fromUnits } from '../../../money/decimal.ts';
import { early, quoted, refused } from './bank-file-refused.ts';
import type { AccountTold } from './bank-statement.ts';
import { currencyDecimals } from './currency-decimals.ts';
import type { BankStatement } from './join-pages.ts';
import { statementName } from './statement-name.ts';

/** Which account is ours. `others`: what the bank calls it besides, where it does not write the IBAN. */
export type OurAccount = {
  readonly iban: string | null;
  readonly others: readonly string[];
  readonly currency: string;
};

/** How the last accepted statement closed. */
export type Closed = { readonly units: bigint; readonly day: Day | null };

/** Statements prove balances; a report within the day does where it has them, a notice never. */
const isStatement = ({ kind }: BankStatement): boolean => kind === 'camt.053' || kind === 'mt940';

export function checkStatement(statement: BankStatement, account: OurAccount, previous: Closed | null): void {
  checkAccount(statement, account);
  checkCurrency(statement, account.currency);
  checkPages(statement);
  checkSum(statement);
  checkOpening(statement, previous);
}

/**
 * All statements of a file, oldest first, each against the one before; the first against what was accepted before. Gives
 * them in this order.
 */
export function checkStatements(
  statements: readonly BankStatement[],
  account: OurAccount,
  previous: Closed | null,
): readonly BankStatement[] {
  const ordered = [...statements].sort(byAge);
  const seen = new Set<string>();
  let before = previous;
  for (const statement of ordered) {
    const name = statementName(statement);
    if (seen.has(name))
      throw refused('bank_statement_twice', `The statement ${named(statement)} is in the file twice: leave one out.`);
    seen.add(name);
    checkStatement(statement, account, before);
    if (isStatement(statement) && statement.closing)
      before = { units: statement.closing.units, day: statement.closing.day };
  }
  return ordered;
}

const ageOf = ({ closing, period }: BankStatement): Day => closing?.day ?? period.to ?? '';
const numberOf = ({ sequence }: BankStatement): number =>
  sequence !== null && /^\d{1,15}$/.test(sequence) ? Number(sequence) : 0;
/** Sorting is stable: where neither says which is older, the order of the file does. */
const byAge = (a: BankStatement, b: BankStatement): number => {
  if (ageOf(a) !== ageOf(b)) return ageOf(a) < ageOf(b) ? -1 : 1;
  return numberOf(a) - numberOf(b);
};

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

function checkPages(statement: BankStatement): void {
  const { pages } = statement;
  const numbers = pages.map(({ number }) => number);
  const twice = numbers.find((number, place) => numbers.indexOf(number) !== place);
  if (twice !== undefined)
    throw refused(
      'bank_page_twice',
      `Page ${twice} of the statement ${named(statement)} is there twice: leave one out.`,
      { page: String(twice) },
    );
  const missing = numbers.findIndex((number, place) => number !== place + 1);
  const lasts = pages.filter(({ isLast }) => isLast).length;
  const isWhole = missing === -1 && (pages.length === 0 || (lasts === 1 && pages.at(-1)?.isLast === true));
  if (isWhole) return;
  const lacks = missing === -1 ? (lasts === 0 ? pages.length + 1 : 0) : missing + 1;
  throw refused(
    'bank_page_missing',
    lacks > 0
      ? `Page ${lacks} of the statement ${named(statement)} is missing: import all of its pages together, as one ZIP.`
      : `The statement ${named(statement)} goes on after its last page: get it from the bank again.`,
    { page: String(lacks) },
  );
}

function checkSum(statement: BankStatement): void {
  const { opening, closing, booked, currency } = statement;
  if (!opening || !closing) {
    if (!isStatement(statement)) return;
    const what = opening ? 'closing balance (CLBD, :62F:)' : 'opening balance (OPBD, PRCD, :60F:)';
    throw refused(
      'bank_balance_missing',
      `The statement ${named(statement)} has no ${what}: get it from the bank again.`,
      { what },
    );
  }
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

function checkOpening(statement: BankStatement, previous: Closed | null): void {
  if (isStatement(statement)) demandFollows(statement, previous);
}

/** It goes on from that balance, if it has any: what is between the two would be credited by nobody. */
export function demandFollows(statement: BankStatement, previous: Closed | null): void {
  const { opening, currency } = statement;
  if (!opening || !previous || opening.units === previous.units) return;
  const [opens, closed] = [amountText(opening.units, currency ?? ''), amountText(previous.units, currency ?? '')];
  const [from, last] = [statement.period.from, previous.day];
  const begins = from !== null && last !== null && from < last ? from : null;
  // One of a day that is over already, or that was told in part, would wait for ever.
  const isLater = last === null || (begins === null && ageOf(statement) >= last);
  throw (isLater ? early : refused)(
    'bank_opening_wrong',
    `The statement ${named(statement)} opens with ${opens}, but the one before closed with ${closed}` +
      `${last === null ? '' : ` on ${last}`}: ${
        begins === null
          ? 'import those between first.'
          : `it begins on ${begins} already, so get one that begins after ${last}.`
      }`,
    { opening: opens, closed, day: last ?? '' },
  );
}

const amountText = (units: bigint, currency: string): string => {
  const decimals = currencyDecimals(currency);
  return `${formatFixed(fromUnits(units, decimals), decimals)} ${currency}`;
};
