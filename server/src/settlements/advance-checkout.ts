/**
 * Carries out what is due on checkouts, in one transaction under their locks: ledger entries, state, timeline, events
 * and the jobs that deliver them commit together or not at all. Running it twice does nothing the second time.
 *
 * Many checkouts at once, because all payments of a network are booked in one account of the ledger, the network's
 * wallet: one by one they would queue for its lock, each for as long as a commit takes.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import { adoptionNotes, adoptPayments, assignmentsOf } from '../checkouts/adopt-payments.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { factsOf } from '../checkouts/checkout-facts.ts';
import type { RecordDeps } from '../checkouts/checkout-record.ts';
import { deriveCheckout } from '../checkouts/checkout-state.ts';
import { lockDossiers } from '../checkouts/checkout-store.ts';
import { checkoutsWithEmail } from '../checkouts/contact-store.ts';
import { isPromiseKept } from '../checkouts/promise-kept.ts';
import { addToTimelines } from '../checkouts/timeline-store.ts';
import type { Db, Tx } from '../db/database.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { lockBalances } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { findAgreedFees, type MerchantFees } from '../merchants/merchant-store.ts';
import { rescale } from '../money/amount.ts';
import type { Decimal } from '../money/decimal.ts';
import { carriedAsset } from '../networks/port/definition.ts';
import { assignPayments } from '../payments/payment-decision-store.ts';
import { agreedFees, type FeeSchedule } from '../pricing/settlement-fee.ts';
import { releasePromises, savePromises } from '../venues/treasury-promise-store.ts';
import { ordersOf } from '../venues/venue-order-store.ts';
import { carryOut, isConverted, type PlannedStep, reversedBy, settledBy } from './carry-out-plan.ts';
import { type ExchangeFacts, type ExchangeTermsDeps, exchangeTerms, marketStock } from './exchange-terms.ts';
import type { MerchantBalances } from './merchant-purse.ts';
import { planAdvance } from './plan-advance.ts';
import type { SettlementTerms } from './settlement-parts.ts';
import { openSupply, type SupplyDeps, type TreasurySupply } from './treasury-supply.ts';

export type TermsDeps = ExchangeTermsDeps & {
  readonly fees: FeeSchedule;
  /** What the house keeps of every exchange, as a part. */
  readonly swapSpread: Decimal;
};

export type AdvanceDeps = TermsDeps &
  RecordDeps &
  SupplyDeps & { readonly clock: Clock; readonly health: NetworkHealth };

export async function advanceCheckouts(
  deps: AdvanceDeps & { readonly db: Db },
  jobs: readonly { readonly merchantId: string; readonly checkoutId: string }[],
): Promise<void> {
  await deps.db.begin(async (tx) => {
    const keys = new Map(jobs.map(({ merchantId, checkoutId: id }) => [`${merchantId}/${id}`, { merchantId, id }]));
    const found = (await lockDossiers(tx, [...keys.values()])).filter((dossier) => dossier !== undefined);
    // A payment and the choice of its asset were perhaps stored at the same moment, and did not see each other.
    const adopted = found.map(adoptPayments);
    await Promise.all([
      advanceAllLocked(
        deps,
        tx,
        adopted.map(({ dossier }) => dossier),
      ),
      assignPayments(tx, adopted.flatMap(assignmentsOf)),
      addToTimelines(tx, adopted.flatMap(adoptionNotes), deps.clock.now()),
    ]);
  });
}

/**
 * For use cases that have changed a fact under the lock and want its consequences in the same transaction. `ifShort`:
 * the error to throw when the treasury has too little for a credit that follows.
 */
export async function advanceLocked(
  deps: AdvanceDeps,
  tx: Tx,
  before: CheckoutDossier,
  { ifShort }: { readonly ifShort?: () => Error } = {},
): Promise<CheckoutDossier> {
  const [after] = await advanceAllLocked(deps, tx, [before], ifShort);
  return present(after, 'the advanced checkout');
}

/**
 * For use cases whose decision depends on how much the merchant has of `asset`: they decide under the lock of the
 * books, and what was decided is carried out at once.
 */
