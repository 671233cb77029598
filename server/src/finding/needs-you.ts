/**
 * Everything of an account that waits for a person, worst first. A question and no second truth: each item is there
 * because of what is stored, and vanishes with it.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutException } from '../checkouts/checkout-state.ts';
import { findDossiers } from '../checkouts/checkout-store.ts';
import {
  failedRefunds,
  takenBackCheckouts,
  type UndecidedCheckout,
  undecidedCheckouts,
  type WaitingRefund,
  waitingRefunds,
} from '../checkouts/undecided-store.ts';
import type { Query } from '../db/database.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { readBalances } from '../ledger/ledger-store.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import { keysUnusedSince } from '../merchants/key-use-store.ts';
import { formatUnits } from '../money/amount.ts';
import { type Policy, waitingPolicyChanges } from '../people/policy-change-store.ts';
import { inSuspense } from '../settlements/refundable.ts';
import { transfersToApprove } from '../wallets/transfers-to-approve-store.ts';
import { failingUrls, givenUpUrls } from '../webhooks/undelivered-store.ts';

/** Every kind, worst first, and what is offered to whoever sees one. */
export const offersOf = {
  policyToApprove: ['approve', 'refuse'],
  transferToApprove: ['approve', 'refuse'],
  refundToApprove: ['approve', 'refuse'],
  takenBack: ['explain', 'open'],
  balanceOwed: ['explain'],
  underpaid: ['accept', 'refund', 'askForRest'],
  surplus: ['refund', 'keep'],
  refundFailed: ['otherAddress', 'newLink'],
  claimExpires: ['newLink', 'open'],
  webhooksGivenUp: ['resendAll', 'details'],
  webhooksFailing: ['details'],
  keyUnused: ['revoke'],
} as const satisfies Record<string, readonly string[]>;

export type NeedKind = keyof typeof offersOf;
export type Offer = (typeof offersOf)[NeedKind][number];

export type NeedAmount = { readonly amount: string; readonly assetCode: string };

/** The parts of a sentence, and what it is about; what does not belong to the kind is left out. */
export type Need = {
  readonly kind: NeedKind;
  readonly since: Date;
  readonly offers: readonly Offer[];
  readonly checkoutId?: string;
  readonly refundId?: string;
  readonly transferId?: string;
  readonly policyId?: string;
  /** The person who asked for it. */
  readonly requestedBy?: string;
  readonly policy?: Policy;
  readonly address?: string;
  readonly apiKey?: string;
  readonly url?: string;
  readonly amounts?: readonly NeedAmount[];
  readonly exceptions?: readonly CheckoutException[];
  readonly events?: number;
  readonly until?: Date;
};

export type NeedDeps = { readonly db: Query; readonly clock: Clock; readonly assets: AssetCatalog };

/** So many of a kind are counted; a shop with more has another problem than their number. */
const countedMax = 1_000;
const days = (count: number): number => hours(24 * count);
/** What nobody did anything about for so long is left to the lists. */
const forgottenMs = days(30);
const refundEndsMs = days(3);
const failingMs = hours(1);
const unusedMs = days(90);

/**
 * The first `limit`, and how many there are. `kinds`: those that the person may decide about; without it all. `first`:
 * the worst, or those that have waited longest.
 */
export async function needsYou(
  deps: NeedDeps,
  merchantId: string,
  {
    limit,
    kinds,
    first = 'worst',
  }: { readonly limit: number; readonly kinds?: readonly NeedKind[]; readonly first?: 'worst' | 'oldest' },
): Promise<{ items: Need[]; count: number }> {
  const found = (await listNeeds(deps, merchantId)).filter(({ kind }) => kinds === undefined || kinds.includes(kind));
  const ranks = Object.keys(offersOf);
  const rankOf = ({ kind }: Need): number => (first === 'worst' ? ranks.indexOf(kind) : 0);
  const sorted = found.toSorted((a, b) => rankOf(a) - rankOf(b) || a.since.getTime() - b.since.getTime());
  return { items: await withAmounts(deps, merchantId, sorted.slice(0, limit)), count: sorted.length };
}

/** All of them, in no order, without the amounts that must be counted. */
export const listNeeds = (deps: NeedDeps, merchantId: string): Promise<Need[]> =>
  findNeeds(deps, merchantId, countedMax);

