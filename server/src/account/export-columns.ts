/** What the files of an account's lists have in them: more than fits on a screen, and amounts as numbers. */
import type { LedgerEntryRecord } from '@quittance/contract/wallet';
import { findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { isAlive } from '../checkouts/checkout-state.ts';
import { customerFieldNames } from '../counterparties/customer-fields.ts';
import type { Customer } from '../counterparties/customer-store.ts';
import { zonedMoment } from '../lib/local-day.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';
import { formatUnits } from '../money/amount.ts';
import type { ShownDay } from '../reports/read-days.ts';
import { feeUnitsOf, type Transfer, totalUnitsOf } from '../wallets/transfer.ts';
import { shownTransferState } from '../wallets/transfer-state.ts';
import { type CsvCell, figureCell } from '../web/csv.ts';
import type { AccountLook } from './account-look.ts';
import { paidSums } from './checkout-list-page.ts';
import { checkoutAmount, customerName, orderOf, sentenceOf, type WordDeps } from './checkout-words.ts';
import type { Column } from './csv-reply.ts';
import { entryName } from './entry-words.ts';
import { fixedMoney } from './home-days.ts';
import { type ActorNames, actorText, networkName } from './money-words.ts';

type Moment = (at: Date) => string;

/** In the time zone of the account. */
const momentIn = ({ signedIn }: AccountLook): Moment => {
  const timeZone = timeZoneOf(signedIn?.merchant?.pageSettings ?? {});
  return (at) => zonedMoment(timeZone, at);
};

const unitsCell = ({ assets }: WordDeps, asset: string, units: bigint): CsvCell =>
  figureCell(formatUnits(units, findAsset(assets, asset)?.ledgerScale ?? 0));

const codeOf = ({ assets }: WordDeps, asset: string): string => findAsset(assets, asset)?.assetCode ?? asset;

/** A checkout, with its customer where there is one and the role may know. */
export type CheckoutRow = { readonly dossier: CheckoutDossier; readonly customer: Customer | undefined };

export function checkoutColumns(deps: WordDeps, look: AccountLook, now: Date): Column<CheckoutRow>[] {
  const moment = momentIn(look);
  const paid = ({ dossier }: CheckoutRow) => paidSums(dossier.payments.filter(isAlive));
  const rail = ({ dossier: { payments, commitments } }: CheckoutRow) =>
    payments.filter(isAlive).at(-1) ?? commitments.at(-1);
  const columns: Column<CheckoutRow>[] = [
    ['checkoutTime', ({ dossier }) => moment(dossier.checkout.createdAt)],
    ['order', ({ dossier }) => orderOf(dossier.checkout)],
    ['columnCheckout', ({ dossier }) => dossier.checkout.id],
    ['checkoutState', ({ dossier }) => look.say(`state_${sentenceOf(dossier, now).key}`)],
    ['price', ({ dossier }) => figureCell(checkoutAmount(dossier.checkout))],
    ['columnCurrency', ({ dossier }) => dossier.checkout.billingCurrency],
    ['paidAmount', (row) => firstOf(paid(row), ({ asset, units }) => unitsCell(deps, asset, units))],
    ['columnPaidAsset', (row) => firstOf(paid(row), ({ asset }) => codeOf(deps, asset))],
    // Rare, so it is a text: a second asset that somebody paid in.
    ['columnAlsoPaid', (row) => paid(row).slice(1).map(amountWithCode).join(', ')],
    ['network', (row) => networkName(rail(row)?.network ?? '')],
  ];
  if (!look.may('seeCustomers')) return columns;
  return [
    ...columns,
    ['customer', ({ customer }) => (customer ? customerName(customer) : '')],
    ['field_email', ({ customer }) => customer?.email ?? ''],
  ];

  function amountWithCode({ asset, units }: { asset: string; units: bigint }): string {
    return `${formatUnits(units, findAsset(deps.assets, asset)?.ledgerScale ?? 0)} ${codeOf(deps, asset)}`;
  }
}

const firstOf = <T>([first]: readonly T[], cell: (item: T) => CsvCell): CsvCell => (first ? cell(first) : null);

export const customerColumns = (look: AccountLook): Column<Customer>[] => {
  const moment = momentIn(look);
  return [
    ['customerId', ({ id }) => id],
    ['customerSince', ({ createdAt }) => moment(createdAt)],
    ['field_email', ({ email }) => email],
    ...customerFieldNames.map((name): Column<Customer> => [`field_${name}`, ({ fields }) => fields[name] ?? '']),
  ];
};

const purposes = ['available', 'pending', 'suspense', 'reserved', 'receivable'] as const;

export const entryColumns = (look: AccountLook): Column<LedgerEntryRecord>[] => {
  const moment = momentIn(look);
  const changes = purposes.map(
    (purpose): Column<LedgerEntryRecord> => [
      `balance_${purpose}`,
      ({ lines }) => {
        const line = lines.find(({ account }) => account === purpose);
        return line ? figureCell(line.amount) : null;
      },
    ],
  );
  return [
    ['entryTime', ({ timestamp }) => moment(new Date(timestamp))],
    ['entryWhat', ({ kind }) => entryName(look, kind)],
    ...changes,
    ['columnAsset', ({ lines }) => lines[0]?.assetCode ?? ''],
    ['columnAbout', ({ subject }) => subject.id],
    ['columnReference', ({ reference }) => reference],
  ];
};

export function transferColumns(deps: WordDeps, look: AccountLook, names: ActorNames): Column<Transfer>[] {
  const moment = momentIn(look);
  const units =
    (of: (transfer: Transfer) => bigint) =>
    (transfer: Transfer): CsvCell =>
      unitsCell(deps, transfer.asset, of(transfer));
  const who = (actor: string | null): string => (actor === null ? '' : actorText(look, names, actor));
  return [
    ['transferTime', ({ createdAt }) => moment(createdAt)],
    ['columnTransfer', ({ id }) => id],
    ['transferState', ({ state, isSigned }) => look.say(`transferState_${shownTransferState(state, isSigned)}`)],
    ['transferAmount', units((transfer) => transfer.units)],
    ['columnFee', units(feeUnitsOf)],
    ['factTotal', units(totalUnitsOf)],
    ['columnAsset', ({ asset }) => codeOf(deps, asset)],
    ['factNetwork', ({ network }) => networkName(network)],
    ['factTo', ({ targetLabel }) => targetLabel ?? ''],
    ['factAddress', ({ address }) => address],
    ['factMemo', ({ memo }) => memo ?? ''],
    ['transferAsker', ({ requestedBy }) => who(requestedBy)],
    ['columnApprover', ({ approvedBy }) => who(approvedBy)],
    ['factTransaction', ({ txHash }) => txHash ?? ''],
    ['columnEnded', ({ endedAt }) => (endedAt === null ? '' : moment(endedAt))],
  ];
}

export const dayColumns = ({ say }: AccountLook, currency: string): Column<ShownDay>[] => [
  ['day', ({ day }) => day],
  ['paid', ({ paid, isKnown }) => (isKnown ? figureCell(String(paid)) : null)],
  ['credited', ({ credited, isKnown }) => (isKnown ? figureCell(fixedMoney(currency, credited)) : null)],
  ['columnCurrency', () => currency],
  ['columnNote', ({ isKnown, isValued }) => (!isKnown ? say('notCounted') : isValued ? '' : say('daysWorthUnknown'))],
];
