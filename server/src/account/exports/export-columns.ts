/** What the files of an account's lists have in them: more than fits on a screen, and amounts as numbers. */
import type { LedgerEntryRecord } from '@quittance/contract/wallet';
import { findAsset } from '../../catalog/asset-catalog.ts';
import { sentAs } from '../../catalog/sent-as.ts';
import type { CheckoutDossier } from '../../checkouts/checkout.ts';
import { isAlive } from '../../checkouts/checkout-state.ts';
import { customerFieldNames } from '../../counterparties/customer-fields.ts';
import type { Customer } from '../../counterparties/customer-store.ts';
import { zonedMoment } from '../../lib/local-day.ts';
import { formatUnits } from '../../money/amount.ts';
import { decimal, formatFixed, sum } from '../../money/decimal.ts';
import type { ListedPaper } from '../../papers/list-papers.ts';
import type { PaperFacts } from '../../papers/paper-facts.ts';
import type { ShownDay } from '../../reports/read-days.ts';
import { feeUnitsOf, type Transfer, totalUnitsOf } from '../../wallets/transfer.ts';
import { shownTransferState } from '../../wallets/transfer-state.ts';
import { type CsvCell, figureCell } from '../../web/csv.ts';
import { plainCoinDigits } from '../../web/number-text.ts';
import { paidSums } from '../checkouts/checkout-list-page.ts';
import { checkoutAmount, customerName, orderOf, sentenceOf, type WordDeps } from '../checkouts/checkout-words.ts';
import type { FileLook } from '../frame/account-look.ts';
import { type ActorNames, actorText, networkName } from '../frame/money-words.ts';
import { fixedMoney } from '../home/home-days.ts';
import { entryName } from '../money/entry-words.ts';
import type { AccountTextKey } from '../texts/account-texts.ts';

/** What a column is called, and what stands in it. */
export type Column<Row> = readonly [name: AccountTextKey, cell: (row: Row) => CsvCell];

type Moment = (at: Date) => string;

const momentIn =
  (timeZone: string): Moment =>
  (at) =>
    zonedMoment(timeZone, at);

const amountIn = (deps: WordDeps, asset: string, units: bigint): string =>
  plainCoinDigits(formatUnits(units, findAsset(deps.assets, asset)?.ledgerScale ?? 0), codeOf(deps, asset));

const unitsCell = (deps: WordDeps, asset: string, units: bigint): CsvCell => figureCell(amountIn(deps, asset, units));

const codeOf = ({ assets }: WordDeps, asset: string): string => findAsset(assets, asset)?.assetCode ?? asset;

/** A checkout, with its customer where there is one and the role may know. */
export type CheckoutRow = { readonly dossier: CheckoutDossier; readonly customer: Customer | undefined };

/** When and where a file is written: moments are in the time zone of the account. */
type Written = { readonly asOf: Date; readonly timeZone: string; readonly hasCustomers: boolean };

export function checkoutColumns(
  deps: WordDeps,
  look: FileLook,
  { asOf, timeZone, hasCustomers }: Written,
): Column<CheckoutRow>[] {
  const moment = momentIn(timeZone);
  const paid = ({ dossier }: CheckoutRow) => paidSums(dossier.payments.filter(isAlive));
  const rail = ({ dossier: { payments, commitments } }: CheckoutRow) =>
    payments.filter(isAlive).at(-1) ?? commitments.at(-1);
  const columns: Column<CheckoutRow>[] = [
    ['checkoutTime', ({ dossier }) => moment(dossier.checkout.createdAt)],
    ['order', ({ dossier }) => orderOf(dossier.checkout)],
    ['columnCheckout', ({ dossier }) => dossier.checkout.id],
    ['checkoutState', ({ dossier }) => look.say(`state_${sentenceOf(dossier, asOf).key}`)],
    ['price', ({ dossier }) => figureCell(checkoutAmount(dossier.checkout))],
    ['columnCurrency', ({ dossier }) => dossier.checkout.billingCurrency],
    ['paidAmount', (row) => firstOf(paid(row), ({ asset, units }) => unitsCell(deps, asset, units))],
    ['columnPaidAsset', (row) => firstOf(paid(row), ({ asset }) => codeOf(deps, asset))],
    // Rare, so it is a text: a second asset that somebody paid in.
    ['columnAlsoPaid', (row) => paid(row).slice(1).map(amountWithCode).join(', ')],
    ['network', (row) => networkName(rail(row)?.network ?? '')],
  ];
  if (!hasCustomers) return columns;
  return [
    ...columns,
    ['customer', ({ customer }) => (customer ? customerName(customer) : '')],
    ['field_email', ({ customer }) => customer?.email ?? ''],
  ];

  function amountWithCode({ asset, units }: { asset: string; units: bigint }): string {
    return `${amountIn(deps, asset, units)} ${codeOf(deps, asset)}`;
  }
}