export async function decideLocked(
  deps: AdvanceDeps,
  tx: Tx,
  before: CheckoutDossier,
  asset: string,
  decide: (availableUnits: bigint) => Promise<CheckoutDossier> | CheckoutDossier,
): Promise<CheckoutDossier> {
  const account = merchantAccount(before.checkout.merchantId, 'available', asset);
  const supply = await supplyOf(deps, tx, [before]);
  const books = await lockBalances(tx, [...new Set([account, ...accountsOf(before)])]);
  const [after] = await advanceWithBooks(deps, tx, [await decide(books.get(account) ?? 0n)], { books, supply });
  return present(after, 'the advanced checkout');
}

async function advanceAllLocked(
  deps: AdvanceDeps,
  tx: Tx,
  dossiers: readonly CheckoutDossier[],
  ifShort?: () => Error,
): Promise<CheckoutDossier[]> {
  const supply = await supplyOf(deps, tx, dossiers);
  const books = await lockBooks(tx, dossiers, deps.clock.now());
  return advanceWithBooks(deps, tx, dossiers, { books, supply }, ifShort);
}

/** Called before the books are locked. Only checkouts matter that may be credited in another asset than was paid. */
function supplyOf(deps: AdvanceDeps, tx: Tx, dossiers: readonly CheckoutDossier[]): Promise<TreasurySupply> {
  const now = deps.clock.now();
  const due = dossiers.filter((dossier) => isConverted(dossier) && dependsOnBalances(dossier, now));
  return openSupply(deps, tx, due, now);
}

async function advanceWithBooks(
  deps: AdvanceDeps,
  tx: Tx,
  dossiers: readonly CheckoutDossier[],
  { books, supply }: { readonly books: Map<string, bigint>; readonly supply: TreasurySupply },
  ifShort?: () => Error,
): Promise<CheckoutDossier[]> {
  const now = deps.clock.now();
  const due = dossiers.filter((dossier) => dependsOnBalances(dossier, now));
  const converted = due.filter(isConverted);
  const [orders, stock, agreed, withEmail] = await Promise.all([
    converted.length === 0
      ? []
      : ordersOf(
          tx,
          converted.map(({ checkout }) => checkout.id),
        ),
    marketStock(deps, tx, converted),
    due.length === 0 ? new Map() : findAgreedFees(tx, [...new Set(due.map(({ checkout }) => checkout.merchantId))]),
    due.length === 0
      ? new Set<string>()
      : checkoutsWithEmail(
          tx,
          due.map(({ checkout }) => checkout),
        ),
  ]);
  const steps = dossiers.map((before): PlannedStep => {
    const own = orders.filter(({ ownerId }) => ownerId === before.checkout.id);
    const treasuryUnits = (paid: string, credited: string) => supply.unitsFor(before, paid, credited);
    const facts = { orders: own, stock, treasuryUnits };
    const terms = settlementTerms(deps, agreed.get(before.checkout.merchantId), facts);
    const plan = planAdvance(before, terms, balancesOf(books, before), now);
    for (const { account, units } of plan.entries.flatMap((entry) => entry.lines)) {
      const balance = books.get(account);
      if (balance !== undefined) books.set(account, balance + units); // The next plan sees what this one will post.
    }
    const step = { before, plan, hasEmail: withEmail.has(before.checkout.id) };
    for (const { settlement } of settledBy(step)) supply.take(before, settlement.parts);
    return step;
  });
  if (ifShort && steps.some(({ plan }) => plan.isShortOfStock)) throw ifShort();
  await carryOut(deps, tx, steps, now);
  await keepPromises(tx, steps, supply, now);
  return steps.map(({ plan }) => plan.after);
}

/**
 * A promise lasts while the checkout is open and a way that needs it is, but not for a payment that no block takes: one with too low a fee costs
 * its sender nothing. What was given is no promise any more; what came back is one again.
 */
