/**
 * What left an account or was given for something else, in the order of time: transfers and refunds that were sent, swaps,
 * payments that were credited in another asset, and what attempts cost that failed. Each is worth what it was in the hour in
 * which it was confirmed; what is undone, what it was worth then. Rows are made from the entries of the ledger; what is known about the order stands beside them.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { findDossiers } from '../checkouts/checkout-store.ts';
import { orderOf } from '../checkouts/order-of-checkout.ts';
import { type FoundRefund, findRefunds } from '../checkouts/refund-store.ts';
import { type Beneficiary, beneficiariesOfTargets } from '../counterparties/beneficiary-store.ts';
import type { Query } from '../db/database.ts';
import { reversalReference, type SubjectKind } from '../ledger/entry.ts';
import { readEntryCursor, writeEntryCursor } from '../ledger/entry-cursor.ts';
import { countLeaving, type Leaving, listLeaving } from '../ledger/leaving-store.ts';
import { addDays, startOfDay } from '../lib/local-day.ts';
import type { Swap } from '../wallets/swap.ts';
import { findSwaps } from '../wallets/swap-store.ts';
import { feeUnitsOf, type Transfer } from '../wallets/transfer.ts';
import { findTransfers } from '../wallets/transfer-store.ts';
import { type Covered, madeUpTo } from './covered-days.ts';
import { type DisposalSum, sumDisposalDays } from './disposal-day-store.ts';
import { type DisposalKind, disposalKindOf, disposalKinds, leavingKinds, leavingKindsOf } from './disposal-kinds.ts';
import { foldedTo } from './fold-days.ts';
import { type Bookings, bookingsOf, paidFoundBy, sentFoundBy } from './found-by.ts';
import { type Amount, createValuer } from './movement-values.ts';

export type Disposal = Amount & {
  readonly postedAt: Date;
  readonly kind: DisposalKind;
  readonly reference: string;
  /** Of the transfer, refund or swap, or of the checkout whose payment was converted. */
  readonly subjectId: string;
  readonly checkoutId: string | null;
  readonly order: string | null;
  /** In the smallest unit of the account's currency, at the rate of the hour; null: none is known. */
  readonly value: bigint | null;
  /** What was given for it, before the fee. */
  readonly received: Amount | null;
  readonly fee: Amount | null;
  readonly feeValue: bigint | null;
  readonly network: string | null;
  readonly address: string | null;
  readonly memo: string | null;
  readonly target: string | null;
  readonly beneficiary: Beneficiary | null;
  readonly transactions: readonly string[];
  /** The same as people know them. */
  readonly foundBy: readonly string[];
};

export type DisposalDeps = { readonly db: Query; readonly assets: AssetCatalog };

type Page = { readonly rows: readonly Disposal[]; readonly next: string | null };

