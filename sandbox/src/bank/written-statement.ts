/** What stands in a statement that the bank wrote, for tests: taken from the bytes, with nothing that the bank knows. */
import assert from 'node:assert/strict';
import { unzipSync } from 'fflate';
import { readCents } from './bank-entry.ts';
import { childrenOf, nodeAt, readXml, textAt, type XmlNode } from './read-xml.ts';
import type { BankFile } from './write-statement.ts';

export type WrittenStatement = {
  readonly id: string;
  readonly iban: string;
  readonly page: { readonly number: number; readonly isLast: boolean } | null;
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  readonly entries: readonly WrittenEntry[];
};

export type WrittenEntry = {
  /** As the side says; of a correction also as if the side were that of what is taken back. */
  readonly units: bigint;
  readonly isReversal: boolean;
  readonly status: string;
  readonly node: XmlNode | null;
};

export function readWritten(files: readonly BankFile[]): WrittenStatement[] {
  return files.flatMap(({ name, bytes }) => {
    if (name.endsWith('.zip'))
      return readWritten(
        Object.entries(unzipSync(bytes)).map(([inner, each]) => ({ name: inner, bytes: Buffer.from(each) })),
      );
    return name.endsWith('.sta') ? readOld(bytes.toString('latin1')) : readNew(readXml(bytes));
  });
}

function readNew(document: XmlNode): WrittenStatement[] {
  const [message] = document.children;
  assert.ok(message);
  const pageOf = (node: XmlNode | null) =>
    node && { number: Number(textAt(node, 'PgNb')), isLast: textAt(node, 'LastPgInd') === 'true' };
  return message.children
    .filter(({ name }) => ['Rpt', 'Stmt', 'Ntfctn'].includes(name))
    .map((node) => {
      const balances = childrenOf(node, 'Bal').map(signedAmount);
      const ofStatement = node.children.find(({ name }) => name.endsWith('Pgntn')) ?? null;
      return {
        id: textAt(node, 'Id') ?? '',
        iban: textAt(node, 'Acct', 'Id', 'IBAN') ?? '',
        page: pageOf(ofStatement ?? nodeAt(message, 'GrpHdr', 'MsgPgntn')),
        opening: balances[0] ?? null,
        closing: balances[1] ?? null,
        entries: childrenOf(node, 'Ntry').map((entry) => ({
          units: signedAmount(entry),
          isReversal: textAt(entry, 'RvslInd') === 'true',
          status: textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts') ?? '',
          node: entry,
        })),
      };
    });
}

export function signedAmount(node: XmlNode): bigint {
  const units = readCents(textAt(node, 'Amt') ?? '');
  assert.ok(units !== null);
  return textAt(node, 'CdtDbtInd') === 'DBIT' ? -units : units;
}

function readOld(text: string): WrittenStatement[] {
  const cents = (mark: string, amount: string): bigint => {
    const units = readCents(amount.replace(',', '.'));
    assert.ok(units !== null);
    return ['D', 'RC'].includes(mark) ? -units : units;
  };
  return text
    .split('\r\n-\r\n')
    .filter((each) => each !== '')
    .map((each) => {
      const balance = (tag: string): bigint => {
        const [, mark = '', amount = ''] = new RegExp(`:${tag}[FM]:([CD])\\d{6}[A-Z]{3}([\\d,]+)`).exec(each) ?? [];
        return cents(mark, amount);
      };
      return {
        id: /:20:(.*)/.exec(each)?.[1] ?? '',
        iban: /:25:(.*)/.exec(each)?.[1] ?? '',
        page: null,
        opening: balance('60'),
        closing: balance('62'),
        entries: [...each.matchAll(/^:61:\d{10}(R?[CD])([\d,]+)N/gm)].map(([, mark = '', amount = '']) => ({
          units: cents(mark, amount),
          isReversal: mark.startsWith('R'),
          status: 'BOOK',
          node: null,
        })),
      };
    });
}

/** The sign of a correction differs by bank. Which one it is, is known from the balance. */
export const bookedUnits = ({ units, isReversal }: WrittenEntry, isOriginalSide: boolean): bigint =>
  isReversal && isOriginalSide ? -units : units;
