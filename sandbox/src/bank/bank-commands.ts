/** The bank's deeds as commands: JSON in, JSON out. Amounts are decimals in texts, files are base64. */
import type { BankDeeds, Issued } from './bank-deeds.ts';
import { type Bearer, formatCents, readCents } from './bank-entry.ts';
import { BankRefused } from './bank-ledger.ts';
import { customers, dollarAccount, euroAccount, type Party } from './bank-parties.ts';
import { bankStyles } from './bank-styles.ts';
import { isMangling, manglings } from './mangle-text.ts';
import type { FileAnswer } from './payment-desk.ts';
import type { IncomingPayment } from './receive-payment.ts';
import { camtVersions, messageKinds } from './statement-content.ts';
import { isMischief, statementMischief } from './statement-mischief.ts';

type Fields = Readonly<Record<string, unknown>>;
type Command = (body: Buffer) => unknown;

export function bankCommands(bank: BankDeeds): Readonly<Record<string, Command>> {
  const fromFields =
    (run: (fields: Fields) => unknown): Command =>
    (body) =>
      run(readFields(body));
  const ofAccount = (fields: Fields) => ({
    ...given('account', accountIn(fields)),
    ...given('text', textIn(fields, 'text')),
  });

  const deeds: Readonly<Record<string, Command>> = {
    pay: fromFields((fields) => ({
      entry: bank.pay({ ...paymentIn(fields), ...given('account', accountIn(fields)) }),
    })),
    'pay-together': fromFields((fields) => {
      const { payments } = fields;
      if (!Array.isArray(payments)) throw new BankRefused('payments must be a list.');
      const each = payments.map((payment) => paymentIn(payment as Fields));
      return { entry: bank.payTogether(each, accountIn(fields)) };
    }),
    withdraw: fromFields((fields) => carriedOut(() => bank.withdraw(needed(fields, 'entry')))),
    mangle: fromFields((fields) => {
      const how = needed(fields, 'how');
      if (!isMangling(how)) throw new BankRefused(`how is one of ${Object.keys(manglings).join(', ')}.`);
      return carriedOut(() => bank.mangleNext(how));
    }),
    delay: () => carriedOut(() => bank.delayNext()),
    'book-expected': () => ({ booked: bank.bookExpected() }),
    charges: fromFields((fields) => {
      if (typeof fields['apart'] !== 'boolean') throw new BankRefused('apart is true or false.');
      const isApart = fields['apart'];
      return carriedOut(() => bank.bookChargesApart(isApart));
    }),
    // The file itself, or its base64 in a field.
    file: (body) => {
      const isFile = body[0] !== 0x7b;
      const fields = isFile ? {} : readFields(body);
      const bytes = isFile ? body : Buffer.from(needed(fields, 'content'), 'base64');
      return answerOf(bank.takeFile(bytes, { isSigned: fields['signed'] !== false }));
    },
    sign: fromFields((fields) => carriedOut(() => bank.sign(needed(fields, 'messageId')))),
    report: fromFields((fields) => ({ content: bank.report(needed(fields, 'messageId')).toString('base64') })),
    verification: fromFields((fields) => ({
      content: bank.verification(needed(fields, 'messageId')).toString('base64'),
    })),
    reject: fromFields((fields) => carriedOut(() => bank.reject(needed(fields, 'endToEndId'), textIn(fields, 'code')))),
    return: fromFields((fields) => ({
      entry: bank.giveBack(needed(fields, 'endToEndId'), {
        ...given('code', textIn(fields, 'code')),
        ...given('fee', fields['fee'] === undefined ? undefined : amountIn(fields, 'fee')),
        ...given('inDays', daysIn(fields)),
      }),
    })),
    close: fromFields((fields) => {
      const how = textIn(fields, 'how') ?? 'return';
      if (how !== 'return' && how !== 'reject') throw new BankRefused('how is return or reject.');
      return carriedOut(() =>
        bank.closeAccount({ iban: needed(fields, 'iban'), code: textIn(fields, 'code') ?? 'AC04', how }),
      );
    }),
    reopen: fromFields((fields) => carriedOut(() => bank.reopenAccount(needed(fields, 'iban')))),
    recall: fromFields((fields) => ({ recall: bank.recall(needed(fields, 'entry'), textIn(fields, 'code')) })),
    'answer-recall': fromFields((fields) => ({
      entry: bank.answerRecall(needed(fields, 'recall'), fields['consents'] === true),
    })),
    correct: fromFields((fields) => ({ entry: bank.correct(needed(fields, 'entry')) })),
    fee: fromFields((fields) => ({ entry: bank.charge(amountIn(fields, 'amount'), ofAccount(fields)) })),
    interest: fromFields((fields) => ({ entry: bank.payInterest(signedAmountIn(fields), accountIn(fields)) })),
    'own-transfer': fromFields((fields) => ({ entry: bank.moveOwn(signedAmountIn(fields), ofAccount(fields)) })),
    debit: fromFields((fields) => ({ entry: bank.debit(amountIn(fields, 'amount'), ofAccount(fields)) })),
    statement: fromFields((fields) =>
      filesOf(
        bank.statement({
          ...given('account', accountIn(fields)),
          ...given('kind', choiceIn(fields, 'kind', messageKinds)),
          ...given('version', choiceIn(fields, 'version', camtVersions)),
          ...given('styleName', choiceIn(fields, 'style', Object.keys(bankStyles))),
        }),
      ),
    ),
    balance: fromFields((fields) => ({ balance: formatCents(bank.balance(accountIn(fields))) })),
    customers: () => customers,
  };
  const mischief = Object.keys(statementMischief).map((name) => [
    `mischief/${name}`,
    fromFields((fields) => {
      if (!isMischief(name)) throw new BankRefused(`There is no ${name}.`);
      return filesOf(bank.mischief(name, textIn(fields, 'statement')));
    }),
  ]);
  return { ...deeds, ...Object.fromEntries(mischief) };
}

