/** What pages about banks have in common: names, amounts, addresses of pages. */
import type { BankAsset, FileWay } from '../bank-files/accept-store.ts';
import { type BookingFate, fateWords } from '../bank-files/booking-fate.ts';
import { bankAmount } from '../bank-files/import-words.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import { type Html, html } from '../web/html.ts';
import { priceText } from '../web/number-text.ts';
import { stateMark } from './operator-parts.ts';
import { bankPath } from './payment-file-page.ts';

export const wayWords: Readonly<Record<FileWay, string>> = {
  COMMAND: 'by command',
  FOLDER: 'from the folder',
  UPLOAD: 'uploaded here',
};

export const networkName = (id: string): string => findNetwork(id)?.name ?? id;
export const amountText = (asset: BankAsset, units: bigint): string =>
  priceText('en', bankAmount(asset, units), asset.assetCode);

export const broughtPath = (network: string, id: string): string => `${bankPath}/${network}/brought/${id}`;

export const waitsForSomebody: readonly BookingFate[] = ['unmatched', 'toExplain'];

/** Marked only where somebody should look. */
export function fateMark(fate: BookingFate): Html {
  if (fate === 'refused') return stateMark('fail', fateWords[fate]);
  if (waitsForSomebody.includes(fate)) return stateMark('decide', fateWords[fate]);
  return fate === 'unread' || fate === 'announced' ? stateMark('wait', fateWords[fate]) : html`${fateWords[fate]}`;
}
