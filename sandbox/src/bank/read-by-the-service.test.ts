/**
 * What this bank means and what the service reads of it are written by nobody in common: of every kind of bank, in every kind
 * of message and version, each payment is told with the amount, the direction and the words that the bank has in its books.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BankEntry, signedUnits } from '@quittance/server/networks/families/bank/bank-statement';
import { checkStatements, type OurAccount } from '@quittance/server/networks/families/bank/check-statement';
import { type BankFile as FileRead, readBankFile } from '@quittance/server/networks/families/bank/read-bank-file';
import { zipSync } from 'fflate';
import { type Entry, entryKinds } from './bank-entry.ts';
import { type BankAccount, customers, dollarAccount, euroAccount } from './bank-parties.ts';
import { bankStyles } from './bank-styles.ts';
import { type Bank, busyBank } from './busy-bank.ts';
import {
  type CamtVersion,
  camtVersions,
  type MessageKind,
  messageKinds,
  type StatementForm,
} from './statement-content.ts';
import type { BankFile } from './write-statement.ts';
import { toLatin1 } from './write-xml.ts';

/** They cross the lines of all of them. */
const words = `Bestellung für Łódź & <Co.> "4711": ${'Schönes aus Holz, '.repeat(5)}danke`;

function veryBusyBank(): Bank {
  const bank = busyBank();
  bank.pay({ units: 7_700n, text: words, reference: 'RF18539007547034', endToEndId: 'NR-2026/11-0815' });
  bank.pay({ units: 7_700n, text: words });
  bank.pay({ units: 800n, reference: 'RF18539007547034' });
  bank.debit(40n, { text: `${'What no fields hold but those in the sixties, '.repeat(6)}to its end` });
  bank.payTogether(customers.slice(4, 7).map((from) => ({ units: 10n, from, text: 'alike', endToEndId: 'ALIKE' })));
  const { iban: account } = dollarAccount;
  const swift = { account, text: words, reference: 'RF18539007547034' };
  for (const bearer of ['OUR', 'SHA', 'BEN'] as const)
    bank.pay({ ...swift, units: 90_000n, bearer, endToEndId: bearer });
  bank.correct(bank.pay({ account, units: 5_000n }));
  bank.charge(250n, { account });
  return bank;
}

/** One payment, as both sides know it. */
type Payment = {
  readonly units: bigint;
  readonly endToEndId: string | null;
  /** Reference and text, without what a line breaks or joins. */
  readonly words: string;
  readonly name: string | null;
  readonly account: string | null;
  readonly uetr: string | null;
};

const squeezed = (text: string): string => text.replaceAll(/\s/g, '');

/** What the bank means, as far as it tells it in this form. */
function meant(entry: Entry, form: StatementForm): readonly Payment[] {
  const { kind, version, style } = form;
  const isOld = kind === 'mt940';
  const plain = (text: string): string => {
    const told = isOld || style.encoding === 'ISO-8859-1' ? toLatin1(text) : text;
    return squeezed(isOld ? told.replaceAll('?', '.') : told);
  };
  const isApart = !isOld && style.batches === 'detailed' && (style.detailAmounts === 'each' || /04|06/.test(version));
  if (entry.details.length > 1 && !isApart)
    return [{ ...nothing, units: told(entry, entry.units, form), words: isOld ? plain(counted(entry, form)) : '' }];
  return entry.details.map((detail): Payment => {
    const isInSentence = !isOld && style.isWordy;
    const { party, endToEndId, reference, text, returned } = detail;
    // What is taken back names both sides as they were.
    const isPayer = entry.units > 0n !== (entry.isReversal || returned !== null);
    return {
      units: told(entry, detail.units, form),
      endToEndId,
      words: isInSentence && entry.details.length > 1 ? '' : plain(`${reference ?? ''}${text}`),
      name: isInSentence || party === null ? null : `${isPayer ? 'payer' : 'payee'} ${plain(party.name)}`,
      account: isInSentence ? null : (party?.iban ?? party?.number ?? null),
      uetr: !isOld && /08|13/.test(version) ? detail.uetr : null,
    };
  });
}

