/** What the overview shows, found in a few short questions, none of which grows with the number of checkouts. */
import { type BridgeProof, verifyBridge } from '../bridge/verify-bridge.ts';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { countAwaited, countOpenCheckouts } from '../checkouts/open-checkout-store.ts';
import type { Query } from '../db/database.ts';
import { isNetworkUp, loadNetworkStatus, type NetworkStatus } from '../deposits/network-health.ts';
import { type HouseNeed, houseKindsFor, houseNeeds } from '../finding/house-needs.ts';
import { type QueueNow, queueNow } from '../jobs/job-store.ts';
import { queueOfDay, waitingMax } from '../jobs/sample-queue.ts';
import { houseDayOf } from '../ledger/count-credits.ts';
import { type Credited, creditedOn } from '../ledger/credited-store.ts';
import { ledgerImbalance } from '../ledger/ledger-imbalance.ts';
import type { Clock } from '../lib/clock.ts';
import { countMerchants, namesOfMerchants, newestMerchants } from '../merchants/merchant-name-store.ts';
import { formatUnits } from '../money/amount.ts';
import { type Decimal, fromUnits, isLess, plus, zero } from '../money/decimal.ts';
import type { Connector } from '../networks/port/connector.ts';
import { carriedAsset, type NetworkDefinition } from '../networks/port/definition.ts';
import { countConfirming } from '../payments/confirming-store.ts';
import type { StaffPermission } from '../people/staff-roles.ts';
import { convertAmount, isConversion, worthRate } from '../pricing/conversion.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import { countWaitingPayouts } from '../sending/waiting-payout-store.ts';
import { type Coverage, loadCoverage } from '../venues/coverage.ts';
import { isSound } from '../watching/reconcile.ts';
import { lastReconciliations, type Reconciliation } from '../watching/reconciliation-store.ts';
import { countUndelivered } from '../webhooks/undelivered-store.ts';

export type HouseDeps = {
  readonly db: Query;
  readonly clock: Clock;
  readonly assets: AssetCatalog;
  readonly rates: RateBook;
  readonly connectors: ReadonlyMap<string, Pick<Connector, 'network'>>;
};

export type HouseNetwork = {
  readonly id: string;
  readonly name: string;
  readonly imageSrc: string;
  readonly isUp: boolean;
  readonly status: NetworkStatus | undefined;
  readonly awaited: number;
  readonly confirming: number;
  readonly sending: number;
  /** What a payer gives for an ordinary payment now; null: nobody knows. */
  readonly fee: { readonly amount: string; readonly code: string } | null;
};

export type Books = {
  readonly reconciliations: readonly Reconciliation[];
  readonly coverage: readonly Coverage[];
  readonly bridge: readonly BridgeProof[];
  /** Assets in which the ledger does not add up. */
  readonly unbalanced: readonly string[];
};

export type MerchantToday = { readonly id: string; readonly name: string; readonly credited: Decimal };

export type HouseFacts = {
  readonly now: Date;
  readonly needs: readonly HouseNeed[];
  readonly queue: QueueNow;
  readonly samples: Awaited<ReturnType<typeof queueOfDay>>;
  readonly networks: readonly HouseNetwork[];
  readonly books: Books;
  readonly open: number;
  readonly undelivered: number;
  /** In dollars, at the rates of now. */
  readonly credited: Decimal;
  /** Some of it has no rate at this moment. */
  readonly isValued: boolean;
  readonly merchants: { readonly count: number; readonly shown: readonly MerchantToday[] };
};

/** More are not told apart. */
export const countedMax = 10_000;
const merchantsShown = 5;
/** The operator has no time zone of its own. */
export const houseZone = 'UTC';

export const houseNeedsOf = ({ db, clock, connectors }: HouseDeps): Promise<HouseNeed[]> =>
  houseNeeds({ db, clock, networks: [...connectors.keys()] });

/** Those that somebody with these permissions can do something about. */
export const needsFor = (needs: readonly HouseNeed[], may: (permission: StaffPermission) => boolean): HouseNeed[] => {
  const own = houseKindsFor(may);
  return needs.filter(({ kind }) => own.includes(kind));
};

