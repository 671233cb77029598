/**
 * What was credited on some days less what was given back, by tax, rate and country. Each entry of the ledger that changed how
 * much of a price had been paid brings the difference between before and after. In the account's currency that is worth what
 * the billing currency was in its hour, and of what undoes another entry in the hour of that one; a sum of a day is rounded once,
 * as in a statement.
 *
 * Checkouts are read some at a time: a day of any length needs the memory of a batch, and of its rows.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { countriesOfCheckouts, findDossiers } from '../checkouts/checkout-store.ts';
import { readCharge } from '../checkouts/read-charge.ts';
import { findRefunds } from '../checkouts/refund-store.ts';
import type { Query } from '../db/database.ts';
import { type EntryKind, reversedReference, type Subject } from '../ledger/entry.ts';
import { type EntryHead, entryHeadsAbout, listEntryHeads } from '../ledger/entry-head-store.ts';
import type { DaySpan } from '../lib/local-day.ts';
import { type Decimal, divide, fromUnits, one, plus, power10, times, toUnits, zero } from '../money/decimal.ts';
import { everHours, hourOf, type RatesAtHours, ratesAtHours } from '../pricing/rate-hours.ts';
import { roundPrice } from '../pricing/round-price.ts';
import type { Ratio } from '../pricing/share-of-price.ts';
import { type PaidStep, paidSteps } from './paid-shares.ts';
import type { TaxDay, TaxKey } from './tax-day-store.ts';
import { splitAt, type TaxedCharge, taxedCharge } from './tax-split.ts';
import { decimalsOf, worthOf } from './worth.ts';

/** What can change how much of a price is paid. */
const kinds: readonly EntryKind[] = [
  'settlement',
  'settlement_reversed',
  'excess_accepted',
  'refund_held',
  'refund_returned',
  'refund_came_back',
  'payment_received',
  'payment_reversed',
];

const entriesAtOnce = 500;

type Deps = { readonly assets: AssetCatalog };
type Whose = { readonly merchantId: string; readonly currency: string };

export async function countTaxDays(
  query: Query,
  deps: Deps,
  whose: Whose,
  spans: readonly DaySpan[],
): Promise<TaxDay[]> {
  const [from, to] = [spans[0]?.from ?? new Date(0), spans.at(-1)?.to ?? new Date(0)];
  const dayOf = (moment: Date): string => spans.find((span) => moment >= span.from && moment < span.to)?.day ?? '';
  const sums = createTaxSums(whose.currency);
  let after: EntryHead | null = null;
  do {
    const cut = { from, to, after, limit: entriesAtOnce };
    const entries: readonly EntryHead[] = await listEntryHeads(query, whose.merchantId, kinds, cut);
    for (const change of await changesOf(query, deps, whose, entries)) sums.add(dayOf(change.at), change);
    after = entries.at(-1) ?? null;
  } while (after !== null);
  return sums.days();
}

/** What one entry brought to one row. */
type Change = {
  readonly key: TaxKey;
  readonly at: Date;
  readonly base: bigint;
  readonly countedBase: bigint;
  readonly amount: bigint;
  /** What one of the billing currency was worth in the account's; null: nobody knows. */
  readonly rate: Decimal | null;
};

async function changesOf(query: Query, deps: Deps, whose: Whose, entries: readonly EntryHead[]): Promise<Change[]> {
  if (entries.length === 0) return [];
  const { merchantId, currency } = whose;
  const dossiers = await dossiersOf(query, merchantId, entries);
  const heads = await entryHeadsAbout(query, merchantId, kinds, [...dossiers.values()].flatMap(subjectsOf));
  const countries = await countriesOfCheckouts(query, merchantId, [...dossiers.keys()]);
  const rates = await ratesOf(query, deps, currency, dossiers, heads);
  const wanted = new Set(entries.map(({ reference }) => reference));
  const owner = ownerOf(dossiers);
  const postedAt = new Map(heads.map((head) => [head.reference, head.postedAt]));
  const worthAt = (entry: EntryHead, dossier: CheckoutDossier): Date =>
    postedAt.get(undoneBy(entry, dossier) ?? '') ?? entry.postedAt;
  const byCheckout = Map.groupBy(heads, (head) => owner(head) ?? '');
  return [...dossiers.values()].flatMap((dossier) => {
    const { checkout } = dossier;
    const charge = chargeOf(dossier);
    const country = countries.get(checkout.id) ?? '';
    const steps = paidSteps(dossier, byCheckout.get(checkout.id) ?? [], strangeShares(deps, rates, dossier, charge));
    return steps
      .filter(({ entry }) => wanted.has(entry.reference))
      .flatMap((step) => {
        const rate = rateOf(rates, checkout.billingCurrency, currency, hourOf(worthAt(step.entry, dossier)));
        return changesIn(charge, step, { country, currency: checkout.billingCurrency }, rate);
      });
  });
}