/** Entries up to a limit; one that gave two assets away has two rows. */
export async function readDisposals(
  { db, assets }: DisposalDeps,
  merchantId: string,
  covered: Covered,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<Page> {
  const after = readEntryCursor(cursor);
  const where = await whereRowsAre(db, merchantId, covered);
  if (where === null) return { rows: [], next: null };
  const cut = { ...where.span, after, limit: limit + 1 };
  const found = await listLeaving(db, merchantId, where.kinds, cut);
  const references = [...new Set(found.map(({ reference }) => reference))];
  const isMore = references.length > limit;
  const gone = isMore ? found.filter(({ reference }) => reference !== references.at(-1)) : found;
  const known = await readKnown(db, merchantId, gone);
  const told = gone.map((leaving) => ({ leaving, details: detailsOf(leaving, known) }));
  const valueOf = await createValuer(
    { db, assets },
    covered.currency,
    told.flatMap(({ leaving: { asset, worthAt }, details: { fee } }) =>
      [asset, ...(fee ? [fee.asset] : [])].map((each) => ({ asset: each, at: worthAt })),
    ),
  );
  const rows = told.map(({ leaving, details }): Disposal => {
    const { postedAt, worthAt, reference, subject, asset, units } = leaving;
    return {
      ...details,
      postedAt,
      kind: disposalKindOf(leaving),
      reference,
      subjectId: subject.id,
      asset,
      units,
      value: valueOf({ asset, units }, worthAt),
      feeValue: details.fee && valueOf(details.fee, worthAt),
    };
  });
  const last = gone.at(-1);
  return { rows, next: isMore && last ? writeEntryCursor(last) : null };
}

/** About how many rows there are, at most `max`: an entry that gave two assets away has two. */
export async function countDisposals(
  { db }: DisposalDeps,
  merchantId: string,
  covered: Covered,
  max: number,
): Promise<number> {
  const where = await whereRowsAre(db, merchantId, covered);
  return where ? countLeaving(db, merchantId, where.kinds, where.span, max) : 0;
}

/** What all rows come to, by kind and asset: the sums of the kept days. */
export async function sumDisposals(
  { db, assets }: DisposalDeps,
  merchantId: string,
  covered: Covered,
): Promise<DisposalSum[]> {
  await madeUpTo(db, merchantId, covered);
  const codeOf = (asset: string): string => findAsset(assets, asset)?.currencyCode ?? '';
  const place = ({ kind, asset }: DisposalSum): string => `${disposalKinds.indexOf(kind)} ${codeOf(asset)} ${asset}`;
  const sums = await sumDisposalDays(db, merchantId, covered);
  return sums.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

/**
 * Where the rows are: of which kinds and in which part of the time, by the kept days. An account with a million credits as they
 * were paid has nothing to look for among them. Null: there are no rows.
 */
async function whereRowsAre(db: Query, merchantId: string, covered: Covered) {
  const madeTo = await foldedTo(db, merchantId, covered.settings);
  // A file that is made later goes on while days are made again: those that are kept do not say all then.
  if (madeTo === null || madeTo < covered.to) return { span: covered.span, kinds: leavingKinds };
  const sums = await sumDisposalDays(db, merchantId, covered);
  const [first] = sums.map((sum) => sum.first).toSorted();
  const last = sums
    .map((sum) => sum.last)
    .toSorted()
    .at(-1);
  if (first === undefined || last === undefined) return null;
  const [from, to] = [first, addDays(last, 1)].map((day) => startOfDay(covered.timeZone, day)) as [Date, Date];
  return { span: { from, to }, kinds: leavingKindsOf(new Set(sums.map(({ kind }) => kind))) };
}

type Known = {
  readonly transfers: ReadonlyMap<string, Transfer>;
  readonly beneficiaries: ReadonlyMap<string, Beneficiary>;
  readonly swaps: ReadonlyMap<string, Swap>;
  readonly refunds: ReadonlyMap<string, FoundRefund>;
  readonly dossiers: ReadonlyMap<string, CheckoutDossier>;
  readonly bookings: Bookings;
};

async function readKnown(db: Query, merchantId: string, gone: readonly Leaving[]): Promise<Known> {
  const idsOf = (wanted: SubjectKind): string[] => [
    ...new Set(gone.filter(({ subject }) => subject.kind === wanted).map(({ subject }) => subject.id)),
  ];
  const [transfers, swaps, refunds] = await Promise.all([
    findTransfers(db, merchantId, idsOf('transfer')),
    findSwaps(db, merchantId, idsOf('swap')),
    findRefunds(db, merchantId, idsOf('refund')),
  ]);
  const targets = transfers.flatMap((transfer) => transfer?.targetAccountId ?? []);
  const checkouts = new Set([...idsOf('checkout'), ...Array.from(refunds.values(), ({ checkoutId }) => checkoutId)]);
  const [beneficiaries, dossiers] = await Promise.all([
    beneficiariesOfTargets(db, merchantId, [...new Set(targets)]),
    findDossiers(
      db,
      Array.from(checkouts, (id) => ({ merchantId, id })),
      { hasQuotes: false },
    ),
  ]);
  const bookings = await bookingsOf(
    db,
    merchantId,
    dossiers.filter((dossier) => dossier !== undefined),
  );
  return {
    bookings,
    transfers: new Map(transfers.flatMap((transfer) => (transfer ? [[transfer.id, transfer]] : []))),
    beneficiaries,
    swaps,
    refunds,
    dossiers: new Map(dossiers.flatMap((dossier) => (dossier ? [[dossier.checkout.id, dossier]] : []))),
  };
}

type Details = Omit<
  Disposal,
  'postedAt' | 'kind' | 'reference' | 'subjectId' | 'asset' | 'units' | 'value' | 'feeValue'
>;

const nothing: Details = {
  checkoutId: null,
  order: null,
  received: null,
  fee: null,
  network: null,
  address: null,
  memo: null,
  target: null,
  beneficiary: null,
  transactions: [],
  foundBy: [],
};

/** An attempt that failed is its own fee. */
function detailsOf(leaving: Leaving, known: Known): Details {
  const { subject, kind, units } = leaving;
  const transfer = known.transfers.get(subject.id);
  if (subject.kind === 'transfer' && transfer) {
    const { asset, network, address, memo, targetLabel, targetAccountId, txHash } = transfer;
    return {
      ...nothing,
      fee: kind === 'transfer_sent' ? { asset, units: feeUnitsOf(transfer) } : null,
      network,
      address,
      memo,
      target: targetLabel,
      beneficiary: known.beneficiaries.get(targetAccountId ?? '') ?? null,
      transactions: txHash === null ? [] : [txHash],
      foundBy: sentFoundBy(network, txHash),
    };
  }
  const swap = known.swaps.get(subject.id);
  if (subject.kind === 'swap' && swap) {
    const { targetAsset: asset, grossUnits, feeUnits, txHash } = swap;
    return {
      ...nothing,
      received: { asset, units: grossUnits },
      fee: { asset, units: feeUnits },
      transactions: txHash === null ? [] : [txHash],
      foundBy: txHash === null ? [] : [txHash],
    };
  }
  const found = subject.kind === 'refund' ? known.refunds.get(subject.id) : undefined;
  const checkoutId = subject.kind === 'checkout' ? subject.id : (found?.checkoutId ?? null);
  const dossier = known.dossiers.get(checkoutId ?? '');
  const order = dossier ? orderOf(dossier.checkout) : null;
  if (found) {
    const { asset, feeUnits, network, address, memo, txHash } = found.refund;
    const isAttempt = disposalKindOf(leaving) === 'attempt';
    return {
      ...nothing,
      checkoutId,
      order,
      fee: isAttempt ? null : { asset, units: units < 0n ? -feeUnits : feeUnits },
      network,
      address,
      memo,
      transactions: txHash === null ? [] : [txHash],
      foundBy: sentFoundBy(network, txHash),
    };
  }
  return { ...nothing, checkoutId, order, ...(dossier && conversionOf(leaving, dossier, known.bookings)) };
}

/** What the settlement says is shown only where it is what the ledger says. */
function conversionOf(
  { reference, kind, asset, units }: Leaving,
  dossier: CheckoutDossier,
  bookings: Bookings,
): Partial<Details> {
  const { settlements, payments } = dossier;
  const sign = kind === 'settlement_reversed' ? -1n : 1n;
  const settlement = settlements.find((each) =>
    [each.reference, reversalReference(each.reference)].includes(reference),
  );
  const parts = settlement?.parts.filter((part) => part.paidAsset === asset && part.creditedAsset !== asset) ?? [];
  const [first, ...others] = parts;
  const sum = (of: (part: (typeof parts)[number]) => string): bigint =>
    sign * parts.reduce((all, part) => all + BigInt(of(part)), 0n);
  if (!first || others.some(({ creditedAsset }) => creditedAsset !== first.creditedAsset)) return {};
  if (sum(({ countedUnits }) => countedUnits) !== units) return {};
  const paid = payments.filter(({ commitmentId }) => parts.some((part) => part.commitmentId === commitmentId));
  return {
    received: { asset: first.creditedAsset, units: sum(({ grossUnits }) => grossUnits) },
    fee: { asset: first.creditedAsset, units: sum(({ feeUnits }) => feeUnits) },
    network: first.network,
    transactions: [...new Set(paid.map(({ txHash }) => txHash))],
    foundBy: paidFoundBy(dossier, paid, bookings),
  };
}