/** How many of each kind there are, as far as anybody wants to know it beside a menu. */
export async function countNeeds(deps: NeedDeps, merchantId: string, limit: number): Promise<Map<NeedKind, number>> {
  const counts = new Map<NeedKind, number>();
  for (const { kind } of await findNeeds(deps, merchantId, limit)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** At most so many of a kind. */
async function findNeeds(deps: NeedDeps, merchantId: string, limit: number): Promise<Need[]> {
  const { db, clock, assets } = deps;
  const now = clock.now();
  const recently = addMs(now, -forgottenMs);
  const [policies, transfers, toApprove, takenBack, owed, undecided, failed, ending, givenUp, failing, unused] =
    await Promise.all([
      waitingPolicyChanges(db, merchantId, limit),
      transfersToApprove(db, merchantId, limit),
      waitingRefunds(db, merchantId, { states: ['AWAITING_APPROVAL'], expiresBy: null, limit }),
      takenBackCheckouts(db, merchantId, { since: recently, isOverIn: creditedOrRefunded, limit }),
      balancesOwed(deps, merchantId),
      undecidedCheckouts(db, merchantId, limit),
      failedRefunds(db, merchantId, { since: recently, limit }),
      waitingRefunds(db, merchantId, { states: ['CLAIMABLE'], expiresBy: addMs(now, refundEndsMs), limit }),
      givenUpUrls(db, merchantId, recently, limit),
      failingUrls(db, merchantId, addMs(now, -failingMs), limit),
      keysUnusedSince(db, merchantId, addMs(now, -unusedMs)),
    ]);
  // One item for each checkout: that a refund of it failed says more than that its money waits.
  const told = new Set(failed.map(({ checkoutId }) => checkoutId));
  return [
    ...policies.map(({ id, policy, requestedBy, requestedAt }) =>
      need('policyToApprove', requestedAt, { policyId: id, policy, requestedBy }),
    ),
    ...transfers.map(({ id, since, address, ...amount }) =>
      need('transferToApprove', since, { transferId: id, address, amounts: [shown(assets, amount)] }),
    ),
    ...toApprove.map((refund) => ofRefund(assets, 'refundToApprove', refund)),
    ...takenBack.map(({ id, since }) => need('takenBack', since, { checkoutId: id })),
    ...owed,
    ...undecided.filter(({ id }) => !told.has(id)).map(ofCheckout),
    ...failed.map((refund) => ofRefund(assets, 'refundFailed', refund)),
    ...ending.map((refund) => ofRefund(assets, 'claimExpires', refund)),
    ...givenUp.map(({ url, events, since }) => need('webhooksGivenUp', since, { url, events })),
    ...failing.map(({ url, events, since }) => need('webhooksFailing', since, { url, events })),
    ...unused.map(({ key, unusedSince }) => need('keyUnused', unusedSince, { apiKey: key })),
  ];
}

const creditedOrRefunded = ['COMPLETED', 'DELAYED_COMPLETED', 'RESOLVED', 'REFUNDED'] as const;

const need = (kind: NeedKind, since: Date, about: Omit<Need, 'kind' | 'since' | 'offers'>): Need => ({
  kind,
  since,
  offers: offersOf[kind],
  ...about,
});

function shown(assets: AssetCatalog, { asset: id, units }: { asset: string; units: bigint }): NeedAmount {
  const asset = findAsset(assets, id);
  return { amount: formatUnits(units, asset?.ledgerScale ?? 0), assetCode: asset?.assetCode ?? id };
}

const ofRefund = (assets: AssetCatalog, kind: NeedKind, refund: WaitingRefund): Need =>
  need(kind, refund.since, {
    refundId: refund.id,
    checkoutId: refund.checkoutId,
    amounts: [shown(assets, refund)],
    ...(refund.claimExpiresAt && kind === 'claimExpires' && { until: refund.claimExpiresAt }),
  });

const ofCheckout = ({ id, state, exceptions, since }: UndecidedCheckout): Need =>
  need(state === 'UNDERPAID' ? 'underpaid' : 'surplus', since, { checkoutId: id, exceptions });

async function balancesOwed({ db, assets, clock }: NeedDeps, merchantId: string): Promise<Need[]> {
  const accounts = new Map(assets.assets.map(({ id }) => [merchantAccount(merchantId, 'receivable', id), id]));
  const balances = await readBalances(db, [...accounts.keys()]);
  return [...accounts].flatMap(([account, asset]) => {
    const units = -(balances.get(account) ?? 0n);
    return units > 0n ? [need('balanceOwed', clock.now(), { amounts: [shown(assets, { asset, units })] })] : [];
  });
}

/** What is in suspense is counted only for what is shown. Only what came beyond a price that was paid can be kept. */
async function withAmounts({ db, assets, clock }: NeedDeps, merchantId: string, needs: Need[]): Promise<Need[]> {
  const isOpen = ({ kind }: Need): boolean => kind === 'underpaid' || kind === 'surplus';
  const ids = needs.filter(isOpen).flatMap(({ checkoutId }) => checkoutId ?? []);
  const dossiers = await findDossiers(
    db,
    ids.map((id) => ({ merchantId, id })),
    { hasQuotes: false },
  );
  const byId = new Map(dossiers.flatMap((dossier) => (dossier ? [[dossier.checkout.id, dossier] as const] : [])));
  return needs.map((each) => {
    const dossier = isOpen(each) ? byId.get(each.checkoutId ?? '') : undefined;
    if (!dossier) return each;
    const waiting = inSuspense(dossier, clock.now());
    const canBeKept = waiting.some(({ context }) => context === 'OVERPAID_CHECKOUT');
    const offers = each.offers.filter((offer) => offer !== 'keep' || canBeKept);
    return { ...each, offers, amounts: waiting.map((rail) => shown(assets, rail)) };
  });
}
