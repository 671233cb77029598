/**
 * A statement as banks send it, ISO 20022 camt.053.001.08: one `Stmt` for each wallet, in the account's currency. Amounts have
 * five decimals and a currency of a state there, so coins cannot be in it: the units stand in the text of an entry. What a
 * line brought on a day is an entry, the revaluation is one too, so opening and entries come to closing.
 */
import { createHash } from 'node:crypto';
import type { Query } from '../db/database.ts';
import { present } from '../lib/assert.ts';
import { giveWay } from '../lib/give-way.ts';
import { addDays, zonedMoment } from '../lib/local-day.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { formatUnits } from '../money/amount.ts';
import { camtNeedsCurrency, camtNeedsRates } from './report-errors.ts';
import type { AssetStatement, Statement, StatementValue } from './statement.ts';
import { listStatementDays, type StatementDay } from './statement-day-store.ts';
import { valueText } from './statement-record.ts';
import { walletId, walletNames } from './wallet-names.ts';

/** `written`: what is markup already. */
type Written = { readonly written: string };
type Element = {
  readonly name: string;
  readonly marks?: string;
  readonly content: string | readonly (Element | Written)[];
};

const el = (name: string, content: string | readonly (Element | Written | false)[], marks = ''): Element => ({
  name,
  marks,
  content: typeof content === 'string' ? content : content.filter((each) => each !== false),
});

const escaped = (text: string): string =>
  text
    // What XML has no way to write at all.
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

function written(element: Element | Written): string {
  if ('written' in element) return element.written;
  const { name, marks = '', content } = element;
  return `<${name}${marks}>${typeof content === 'string' ? escaped(content) : content.map(written).join('')}</${name}>`;
}

/** A busy year has a hundred thousand entries: others have their turn in between. */
async function writtenInParts(count: number, element: (at: number) => Element): Promise<Written> {
  const parts: string[] = [];
  for (let at = 0; at < count; at += 1) {
    parts.push(written(element(at)));
    if (at % entriesAtOnce === entriesAtOnce - 1) await giveWay();
  }
  return { written: parts.join('') };
}

const entriesAtOnce = 300;

const isoCurrencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

type Valued = AssetStatement & { readonly value: StatementValue };

