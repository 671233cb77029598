/**
 * The ledger of checkouts: a row for each credit, what was taken back of one, and each refund, in the order of time. Rows are
 * made from the entries of the ledger that are about checkouts and refunds and moved what the account has, so that they add
 * up to the lines of its statement; what is known about the checkout stands beside them. A refund of what was never credited
 * moved nothing of that, and is no row.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Checkout, CheckoutDossier, SettledPart } from '../checkouts/checkout.ts';
import { countriesOfCheckouts, findDossiers } from '../checkouts/checkout-store.ts';
import { findRefunds } from '../checkouts/refund-store.ts';
import { type Customer, findCustomers } from '../counterparties/customer-store.ts';
import type { Query } from '../db/database.ts';
import { reversalReference, type SubjectKind } from '../ledger/entry.ts';
import { readEntryCursor, writeEntryCursor } from '../ledger/entry-cursor.ts';
import {
  countMovements,
  type EntryMovement,
  listMovements,
  type MovementFilter,
} from '../ledger/movement-list-store.ts';
import { type Decimal, decimal, divide, one } from '../money/decimal.ts';
import type { UsedRate } from '../pricing/quote.ts';
import { type Covered, madeUpTo } from './covered-days.ts';
import { type Bookings, bookingsOf, paidFoundBy, sentFoundBy } from './found-by.ts';
import { type Amount, createValuer } from './movement-values.ts';
import { type LineSum, sumStatementDays } from './statement-day-store.ts';
import { kindsOn, lineOf, type StatementLine, statementLines } from './statement-lines.ts';

const subjects: readonly SubjectKind[] = ['checkout', 'refund'];

/** By which rate units of a coin became a price. */
export type RowRate = {
  readonly basis: 'QUOTE' | 'RATE_OF_ARRIVAL' | 'RATE_OF_ACCEPTANCE' | 'PAID_UNITS' | 'BILLING_RATE' | 'CURRENT_RATE';
  /** What one of what was paid cost in the billing currency; null: that was not asked. */
  readonly price: Decimal | null;
  readonly sources: readonly string[];
};

export type CheckoutLedgerRow = {
  readonly postedAt: Date;
  readonly kind: string;
  /** On which line of the statement it is. */
  readonly line: StatementLine;
  readonly reference: string;
  readonly checkoutId: string | null;
  readonly refundId: string | null;
  readonly checkout: Checkout | undefined;
  readonly customer: Customer | undefined;
  /** Of the customer when the checkout was made; null: not known. */
  readonly country: string | null;
  readonly paid: (Amount & { readonly network: string }) | null;
  readonly rate: RowRate | null;
  readonly asset: string;
  /** Before the fee; with a minus, what was taken. */
  readonly units: bigint;
  readonly feeUnits: bigint;
  /** In the smallest unit of the account's currency, at the rate of the hour; null: none is known. */
  readonly value: bigint | null;
  readonly feeValue: bigint | null;
  readonly transactions: readonly string[];
  /** The same as people know them. */
  readonly foundBy: readonly string[];
};

export type CheckoutLedgerDeps = { readonly db: Query; readonly assets: AssetCatalog };

/** Which rows; null: all. */
export type LedgerFilter = { readonly asset: string | null; readonly line: StatementLine | null };

type Page = { readonly rows: readonly CheckoutLedgerRow[]; readonly next: string | null };

