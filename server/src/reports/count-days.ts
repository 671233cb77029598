/**
 * What became of an account's checkouts on some days: a function of what is stored, for days that are kept and for today.
 * Credited is what settlements brought, less what was taken back, and is worth what it was worth in its hour. What a chain
 * took back counts on the day on which that happened, for a closed day does not change; but it is worth what the credit was
 * worth, in whatever hour it is taken back, and it is one paid checkout less. So over all days a credit that was taken back
 * is nothing: neither money nor a number. A day on which only that happened is below zero.
 */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { countCreated } from '../checkouts/checkout-count-store.ts';
import type { Query } from '../db/database.ts';
import { assetOfAccount, merchantAccount } from '../ledger/chart-of-accounts.ts';
import type { EntryKind } from '../ledger/entry.ts';
import { countEntries, type HourSum, listSubjects, sumByHour } from '../ledger/ledger-day-store.ts';
import type { DaySpan } from '../lib/local-day.ts';
import { type Decimal, plus, roundTo, zero } from '../money/decimal.ts';
import { type RatesAtHours, ratesAtHours } from '../pricing/rate-hours.ts';
import type { CheckoutDay } from './day-store.ts';
import { sumKeptAnew } from './kept-excess.ts';
import { decimalsOf, worthOf } from './worth.ts';

export type DayDeps = { readonly assets: AssetCatalog };

const creditKinds: readonly EntryKind[] = ['settlement', 'settlement_reversed', 'excess_accepted'];
/** A debt that is repaid first is credited all the same. */
const creditedTo = ['available', 'receivable'] as const;

/** Days on which nothing happened are left out. */
export async function countDays(
  query: Query,
  { assets }: DayDeps,
  account: { readonly merchantId: string; readonly currency: string },
  spans: readonly DaySpan[],
): Promise<CheckoutDay[]> {
  const { merchantId, currency } = account;
  const accounts = creditedAccounts(assets, merchantId);
  const created = await countCreated(query, merchantId, spans);
  const paid = await countEntries(query, merchantId, { kind: 'settlement', less: 'settlement_reversed' }, spans);
  const sums = [
    ...(await sumByHour(query, merchantId, { kinds: creditKinds, accounts }, spans)),
    ...(await sumKeptAnew(query, merchantId, accounts, spans)),
  ];
  const rates = await ratesAtHours(
    query,
    sums.flatMap(({ account: id, hour }) => [
      { code: codeOf(assets, id), hour },
      { code: currency, hour },
    ]),
  );
  const worth = (of: readonly HourSum[]) => valueOf(assets, rates, of, currency);
  return spans.flatMap(({ day }) => {
    const ofDay = sums.filter((sum) => sum.day === day);
    const [made = 0, settled = 0] = [created.get(day), paid.get(day)];
    const isEmpty = made === 0 && settled === 0 && ofDay.length === 0;
    return isEmpty ? [] : [{ day, created: made, paid: settled, ...worth(ofDay) }];
  });
}

const creditedAccounts = (assets: AssetCatalog, merchantId: string): string[] =>
  assets.assets.flatMap(({ id }) => creditedTo.map((purpose) => merchantAccount(merchantId, purpose, id)));

const codeOf = (assets: AssetCatalog, account: string): string =>
  assets.byIdOrCode.get(assetOfAccount(account))?.currencyCode ?? '';

/** Rounded once, down, to the decimals of the currency. */
function valueOf(
  assets: AssetCatalog,
  rates: RatesAtHours,
  sums: readonly HourSum[],
  currency: string,
): { credited: Decimal; isValued: boolean } {
  let credited: Decimal = zero;
  let isValued = true;
  for (const { account, hour, units } of sums) {
    const worth = worthOf({ assets, rates, currency }, { asset: assetOfAccount(account), units }, hour);
    if (!worth) isValued = false;
    else credited = plus(credited, worth);
  }
  return { credited: roundTo(credited, decimalsOf(currency), 'down'), isValued };
}

/** The checkouts that make up what was credited in a span of time. */
export async function creditedCheckouts(
  query: Query,
  { assets }: DayDeps,
  merchantId: string,
  span: { from: Date; to: Date },
): Promise<string[]> {
  const wish = { kinds: creditKinds, subjectKind: 'checkout' } as const;
  const settled = await listSubjects(query, merchantId, wish, span);
  const anew = await sumKeptAnew(query, merchantId, creditedAccounts(assets, merchantId), [{ day: anyDay, ...span }]);
  return [...new Set([...settled, ...anew.map(({ checkoutId }) => checkoutId)])];
}

const anyDay = '2000-01-01';