const firstOf = <T>([first]: readonly T[], cell: (item: T) => CsvCell): CsvCell => (first ? cell(first) : null);

export const customerColumns = ({ timeZone }: Written): Column<Customer>[] => {
  const moment = momentIn(timeZone);
  return [
    ['customerId', ({ id }) => id],
    ['customerSince', ({ createdAt }) => moment(createdAt)],
    ['field_email', ({ email }) => email],
    ...customerFieldNames.map((name): Column<Customer> => [`field_${name}`, ({ fields }) => fields[name] ?? '']),
  ];
};

const purposes = ['available', 'pending', 'suspense', 'reserved', 'receivable'] as const;

export const entryColumns = (look: FileLook, { timeZone }: Written): Column<LedgerEntryRecord>[] => {
  const moment = momentIn(timeZone);
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

export function transferColumns(
  deps: WordDeps,
  look: FileLook,
  { timeZone }: Written,
  names: ActorNames,
): Column<Transfer>[] {
  const moment = momentIn(timeZone);
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
    ['factTransaction', ({ network, txHash }) => sentAs(network, txHash) ?? ''],
    ['columnEnded', ({ endedAt }) => (endedAt === null ? '' : moment(endedAt))],
  ];
}

export const paperColumns = ({ say }: FileLook, { hasCustomers }: Written): Column<ListedPaper>[] => {
  const columns: Column<ListedPaper>[] = [
    ['paperNumber', ({ paper }) => paper.number],
    ['paperKind', ({ paper }) => say(`paperKind_${paper.kind}`)],
    // The day that the paper itself says, though the shop may be elsewhere since.
    ['paperDay', ({ paper }) => zonedMoment(paper.facts.timeZone, paper.issuedAt)],
    ['order', ({ paper }) => paper.facts.orderReference ?? ''],
    ['columnCheckout', ({ paper }) => paper.checkoutId],
    ['paperNet', ({ paper }) => figureCell(paper.facts.net)],
    ['paperTax', ({ paper }) => figureCell(taxOf(paper.facts))],
    ['paperRounding', ({ paper }) => figureCell(paper.facts.rounding)],
    ['paperTotal', ({ paper }) => figureCell(paper.facts.total)],
    ['columnCurrency', ({ paper }) => paper.facts.currency],
    ['paperCreditedSum', ({ credited }) => figureCell(credited)],
    ['paperMark', ({ mark }) => (mark === null ? '' : say(`paperMark_${mark}`))],
    ['paperCorrects', ({ paper }) => paper.facts.corrects?.number ?? ''],
  ];
  if (!hasCustomers) return columns;
  return [
    ...columns,
    ['customer', ({ paper: { facts } }) => (facts.buyer ? customerName(facts.buyer) : '')],
    ['field_email', ({ paper: { facts } }) => facts.buyer?.email ?? ''],
  ];
};

const taxOf = ({ taxes, decimals }: PaperFacts): string =>
  formatFixed(
    sum(taxes, ({ amount }) => decimal(amount)),
    decimals,
  );

export const dayColumns = ({ say }: FileLook, currency: string): Column<ShownDay>[] => [
  ['day', ({ day }) => day],
  ['paid', ({ paid, isKnown }) => (isKnown ? figureCell(String(paid)) : null)],
  ['credited', ({ credited, isKnown }) => (isKnown ? figureCell(fixedMoney(currency, credited)) : null)],
  ['columnCurrency', () => currency],
  ['columnNote', ({ isKnown, isValued }) => (!isKnown ? say('notCounted') : isValued ? '' : say('daysWorthUnknown'))],
];