/** Entries up to a limit; an entry has a row for each way in which it was paid. */
export async function readCheckoutLedger(
  { db, assets }: CheckoutLedgerDeps,
  merchantId: string,
  { span, currency }: Covered,
  asked: Partial<LedgerFilter> & { readonly cursor?: string | undefined; readonly limit: number },
): Promise<Page> {
  const { cursor, limit, asset: only = null, line = null } = asked;
  const cut = { ...span, after: readEntryCursor(cursor), limit: limit + 1 };
  const found = await listMovements(db, merchantId, movementsOf({ asset: only, line }), cut);
  const references = [...new Set(found.map(({ reference }) => reference))];
  const isMore = references.length > limit;
  const moved = isMore ? found.filter(({ reference }) => reference !== references.at(-1)) : found;
  const known = await readSubjects(db, merchantId, moved);
  const valueOf = await createValuer(
    { db, assets },
    currency,
    moved.map(({ asset, postedAt }) => ({ asset, at: postedAt })),
  );
  const rows = moved.flatMap((movement) => {
    const about = known(movement);
    const { postedAt, kind, reference, asset } = movement;
    return detailsOf(assets, movement, about).map(
      ({ units, feeUnits, ...details }): CheckoutLedgerRow => ({
        postedAt,
        kind,
        line: lineOf(kind),
        reference,
        checkoutId: about.checkoutId,
        refundId: about.refundId,
        checkout: about.dossier?.checkout,
        customer: about.customer,
        country: about.country,
        asset,
        units,
        feeUnits,
        value: valueOf({ asset, units }, postedAt),
        feeValue: valueOf({ asset, units: feeUnits }, postedAt),
        ...details,
      }),
    );
  });
  const last = moved.at(-1);
  return { rows: rows.filter(isRow), next: isMore && last ? writeEntryCursor(last) : null };
}

/** About how many rows there are, at most `max`: an entry that was paid in several ways has more than one. */
export const countCheckoutLedger = (
  { db }: CheckoutLedgerDeps,
  merchantId: string,
  { span }: Covered,
  { max, ...only }: LedgerFilter & { readonly max: number },
): Promise<number> => countMovements(db, merchantId, movementsOf(only), span, max);

const movementsOf = ({ asset, line }: LedgerFilter): MovementFilter => ({
  subjects,
  asset,
  kinds: line && kindsOn(line),
});

const isRow = ({ units, feeUnits }: CheckoutLedgerRow): boolean => units !== 0n || feeUnits !== 0n;

