/** Payment files for people: at the command line and at the operator's page. */
import { bankAmount } from './import-words.ts';
import type { ListedFile } from './list-payment-files.ts';
import type { MadeFile } from './make-payment-file.ts';
import { type FileFate, type OrderCounts, type OrderState, orderStates } from './payment-file-state.ts';
import type { VoidedFile } from './void-payment-file.ts';

export const orderWords: Readonly<Record<OrderState, string>> = {
  IN_FILE: 'in a file that nobody has downloaded',
  DOWNLOADED: 'handed over, not booked yet',
  BOOKED: 'booked, may still come back',
  SETTLED: 'paid',
  REJECTED: 'refused by the bank',
  RETURNED: 'came back',
  VOID: 'void',
};

export const fateWords: Readonly<Record<FileFate, string>> = {
  MADE: 'made, not downloaded',
  DOWNLOADED: 'downloaded, not booked yet',
  VOID_DECLARED: 'declared void, waits for statements',
  BOOKED: 'booked, may still come back',
  CLOSED: 'closed',
  VOID: 'void',
};

/** Such as "2 paid, 1 came back". */
export const countWords = (counts: OrderCounts): string =>
  orderStates
    .flatMap((state) => (counts[state] === undefined ? [] : [`${counts[state]} ${orderWords[state]}`]))
    .join(', ');

const payments = (count: number): string => `${count} ${count === 1 ? 'payment' : 'payments'}`;

export type ShownMade = {
  readonly id: string;
  readonly network: string;
  readonly fileName: string;
  readonly payments: number;
  readonly amount: string;
  readonly asset: string;
  readonly warning: string | null;
  readonly refused: MadeFile['refused'];
};

export type MakeOutcome = { readonly made: ShownMade } | { readonly refused: string };

export const shownMade = (made: MadeFile): ShownMade => ({
  id: made.id,
  network: made.network,
  fileName: made.fileName,
  payments: made.orderCount,
  amount: bankAmount(made.asset, made.units),
  asset: made.asset.assetCode,
  warning: shortWarning(made),
  refused: made.refused,
});

/** The bank would refuse some of it, or make it overdrawn. Null: there is enough, by the last statement. */
export function shortWarning({ asset, openUnits, closingUnits }: MadeFile): string | null {
  if (closingUnits === null || openUnits <= closingUnits) return null;
  const { assetCode } = asset;
  return `All payments that are not booked yet come to ${bankAmount(asset, openUnits)} ${assetCode}, and the account held ${bankAmount(asset, closingUnits)} ${assetCode} by the last statement.`;
}

export const madeLines = (made: ShownMade): string[] => [
  `Made: ${made.id}, ${payments(made.payments)}, ${made.amount} ${made.asset}. Download it with: bank file download ${made.id}`,
  ...(made.warning === null ? [] : [`Careful: ${made.warning}`]),
  ...made.refused.map(({ payoutId, why }) => `Not in it, and refused: ${payoutId}: ${why}`),
];

export const voidedWords = ({ id, isDeclared, orderCount }: VoidedFile): string =>
  isDeclared
    ? `${id} is declared void: ${payments(orderCount)} wait for another file when statements have shown that they were not booked.`
    : `${id} is void: ${payments(orderCount)} wait for another file.`;

export const shownFile = ({ asset, units, counts, fate, ...file }: ListedFile) => ({
  id: file.id,
  network: file.network,
  state: fate,
  payments: file.orderCount,
  amount: bankAmount(asset, units),
  asset: asset.assetCode,
  orders: counts,
  fileName: file.fileName,
  digest: file.digest,
  madeBy: file.madeBy,
  madeAt: file.madeAt,
  downloads: file.downloads,
  downloadedAt: file.downloadedAt,
  voidBy: file.voidBy,
  voidAt: file.voidAt,
});