/** The same names as those of the other networks of the sandbox. */
export function ownerMethods(
  bank: BankDeeds,
  tellsByItself: boolean,
): Readonly<Record<string, (...params: never[]) => unknown>> {
  return {
    /** On whatever day: somebody who tries this out does not wait for Monday. A notice says at once that it has come. */
    sandbox_pay(to: { address?: string; amount: string; asset?: string; memo?: string | null }): string {
      const units = readCents(to.amount);
      if (units === null) throw new BankRefused('The amount must be one in cents.');
      const isDollars = to.asset === 'USD';
      const account = accountIn({ account: to.address ?? (isDollars ? dollarAccount : euroAccount).iban });
      const entry = bank.pay({
        units,
        text: to.memo ?? '',
        booked: 'today',
        ...given('account', account),
        ...(account === dollarAccount.iban ? { bearer: 'OUR' as const } : { by: 'instant' as const }),
      });
      if (tellsByItself) bank.tellNews(account ?? euroAccount.iban, 'camt.054');
      return entry;
    },
    /** What a block is elsewhere is a statement here. The first has all that is new, and the others nothing. */
    sandbox_mine: (count = 1): string[] =>
      tellsByItself
        ? [euroAccount, dollarAccount].flatMap(({ iban }) => bank.tellNews(iban)?.id ?? [])
        : Array.from({ length: count }, () => bank.statement().id),
    /** A payer cannot take it back, but a bank corrects its own mistakes: the whole booking. */
    sandbox_contest({ tx, amount }: { tx: string; amount?: string }): string {
      if (amount !== undefined) throw new BankRefused('A booking is corrected whole: leave the amount out');
      return bank.correct(tx);
    },
    sandbox_address: ({ asset }: { asset: string }): string | null =>
      asset === 'EUR' ? (customers[0]?.iban ?? null) : null,
  };
}