const nothing: Omit<Payment, 'units'> = { endToEndId: null, words: '', name: null, account: null, uetr: null };

/** Of a sum an MT940 says how many it is of. */
const counted = ({ kind, details }: Entry, { style }: StatementForm): string =>
  `${style.mt940 === 'german' ? 'ANZAHL' : entryKinds[kind].words}${details.length}`;

/** Nothing in a notice proves which way it goes what such a bank marks as the booking that it takes back. */
const told = ({ isReversal }: Entry, units: bigint, { kind, style }: StatementForm): bigint =>
  isReversal && kind === 'camt.054' && style.reversalSide === 'original' ? -units : units;

function paymentsIn(entry: BankEntry, { kind, style }: StatementForm): readonly Payment[] {
  const isInSentence = kind !== 'mt940' && style.isWordy;
  const [, sentence = ''] = / with reference (.*)$/s.exec(entry.text ?? '') ?? [];
  return entry.details.map((detail): Payment => {
    const isPayer = (detail.payer.name ?? detail.payer.iban ?? detail.payer.other) !== null;
    const party = isPayer ? detail.payer : detail.payee;
    return {
      units: signedUnits(detail),
      endToEndId: detail.endToEndId,
      words: squeezed(isInSentence ? sentence : [...detail.references, ...detail.texts].join('')),
      name: party.name === null ? null : `${isPayer ? 'payer' : 'payee'} ${squeezed(party.name)}`,
      account: party.iban ?? party.other,
      uetr: detail.uetr,
    };
  });
}

/** As one file: several are what a person would put into a ZIP. */
const together = (files: readonly BankFile[]): Uint8Array => {
  const [only, ...others] = files;
  if (only && others.length === 0) return only.bytes;
  return zipSync(Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])));
};

const oursOf = ({ iban, currency }: BankAccount): OurAccount => ({ iban, others: [], currency });

async function entriesOf(file: FileRead): Promise<BankEntry[]> {
  const entries: BankEntry[] = [];
  for await (const { entry } of file.entries()) entries.push(entry);
  return entries;
}

async function readsAll(account: BankAccount, form: Omit<StatementForm, 'style'>, styleName: string): Promise<void> {
  const style = bankStyles[styleName];
  assert.ok(style);
  const { kind, version } = form;
  const what = `${styleName} ${kind} ${version} ${account.currency}`;
  const bank = veryBusyBank();
  const request = { account: account.iban, kind, version, styleName };
  let passed = 0;
  let held = 0n;
  for (const round of ['all', 'what is new']) {
    if (round === 'what is new') bank.pay({ account: account.iban, units: 50_000n, text: words });
    const { files } = bank.statement(request);
    const book = bank.ledger.books.get(account.iban)?.entries.slice(passed) ?? [];
    passed += book.length;
    const file = await readBankFile(together(files));
    const before = passed === book.length ? null : { units: held, day: null };
    const proven = checkStatements(file.statements, oursOf(account), before);
    const read = (await entriesOf(file)).filter(({ status }) => status === 'BOOK');
    const payments: readonly Payment[] = read.flatMap((each) => paymentsIn(each, { ...form, style }));
    const due: readonly Payment[] = book.flatMap((each) => meant(each, { ...form, style }));
    assert.deepEqual(payments, due, `${what}, ${round}`);
    if (kind === 'camt.054') continue;
    const balances: (bigint | null | undefined)[] = [proven[0]?.opening, proven.at(-1)?.statement.closing?.units];
    assert.deepEqual(balances, [held, bank.balance(account.iban)], `${what}, ${round}`);
    held = bank.balance(account.iban);
  }
}

const versionsOf = (kind: MessageKind): readonly CamtVersion[] => (kind === 'mt940' ? ['02'] : camtVersions);

for (const styleName of Object.keys(bankStyles))
  test(`${styleName}: in every kind of message and version, the service reads what the bank means`, async () => {
    for (const kind of messageKinds)
      for (const version of versionsOf(kind))
        for (const account of [euroAccount, dollarAccount]) await readsAll(account, { kind, version }, styleName);
  });