/** The reference of the entry whose worth this one takes back or brings again; null: there is none. */
function undoneBy({ kind, reference, subject, postedAt }: EntryHead, { checkout }: CheckoutDossier): string | null {
  if (kind === 'refund_returned' || kind === 'refund_came_back') return `refund:${subject.id}`;
  if (kind !== 'payment_reversed' && kind !== 'payment_received') return reversedReference(reference);
  // With a payment goes and comes what had been kept of it.
  const paymentId = reference.split(':')[1];
  const place = checkout.acceptedExcess.findLastIndex(
    ({ takes, acceptedAt }) => new Date(acceptedAt) <= postedAt && takes.some((take) => take.paymentId === paymentId),
  );
  return place < 0 ? null : `excess:${checkout.id}:${place + 1}`;
}

async function dossiersOf(
  query: Query,
  merchantId: string,
  entries: readonly EntryHead[],
): Promise<Map<string, CheckoutDossier>> {
  const idsOf = (kind: Subject['kind']): string[] =>
    entries.filter(({ subject }) => subject.kind === kind).map(({ subject }) => subject.id);
  const refunds = await findRefunds(query, merchantId, [...new Set(idsOf('refund'))]);
  const ids = new Set([...idsOf('checkout'), ...Array.from(refunds.values(), ({ checkoutId }) => checkoutId)]);
  const found = await findDossiers(
    query,
    Array.from(ids, (id) => ({ merchantId, id })),
    { hasQuotes: false },
  );
  return new Map(found.flatMap((dossier) => (dossier ? [[dossier.checkout.id, dossier]] : [])));
}

const subjectsOf = ({ checkout, refunds }: CheckoutDossier): Subject[] => [
  { kind: 'checkout', id: checkout.id },
  ...refunds.map(({ id }): Subject => ({ kind: 'refund', id })),
];

/** Which checkout an entry is about. */
function ownerOf(dossiers: ReadonlyMap<string, CheckoutDossier>): (head: EntryHead) => string | undefined {
  const ofRefund = new Map(
    Array.from(dossiers.values(), ({ checkout, refunds }) =>
      refunds.map(({ id }) => [id, checkout.id] as const),
    ).flat(),
  );
  return ({ subject }) => (subject.kind === 'refund' ? ofRefund.get(subject.id) : subject.id);
}

function chargeOf({ checkout }: CheckoutDossier): TaxedCharge {
  const decimals = decimalsOf(checkout.billingCurrency);
  return taxedCharge(readCharge(checkout), roundPrice(checkout.total, decimals), decimals);
}

/** One look for all: what was billed, what the account counts in, and what an excess was paid in that has no price. */
function ratesOf(
  query: Query,
  { assets }: Deps,
  currency: string,
  dossiers: ReadonlyMap<string, CheckoutDossier>,
  heads: readonly EntryHead[],
): Promise<RatesAtHours> {
  const owner = ownerOf(dossiers);
  const ofEntries = heads.flatMap((head) => {
    const billing = dossiers.get(owner(head) ?? '')?.checkout.billingCurrency ?? currency;
    return [billing, currency].map((code) => ({ code, hour: hourOf(head.postedAt) }));
  });
  const ofStrangers = [...dossiers.values()].flatMap(({ checkout, payments }) => {
    const codes = payments
      .filter(({ commitmentId }) => commitmentId === null)
      .map(({ asset }) => findAsset(assets, asset)?.currencyCode ?? '');
    return checkout.acceptedExcess.flatMap(({ acceptedAt }) =>
      [...new Set([...codes, checkout.billingCurrency])].map((code) => ({ code, hour: hourOf(new Date(acceptedAt)) })),
    );
  });
  return ratesAtHours(query, [...ofEntries, ...ofStrangers], everHours);
}