function readFields(body: Buffer): Fields {
  if (body.length === 0) return {};
  const value: unknown = JSON.parse(body.toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BankRefused('A command is an object.');
  return value as Fields;
}

function carriedOut(deed: () => void): { readonly done: true } {
  deed();
  return { done: true };
}

/** A field that is left out where nothing was given. */
const given = <Name extends string, Value>(name: Name, value: Value | undefined): { readonly [Key in Name]?: Value } =>
  (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new BankRefused(`${name} must be a text.`);
  return value;
}

function needed(fields: Fields, name: string): string {
  const value = textIn(fields, name);
  if (value === undefined) throw new BankRefused(`${name} is missing.`);
  return value;
}

/** A decimal in a text: a number of JSON has lost its cents before we see it. */
function amountIn(fields: Fields, name: string): bigint {
  const units = readCents(needed(fields, name));
  if (units === null) throw new BankRefused(`${name} must be a text such as "12.50".`);
  return units;
}

function signedAmountIn(fields: Fields): bigint {
  const text = needed(fields, 'amount');
  const units = amountIn({ amount: text.replace(/^-/, '') }, 'amount');
  return text.startsWith('-') ? -units : units;
}

function choiceIn<Choice extends string>(fields: Fields, name: string, choices: readonly Choice[]): Choice | undefined {
  const value = textIn(fields, name);
  if (value === undefined) return undefined;
  const found = choices.find((each) => each === value);
  if (found === undefined) throw new BankRefused(`${name} is one of ${choices.join(', ')}.`);
  return found;
}

/** EUR and USD are short for the accounts. */
function accountIn(fields: Fields): string | undefined {
  const value = textIn(fields, 'account');
  if (value === 'EUR') return euroAccount.iban;
  return value === 'USD' ? dollarAccount.iban : value?.replaceAll(' ', '');
}

function daysIn(fields: Fields): number | undefined {
  const value = fields['inDays'];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 1_000)
    throw new BankRefused('inDays must be a number of banking days.');
  return value;
}

const ways = ['sepa', 'instant', 'swift'] as const;
const times = ['at once', 'today', 'next day', 'late'] as const;
const bearers: readonly Bearer[] = ['OUR', 'SHA', 'BEN'];

function paymentIn(fields: Fields): IncomingPayment {
  const mangled = textIn(fields, 'mangled');
  if (mangled !== undefined && !isMangling(mangled))
    throw new BankRefused(`mangled is one of ${Object.keys(manglings).join(', ')}.`);
  return {
    units: amountIn(fields, 'amount'),
    ...given('by', choiceIn(fields, 'by', ways)),
    ...given('from', payerIn(fields)),
    ...given('text', textIn(fields, 'text')),
    ...given('reference', textIn(fields, 'reference')),
    ...given('endToEndId', textIn(fields, 'endToEndId')),
    ...given('booked', choiceIn(fields, 'booked', times)),
    ...given('bearer', choiceIn(fields, 'bearer', bearers)),
    ...given('mangled', mangled),
  };
}

/** A customer of ours by name, or anybody with an IBAN. */
function payerIn(fields: Fields): Party | undefined {
  const [name, iban] = [textIn(fields, 'name'), textIn(fields, 'iban')];
  if (name === undefined) return undefined;
  return customers.find((each) => each.name === name && iban === undefined) ?? { name, iban: iban ?? null, bic: null };
}

const filesOf = ({ id, files }: Issued) => ({
  statement: id,
  files: files.map(({ name, bytes }) => ({ name, content: bytes.toString('base64') })),
});

const answerOf = ({ messageId, isTaken, fault, orders, report, verification }: FileAnswer) => ({
  messageId,
  isTaken,
  fault,
  payments: orders.map(({ endToEndId, status, code }) => ({ endToEndId, status, code })),
  report: report.toString('base64'),
  verification: verification?.toString('base64') ?? null,
});
