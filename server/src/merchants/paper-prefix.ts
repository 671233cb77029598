/**
 * How the numbers of a shop's papers begin: what the account has set for each kind, or ours. `{year}` is the year of issue, in
 * the shop's time zone; two kinds with the same prefix are counted together.
 */
import type { Merchant } from './merchant.ts';

export const paperPrefixNames = {
  invoice: 'invoicePrefix',
  receipt: 'receiptPrefix',
  creditNote: 'creditNotePrefix',
} as const;

export type NumberedKind = keyof typeof paperPrefixNames;

const usual: Readonly<Record<NumberedKind, string>> = {
  invoice: 'INV-{year}-',
  receipt: 'RCT-{year}-',
  creditNote: 'CRN-{year}-',
};

export const prefixMax = 20;

/** A digit at its end would run into the number: two series could print the same. */
export const isPaperPrefix = (text: string): boolean =>
  text.length <= prefixMax && /^(?:[A-Za-z0-9\-/._]|\{year\})*[A-Za-z\-/._]$/.test(text);

export function paperPrefix({ pageSettings }: Pick<Merchant, 'pageSettings'>, kind: NumberedKind): string {
  const given = pageSettings[paperPrefixNames[kind]];
  return typeof given === 'string' && isPaperPrefix(given) ? given : usual[kind];
}