function strangeShares({ assets }: Deps, rates: RatesAtHours, { checkout }: CheckoutDossier, { price }: TaxedCharge) {
  return (asset: string, units: bigint, at: Date): Ratio | null => {
    const worth = worthOf({ assets, rates, currency: checkout.billingCurrency }, { asset, units }, hourOf(at));
    if (!worth || price.digits === 0n) return null;
    return { numerator: worth.digits * power10(price.scale), denominator: price.digits * power10(worth.scale) };
  };
}

/** Enough that what is rounded here is never seen in a year. */
const rateScale = 24;

function rateOf(rates: RatesAtHours, from: string, to: string, hour: Date): Decimal | null {
  if (from === to) return one; // Worth itself, whether anybody knew a rate or not.
  const [given, wanted] = [rates(from, hour), rates(to, hour)];
  return given && wanted && divide(given, wanted, rateScale, 'down');
}

function changesIn(
  charge: TaxedCharge,
  { entry, before, after }: PaidStep,
  whose: Pick<TaxKey, 'country' | 'currency'>,
  rate: Decimal | null,
): Change[] {
  const [was, is] = [splitAt(charge, before), splitAt(charge, after)];
  const [taxable, untaxed] = [is.taxable - was.taxable, is.untaxed - was.untaxed];
  const at = entry.postedAt;
  const ofTaxes = charge.taxes.map(({ name, rate: ofTax }, place): Change => {
    const amount = (is.taxes[place] ?? 0n) - (was.taxes[place] ?? 0n);
    const key = { ...whose, tax: name, rate: ofTax };
    return { key, at, base: taxable, countedBase: place === 0 ? taxable : 0n, amount, rate };
  });
  const without: Change = {
    key: { ...whose, tax: '', rate: '' },
    at,
    base: untaxed,
    countedBase: untaxed,
    amount: 0n,
    rate,
  };
  return [...ofTaxes, without].filter(({ base, amount }) => base !== 0n || amount !== 0n);
}

/** Adds up day by day; values are rounded at the end. */
function createTaxSums(currency: string) {
  type Sum = Omit<TaxDay, 'baseValue' | 'countedBaseValue' | 'amountValue'> & {
    readonly worth: readonly [base: Decimal, countedBase: Decimal, amount: Decimal] | null;
  };
  const sums = new Map<string, Sum>();
  const decimals = decimalsOf(currency);
  return {
    add(day: string, { key, base, countedBase, amount, rate }: Change): void {
      const name = JSON.stringify([day, key.country, key.tax, key.rate, key.currency]);
      const sum: Sum = sums.get(name) ?? {
        ...key,
        day,
        entries: 0,
        base: 0n,
        countedBase: 0n,
        amount: 0n,
        worth: [zero, zero, zero],
      };
      const scale = decimalsOf(key.currency);
      const worthMore = (before: Decimal, units: bigint, by: Decimal): Decimal =>
        plus(before, times(fromUnits(units, scale), by));
      sums.set(name, {
        ...sum,
        entries: sum.entries + 1,
        base: sum.base + base,
        countedBase: sum.countedBase + countedBase,
        amount: sum.amount + amount,
        worth: rate &&
          sum.worth && [
            worthMore(sum.worth[0], base, rate),
            worthMore(sum.worth[1], countedBase, rate),
            worthMore(sum.worth[2], amount, rate),
          ],
      });
    },
    days: (): TaxDay[] =>
      Array.from(sums.values(), ({ worth, ...sum }) => {
        const [base, countedBase, amount] = (worth ?? []).map((each) => toUnits(each, decimals, 'half-up'));
        return {
          ...sum,
          baseValue: base ?? null,
          countedBaseValue: countedBase ?? null,
          amountValue: amount ?? null,
        };
      }),
  };
}