async function keepPromises(tx: Tx, steps: readonly PlannedStep[], supply: TreasurySupply, now: Date): Promise<void> {
  const isOpen = ({ plan: { after } }: PlannedStep): boolean =>
    isPromiseKept(after, now) && !(isConverted(after) && deriveCheckout(factsOf(after), now).isOverdue);
  const ended = steps.filter((step) => isConverted(step.before) && (!isOpen(step) || settledBy(step).length > 0));
  await releasePromises(
    tx,
    ended.map(({ before: { checkout } }) => ({ merchantId: checkout.merchantId, checkoutId: checkout.id })),
  );
  const reopened = steps.filter((step) => isOpen(step) && settledBy(step).length === 0);
  const again = reopened.flatMap((step) =>
    reversedBy(step).flatMap(({ parts }) => supply.promisedAgain(step.before, parts)),
  );
  await savePromises(tx, again, now);
}

/**
 * The balances that plans depend on, by account. Only a credit, a reversal, or a change of a payment that was refunded
 * depends on any; everything else need not wait for the merchants' accounts.
 */
async function lockBooks(tx: Tx, dossiers: readonly CheckoutDossier[], now: Date): Promise<Map<string, bigint>> {
  const accounts = dossiers.filter((dossier) => dependsOnBalances(dossier, now)).flatMap(accountsOf);
  return accounts.length === 0 ? new Map() : lockBalances(tx, [...new Set(accounts)]);
}

const accountsOf = (dossier: CheckoutDossier): string[] =>
  assetsOf(dossier).flatMap((asset) => [
    merchantAccount(dossier.checkout.merchantId, 'available', asset),
    merchantAccount(dossier.checkout.merchantId, 'receivable', asset),
  ]);

function balancesOf(books: ReadonlyMap<string, bigint>, dossier: CheckoutDossier): MerchantBalances {
  const assets = assetsOf(dossier);
  const of = (purpose: 'available' | 'receivable', asset: string): bigint =>
    books.get(merchantAccount(dossier.checkout.merchantId, purpose, asset)) ?? 0n;
  return {
    available: new Map(assets.map((asset) => [asset, of('available', asset)])),
    owed: new Map(assets.map((asset) => [asset, -of('receivable', asset)])),
  };
}

const usualFees: MerchantFees = { feePercent: null, feeMinimumUsd: null };

function dependsOnBalances(dossier: CheckoutDossier, now: Date): boolean {
  const { isSettlementDue, isReversalDue, isAcceptanceDue, isValuationDue } = deriveCheckout(factsOf(dossier), now);
  const hasTaken = dossier.refunds.length + dossier.checkout.acceptedExcess.length > 0;
  // Once it is valued, it may be credited at once.
  return isSettlementDue || isReversalDue || isAcceptanceDue || isValuationDue || hasTaken;
}

/** The assets in which the merchant may be credited or charged. */
const assetsOf = ({ commitments, payments, refunds }: CheckoutDossier): string[] => [
  ...new Set([
    ...commitments.map((commitment) => commitment.quote.settlement.assetId),
    ...payments.map((payment) => payment.asset),
    ...refunds.map((refund) => refund.asset),
  ]),
];

/** `agreed`: the merchant's fees, where a fee is due. */
export const settlementTerms = (
  deps: TermsDeps,
  agreed: MerchantFees = usualFees,
  exchange: ExchangeFacts = { orders: [], stock: new Map(), treasuryUnits: () => null },
): SettlementTerms => ({
  exchange: exchangeTerms(deps, exchange),
  fees: agreedFees(deps.fees, agreed),
  rateOf: deps.rates.rate,
  spread: deps.swapSpread,
  assetFacts: (assetId) => present(findAsset(deps.assets, assetId), `asset ${assetId}`),
  dustUnits(network, assetId) {
    const asset = present(findAsset(deps.assets, assetId), `asset ${assetId}`);
    const connector = deps.connectors.get(network);
    const rail = connector && carriedAsset(connector.network, asset.assetCode);
    if (!rail) return 0n; // It is no longer configured: without knowing the network we call nothing dust.
    return rescale(rail.minimumUnits, rail.scale, asset.ledgerScale, 'up');
  },
});