export async function findHouse(deps: HouseDeps): Promise<HouseFacts> {
  const { db, clock } = deps;
  const now = clock.now();
  const [needs, queue, samples, networks, books, open, undelivered, credited, count] = await Promise.all([
    houseNeedsOf(deps),
    queueNow(db, now, waitingMax),
    queueOfDay(db, now),
    findNetworks(deps),
    findBooks(deps),
    countOpenCheckouts(db, countedMax),
    countUndelivered(db, countedMax),
    creditedOn(db, houseDayOf(now)),
    countMerchants(db),
  ]);
  const values = credited.map((each) => ({ ...each, value: valueOf(deps, each) }));
  const total = (of: typeof values): Decimal => of.reduce((sum, { value }) => plus(sum, value ?? zero), zero);
  const shown = await busiest(deps, values);
  return {
    now,
    needs,
    queue,
    samples,
    networks,
    books,
    open,
    undelivered,
    credited: total(values),
    isValued: values.every(({ value }) => value !== null),
    merchants: { count, shown },
  };
}

/** Of dollars, for a sum that is shown. */
const dollarScale = 18;

/** Null: nobody knows a rate. */
function valueOf({ assets, rates }: HouseDeps, { asset: id, units }: Credited): Decimal | null {
  const asset = findAsset(assets, id);
  const worth = asset && worthRate(rates.rate, asset.currencyCode, 'USD');
  if (!worth || !isConversion(worth)) return null;
  return convertAmount(worth, fromUnits(units, asset.ledgerScale), dollarScale, 'half-up');
}

/** Those that were credited most today; where there are few, the newest ones too. */
async function busiest(
  { db }: HouseDeps,
  values: readonly (Credited & { readonly value: Decimal | null })[],
): Promise<MerchantToday[]> {
  const sums = new Map<string, Decimal>();
  for (const { merchantId, value } of values) sums.set(merchantId, plus(sums.get(merchantId) ?? zero, value ?? zero));
  const most = [...sums]
    .toSorted(([, a], [, b]) => (isLess(a, b) ? 1 : isLess(b, a) ? -1 : 0))
    .slice(0, merchantsShown);
  const names = await namesOfMerchants(
    db,
    most.map(([id]) => id),
  );
  const newest = most.length < merchantsShown ? await newestMerchants(db, merchantsShown) : [];
  const busy = most.map(([id, credited]) => ({ id, name: names.get(id) ?? id, credited }));
  const quiet = newest.filter(({ id }) => !sums.has(id)).map((each) => ({ ...each, credited: zero }));
  return [...busy, ...quiet].slice(0, merchantsShown);
}

export async function findNetworks(deps: HouseDeps): Promise<HouseNetwork[]> {
  const { db, clock, connectors } = deps;
  const ids = [...connectors.keys()];
  const [statuses, awaited, confirming, sending] = await Promise.all([
    loadNetworkStatus(db),
    countAwaited(db, countedMax),
    countConfirming(db, ids, countedMax),
    countWaitingPayouts(db, countedMax),
  ]);
  const byId = new Map(statuses.map((status) => [status.network, status]));
  return Array.from(connectors, ([id, { network }]) => ({
    id,
    name: network.name,
    imageSrc: network.imageSrc,
    isUp: isNetworkUp(byId.get(id), clock.now()),
    status: byId.get(id),
    awaited: awaited.get(id) ?? 0,
    confirming: confirming.get(id) ?? 0,
    sending: sending.get(id) ?? 0,
    fee: feeOf(deps, network, byId.get(id)),
  }));
}

function feeOf(
  { assets }: HouseDeps,
  network: NetworkDefinition,
  status: NetworkStatus | undefined,
): HouseNetwork['fee'] {
  const [told] = Object.values(status?.facts.payerCost ?? {});
  const fee = told ? { assetCode: told.assetCode, units: BigInt(told.units) } : network.payerCost;
  const scale = fee && (carriedAsset(network, fee.assetCode)?.scale ?? findAsset(assets, fee.assetCode)?.ledgerScale);
  return fee && scale !== undefined ? { amount: formatUnits(fee.units, scale), code: fee.assetCode } : null;
}

export async function findBooks({ db, clock, assets }: HouseDeps): Promise<Books> {
  const [reconciliations, coverage, bridge, imbalance] = await Promise.all([
    lastReconciliations(db),
    // Without limits, which would count what is held elsewhere too.
    loadCoverage({ assets, treasuryLimits: new Map() }, db),
    verifyBridge(db, clock.now()),
    ledgerImbalance(db),
  ]);
  return {
    reconciliations,
    coverage,
    bridge,
    unbalanced: imbalance.filter(({ units }) => units !== 0n).map(({ asset }) => asset),
  };
}

export const booksAgree = ({ reconciliations, bridge, unbalanced }: Books): boolean =>
  unbalanced.length === 0 && reconciliations.every(isSound) && bridge.every(({ problems }) => problems.length === 0);