export async function camtStatements(
  query: Query,
  merchant: Merchant,
  statement: Statement,
  { now, withoutRate }: { readonly now: Date; readonly withoutRate: (wallets: readonly string[]) => string },
): Promise<string> {
  const { covered } = statement;
  const { currency } = covered;
  if (!isoCurrencies.has(currency)) throw camtNeedsCurrency(currency);
  const valued = statement.assets.flatMap((each): Valued[] => (each.value ? [{ ...each, value: each.value }] : []));
  if (valued.length === 0) throw camtNeedsRates();
  const nameOf = walletNames(statement.assets.map(({ asset }) => asset));
  const without = statement.assets.filter(({ value }) => value === null).map(({ asset }) => nameOf(asset));
  // Said once, in the first one: whoever adds up all of them must know what is not among them.
  const left = without.length > 0 ? withoutRate(without) : '';
  const days = await listStatementDays(query, merchant.id, covered);
  const daysOf = Map.groupBy(days, ({ asset }) => asset);
  const [first, last] = [covered.from, addDays(covered.to, -1)];
  const made = zonedMoment(covered.timeZone, now);
  const statements: Element[] = [];
  for (const [at, each] of valued.entries())
    statements.push(await stmt(each, daysOf.get(each.asset.id) ?? [], at === 0 ? left : ''));
  const document = el(
    'Document',
    [
      el('BkToCstmrStmt', [
        el('GrpHdr', [el('MsgId', idOf(merchant.id, covered.period.name, now.toISOString())), el('CreDtTm', made)]),
        ...statements,
      ]),
    ],
    ' xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"',
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(document)}\n`;

  async function stmt(wallet: Valued, moved: readonly StatementDay[], further: string): Promise<Element> {
    const { asset, value } = wallet;
    const entries = [
      ...moved.map(({ day, line, units, entries: count, value: worth }) => ({
        day,
        code: line.toUpperCase(),
        value: worth ?? 0n,
        text: `${formatUnits(units, asset.ledgerScale)} ${asset.assetCode}`,
        count,
      })),
      { day: last, code: 'REVALUATION', value: value.revaluation, text: `0 ${asset.assetCode}`, count: 0 },
    ].filter(({ code, value: worth }) => code !== 'REVALUATION' || worth !== 0n);
    const sumOf = (some: readonly { readonly value: bigint }[]): bigint =>
      some.reduce((sum, each) => sum + each.value, 0n);
    const [credits, debits] = [entries.filter((each) => each.value >= 0n), entries.filter((each) => each.value < 0n)];
    const numbers = (some: typeof entries, sum: bigint): Element[] => [
      el('NbOfNtries', String(some.length)),
      el('Sum', valueText(currency, sum)),
    ];
    const listed = await writtenInParts(entries.length, (at) => entry(present(entries[at], 'an entry'), at + 1));
    return el('Stmt', [
      el('Id', idOf(merchant.id, asset.id, first, last, currency, covered.timeZone)),
      el('CreDtTm', made),
      el('FrToDt', [
        el('FrDtTm', zonedMoment(covered.timeZone, covered.span.from)),
        el('ToDtTm', zonedMoment(covered.timeZone, covered.span.to)),
      ]),
      el('Acct', [
        el('Id', [el('Othr', [el('Id', `${merchant.id}-${walletId(asset)}`.slice(0, 34))])]),
        el('Ccy', currency),
        el('Nm', nameOf(asset).slice(0, 70)),
        el('Ownr', [el('Nm', merchant.name.slice(0, 140))]),
      ]),
      balance('OPBD', value.opening, first),
      balance('CLBD', value.closing, last),
      el('TxsSummry', [
        el('TtlNtries', [
          ...numbers(entries, sumOf(credits) - sumOf(debits)),
          el('TtlNetNtry', [
            el('Amt', valueText(currency, absolute(sumOf(entries)))),
            el('CdtDbtInd', sumOf(entries) < 0n ? 'DBIT' : 'CRDT'),
          ]),
        ]),
        el('TtlCdtNtries', numbers(credits, sumOf(credits))),
        el('TtlDbtNtries', numbers(debits, -sumOf(debits))),
      ]),
      listed,
      further !== '' && el('AddtlStmtInf', further.slice(0, 500)),
    ]);
  }

  function balance(code: string, units: bigint, day: string): Element {
    return el('Bal', [el('Tp', [el('CdOrPrtry', [el('Cd', code)])]), ...amount(units), el('Dt', [el('Dt', day)])]);
  }

  function entry(
    { day, code, value, text, count }: { day: string; code: string; value: bigint; text: string; count: number },
    number: number,
  ): Element {
    return el('Ntry', [
      el('NtryRef', String(number)),
      ...amount(value),
      el('Sts', [el('Cd', 'BOOK')]),
      el('BookgDt', [el('Dt', day)]),
      el('ValDt', [el('Dt', day)]),
      el('BkTxCd', [el('Prtry', [el('Cd', code), el('Issr', 'Quittance')])]),
      count > 0 && el('NtryDtls', [el('Btch', [el('NbOfTxs', String(count))])]),
      el('AddtlNtryInf', text),
    ]);
  }

  /** Never with a sign: the side says it. */
  function amount(units: bigint): Element[] {
    return [
      el('Amt', valueText(currency, absolute(units)), ` Ccy="${currency}"`),
      el('CdtDbtInd', units < 0n ? 'DBIT' : 'CRDT'),
    ];
  }
}

const absolute = (units: bigint): bigint => (units < 0n ? -units : units);

/** At most 35 letters, and the same for the same. */
const idOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