/** What all rows come to, by line and asset: the share of checkouts and refunds in the kept days of the statement. */
export async function sumCheckoutLedger(
  db: Query,
  merchantId: string,
  covered: Covered,
  only: LedgerFilter = { asset: null, line: null },
): Promise<LineSum[]> {
  await madeUpTo(db, merchantId, covered);
  const sums = await sumStatementDays(db, merchantId, covered, subjects);
  const isWanted = ({ line, asset }: LineSum): boolean =>
    line !== 'debts' && (only.line ?? line) === line && (only.asset ?? asset) === asset;
  const place = ({ line, asset }: LineSum): string => `${statementLines.indexOf(line)} ${asset}`;
  return sums.filter(isWanted).toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

type About = {
  readonly checkoutId: string | null;
  readonly refundId: string | null;
  readonly dossier: CheckoutDossier | undefined;
  readonly bookings: Bookings;
  readonly customer: Customer | undefined;
  readonly country: string | null;
};

async function readSubjects(
  db: Query,
  merchantId: string,
  movements: readonly EntryMovement[],
): Promise<(movement: EntryMovement) => About> {
  const idsOf = (wanted: SubjectKind): string[] =>
    movements.filter(({ subject }) => subject.kind === wanted).map(({ subject }) => subject.id);
  const refunds = await findRefunds(db, merchantId, idsOf('refund'));
  const ids = [...new Set([...idsOf('checkout'), ...Array.from(refunds.values(), ({ checkoutId }) => checkoutId)])];
  const found = await findDossiers(
    db,
    ids.map((id) => ({ merchantId, id })),
    { hasQuotes: false },
  );
  const dossiers = new Map(found.flatMap((dossier) => (dossier ? [[dossier.checkout.id, dossier]] : [])));
  const customerIds = Array.from(dossiers.values(), ({ checkout }) => checkout.customerId ?? []).flat();
  const customers = new Map((await findCustomers(db, merchantId, customerIds)).map((each) => [each.id, each]));
  const countries = await countriesOfCheckouts(db, merchantId, ids);
  const bookings = await bookingsOf(db, merchantId, dossiers.values());
  return ({ subject: { kind, id } }) => {
    const checkoutId = kind === 'checkout' ? id : (refunds.get(id)?.checkoutId ?? null);
    const dossier = dossiers.get(checkoutId ?? '');
    const refundId = kind === 'refund' ? id : null;
    const customer = customers.get(dossier?.checkout.customerId ?? '');
    return { checkoutId, refundId, dossier, bookings, customer, country: countries.get(checkoutId ?? '') ?? null };
  };
}

type Details = Pick<CheckoutLedgerRow, 'units' | 'feeUnits' | 'paid' | 'rate' | 'transactions' | 'foundBy'>;

function detailsOf(assets: AssetCatalog, movement: EntryMovement, { dossier, bookings }: About): Details[] {
  const { available, receivable, fee } = movement;
  const whole = { units: available + receivable + fee, feeUnits: fee };
  const nothing: Details = { ...whole, paid: null, rate: null, transactions: [], foundBy: [] };
  if (!dossier) return [nothing];
  const refund = dossier.refunds.find(({ id }) => movement.subject.kind === 'refund' && id === movement.subject.id);
  if (refund) {
    const { basis, rates, asset, network, txHash } = refund;
    const rate = { basis, ...rateOf(assets, rates, asset, dossier.checkout) };
    const foundBy = sentFoundBy(network, txHash);
    return [{ ...nothing, rate, transactions: txHash === null ? [] : [txHash], foundBy }];
  }
  const parts = creditedParts(assets, movement, dossier, bookings);
  // What the settlement says is shown only where it is what the ledger says.
  const isExact =
    sumOf(parts, ({ units }) => units) === whole.units && sumOf(parts, ({ feeUnits }) => feeUnits) === fee;
  return parts.length > 0 && isExact ? parts : [nothing];
}

const sumOf = <T>(items: readonly T[], of: (item: T) => bigint): bigint =>
  items.reduce((sum, item) => sum + of(item), 0n);

/** What a settlement credited, part by part; of one that was taken back, the same with a minus. */
function creditedParts(
  assets: AssetCatalog,
  { reference, asset }: EntryMovement,
  dossier: CheckoutDossier,
  bookings: Bookings,
): Details[] {
  const sign = dossier.settlements.some((each) => reversalReference(each.reference) === reference) ? -1n : 1n;
  const settlement = dossier.settlements.find((each) =>
    [each.reference, reversalReference(each.reference)].includes(reference),
  );
  const parts = settlement?.parts.filter(({ creditedAsset }) => creditedAsset === asset) ?? [];
  return parts.map((part): Details => {
    const payments = dossier.payments.filter(({ commitmentId }) => commitmentId === part.commitmentId);
    return {
      units: sign * BigInt(part.grossUnits),
      feeUnits: sign * BigInt(part.feeUnits),
      paid: { network: part.network, asset: part.paidAsset, units: sign * BigInt(part.countedUnits) },
      rate: partRate(assets, part, dossier),
      transactions: [...new Set(payments.map(({ txHash }) => txHash))],
      foundBy: paidFoundBy(dossier, payments, bookings),
    };
  });
}

function partRate(assets: AssetCatalog, part: SettledPart, { checkout, commitments }: CheckoutDossier): RowRate {
  const { basis, commitmentId, paidAsset } = part;
  if (basis !== 'QUOTE') return { basis, price: null, sources: [] };
  const rates = commitments.find(({ id }) => id === commitmentId)?.quote.rates ?? [];
  return { basis, ...rateOf(assets, rates, paidAsset, checkout) };
}

const priceScale = 12;

function rateOf(
  assets: AssetCatalog,
  rates: readonly UsedRate[],
  asset: string,
  { billingCurrency }: Checkout,
): Omit<RowRate, 'basis'> {
  const usdOf = (code: string | undefined): Decimal | null => {
    const usd = rates.find((rate) => rate.code === code)?.usd;
    return usd === undefined ? (code === 'USD' ? one : null) : decimal(usd);
  };
  const [coin, billing] = [usdOf(findAsset(assets, asset)?.currencyCode), usdOf(billingCurrency)];
  return {
    price: coin && billing && divide(coin, billing, priceScale, 'half-up'),
    sources: [...new Set(rates.flatMap(({ sources }) => sources))],
  };
}
