/**
 * Carries out what is due on one checkout, in one transaction under its lock: ledger entries, state, timeline, events
 * and the jobs that deliver them commit together or not at all. Running it twice does nothing the second time.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { factsOf } from '../checkouts/checkout-facts.ts';
import { checkoutRecord, type RecordDeps } from '../checkouts/checkout-record.ts';
import { deriveCheckout } from '../checkouts/checkout-state.ts';
import {
  addToTimeline,
  insertSettlement,
  lockDossier,
  markSettlementReversed,
  placePayments,
  saveCheckout,
} from '../checkouts/checkout-store.ts';
import type { Db, Tx } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { lockBalances, postEntries } from '../ledger/ledger-store.ts';
import { assert, present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { rescale } from '../money/amount.ts';
import { type Connector, networkAsset } from '../networks/port.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import type { FeeSchedule } from '../pricing/settlement-fee.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { type AdvancePlan, type MerchantBalances, planAdvance } from './plan-advance.ts';
import type { SettlementTerms } from './settlement-parts.ts';

export type AdvanceDeps = RecordDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly rates: RateBook;
  readonly fees: FeeSchedule;
};

export async function advanceCheckout(
  deps: AdvanceDeps,
  { merchantId, checkoutId }: { merchantId: string; checkoutId: string },
): Promise<void> {
  await deps.db.begin(async (tx) => {
    const dossier = await lockDossier(tx, merchantId, checkoutId);
    if (dossier) await advanceLocked(deps, tx, dossier);
  });
}

/** For use cases that have changed a fact under the lock and want its consequences in the same transaction. */
export async function advanceLocked(deps: AdvanceDeps, tx: Tx, before: CheckoutDossier): Promise<CheckoutDossier> {
  const now = deps.clock.now();
  const balances = await balancesFor(tx, before, now);
  const plan = planAdvance(before, settlementTerms(deps), balances, now);
  await carryOut(deps, tx, before, plan, now);
  return plan.after;
}

/** Only a credit or a reversal depends on balances; everything else need not wait for the merchant's accounts. */
async function balancesFor(tx: Tx, dossier: CheckoutDossier, now: Date): Promise<MerchantBalances> {
  const { isSettlementDue, isReversalDue } = deriveCheckout(factsOf(dossier), now);
  if (!isSettlementDue && !isReversalDue) return { available: new Map(), owed: new Map() };
  const { merchantId } = dossier.checkout;
  const assets = [...new Set(dossier.commitments.map((commitment) => commitment.quote.settlement.assetId))];
  const account = (purpose: 'available' | 'receivable', asset: string) => merchantAccount(merchantId, purpose, asset);
  const balances = await lockBalances(
    tx,
    assets.flatMap((asset) => [account('available', asset), account('receivable', asset)]),
  );
  const of = (purpose: 'available' | 'receivable', asset: string) => balances.get(account(purpose, asset)) ?? 0n;
  return {
    available: new Map(assets.map((asset) => [asset, of('available', asset)])),
    owed: new Map(assets.map((asset) => [asset, -of('receivable', asset)])),
  };
}

export const settlementTerms = (deps: AdvanceDeps): SettlementTerms => ({
  fees: deps.fees,
  rateOf: deps.rates.rate,
  assetFacts: (assetId) => present(findAsset(deps.assets, assetId), `asset ${assetId}`),
  dustUnits(network, assetId) {
    const asset = present(findAsset(deps.assets, assetId), `asset ${assetId}`);
    const connector = deps.connectors.get(network);
    if (!connector) return 0n; // No longer configured: nothing is called dust without knowing the network.
    const { scale, minimumUnits } = networkAsset(connector.network, asset.assetCode);
    return rescale(minimumUnits, scale, asset.ledgerScale, 'up');
  },
});

async function carryOut(
  deps: AdvanceDeps,
  tx: Tx,
  before: CheckoutDossier,
  plan: AdvancePlan,
  now: Date,
): Promise<void> {
  const { checkout } = before;
  const { after } = plan;
  const moved = after.payments.filter((payment, position) => payment !== before.payments[position]);
  const settled = after.settlements.filter((settlement) => settlement.generation > checkout.settlements);
  const reversed = after.settlements.filter(
    (settlement, position) => settlement.reversedAt !== null && before.settlements[position]?.reversedAt === null,
  );
  const hasChanged =
    after.checkout.state !== checkout.state ||
    after.checkout.settlements !== checkout.settlements ||
    after.checkout.acceptedAt !== checkout.acceptedAt ||
    after.checkout.exceptions.join() !== checkout.exceptions.join();
  const advance = { merchantId: checkout.merchantId, checkoutId: checkout.id };

  const [posted] = await Promise.all([
    postEntries(tx, plan.entries, now),
    placePayments(tx, checkout, moved),
    ...settled.map((settlement) => insertSettlement(tx, checkout, settlement)),
    ...reversed.map((settlement) => markSettlementReversed(tx, checkout, settlement.generation, now)),
    hasChanged ? saveCheckout(tx, checkout, after.checkout, now) : undefined,
    addToTimeline(tx, checkout, plan.notes, now),
    ...plan.events.map(({ type, dossier }) =>
      recordEvent(tx, {
        merchantId: checkout.merchantId,
        subject: checkout.id,
        type,
        data: { checkout: checkoutRecord(deps, dossier) },
        webhook: checkout.webhook,
        apiKey: checkout.apiKey,
        at: now,
      }),
    ),
    plan.lookAgainAt && plan.lookAgainAt > now && plan.lookAgainAt.getTime() !== checkout.windowEndsAt?.getTime()
      ? enqueue(tx, [{ name: 'checkout.advance', payload: advance, runAt: plan.lookAgainAt }])
      : undefined,
  ]);
  // The checkout is locked and every booking has a number of its own, so none of these can have been posted before.
  assert(posted.size === plan.entries.length, `an entry of checkout ${checkout.id} had already been posted`);
}
