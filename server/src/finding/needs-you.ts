/**
 * Everything of an account that waits for a person, worst first. A question and no second truth: each item is there
 * because of what is stored, and vanishes with it.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutException } from '../checkouts/checkout-state.ts';
import { findDossiers } from '../checkouts/checkout-store.ts';
import { askersOfRefunds } from '../checkouts/refund-store.ts';
import {
  failedRefunds,
  takenBackCheckouts,
  type UndecidedCheckout,
  undecidedCheckouts,
  type WaitingRefund,
  waitingRefunds,
} from '../checkouts/undecided-store.ts';
import { targetAccountsUsableSince } from '../counterparties/target-account-store.ts';
import type { Query } from '../db/database.ts';
import { type Actor, personActor } from '../http/actor.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { fellBelowZero } from '../ledger/entry-list-store.ts';
import { readBalances } from '../ledger/ledger-store.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import { handsOfEach } from '../merchants/is-own-order.ts';
import { keysUnusedSince } from '../merchants/key-use-store.ts';
import { formatUnits } from '../money/amount.ts';
import type { Holder } from '../networks/port/sending.ts';
import { loneOwner, membersWithoutPasskey } from '../people/member-safety-store.ts';
import { handFrom, newHandsOf } from '../people/new-hand.ts';
import { openRecoveries } from '../people/one-time-link-store.ts';
import { type Policy, waitingPolicyChanges } from '../people/policy-change-store.ts';
import { grantOf, roles } from '../people/roles.ts';
import { inSuspense } from '../settlements/refundable.ts';
import { transfersToApprove } from '../wallets/transfers-to-approve-store.ts';
import { failingUrls, givenUpUrls } from '../webhooks/undelivered-store.ts';
import { listHiddenNeeds } from './hidden-need-store.ts';
import { canBeHidden, isSeenBy } from './need-kinds.ts';

/** Every kind, worst first, and what is offered to whoever sees one. */
export const offersOf = {
  policyToApprove: ['approve', 'refuse'],
  transferToApprove: ['approve', 'refuse'],
  refundToApprove: ['approve', 'refuse'],
  newHand: ['people'],
  takenBack: ['explain', 'open'],
  balanceOwed: ['explain'],
  underpaid: ['accept', 'refund', 'askForRest'],
  surplus: ['refund', 'keep'],
  refundFailed: ['otherAddress', 'newLink'],
  claimExpires: ['newLink', 'open'],
  webhooksGivenUp: ['resendAll', 'details'],
  webhooksFailing: ['details'],
  destinationUsable: ['send', 'hide'],
  keyUnused: ['revoke', 'hide'],
  noPasskey: ['addPasskey', 'hide'],
  onlyOneOwner: ['inviteOwner', 'hide'],
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
  readonly targetAccountId?: string;
  readonly label?: string;
  /** The person it is about. */
  readonly about?: string;
  /** Somebody will be let in anew. */
  readonly isRecovery?: boolean;
  /** Only this person's business. */
  readonly personId?: string;
  /** The person who asked for it. */
  readonly requestedBy?: string;
  readonly policy?: Policy;
  readonly network?: string;
  readonly address?: string;
  readonly memo?: string | null;
  readonly memoType?: string | null;
  readonly holder?: Holder | null;
  /** Who asked for an order, and all hands that are in it: none of them approves it. */
  readonly asker?: Actor;
  readonly hands?: readonly Actor[];
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
/** A destination that may be used since then is news. */
const newlyUsableMs = days(7);
/** The first days belong to the set-up. */
const aloneMs = days(7);

/**
 * The first `limit`, and how many there are. `kinds`: those that the person may decide about; without it all. `personId`:
 * as this person sees them, without what is hidden or somebody else's. `first`: the worst, or those that have waited longest.
 */
export async function needsYou(
  deps: NeedDeps,
  merchantId: string,
  {
    limit,
    kinds,
    personId,
    first = 'worst',
  }: {
    readonly limit: number;
    readonly kinds?: readonly NeedKind[];
    readonly personId?: string;
    readonly first?: 'worst' | 'oldest';
  },
): Promise<{ items: Need[]; count: number }> {
  const [all, hidden] = await Promise.all([listNeeds(deps, merchantId), listHiddenNeeds(deps.db, merchantId)]);
  const isSeen = personId === undefined ? () => true : isSeenBy(personId, hidden, deps.clock.now());
  const found = all.filter((each) => (kinds === undefined || kinds.includes(each.kind)) && isSeen(each));
  const ranks = Object.keys(offersOf);
  const rankOf = ({ kind }: Need): number => (first === 'worst' ? ranks.indexOf(kind) : 0);
  const sorted = found.toSorted((a, b) => rankOf(a) - rankOf(b) || a.since.getTime() - b.since.getTime());
  return { items: await withAmounts(deps, merchantId, sorted.slice(0, limit)), count: sorted.length };
}

/** All of them, in no order, without the amounts that must be counted. */
export const listNeeds = (deps: NeedDeps, merchantId: string): Promise<Need[]> =>
  findNeeds(deps, merchantId, countedMax);

/** How many there are of these kinds for this person, as far as anybody wants to know it beside a menu. */
export type CountedNeeds = (kinds: readonly NeedKind[], personId: string) => number;

export async function countNeeds(deps: NeedDeps, merchantId: string, limit: number): Promise<CountedNeeds> {
  const [needs, hidden] = await Promise.all([findNeeds(deps, merchantId, limit), listHiddenNeeds(deps.db, merchantId)]);
  // Most are the same for all who see them: only their number is kept.
  const counts = new Map<NeedKind, number>();
  const isPersonal = ({ kind, hands }: Need): boolean => canBeHidden(kind) || hands !== undefined;
  for (const need of needs) if (!isPersonal(need)) counts.set(need.kind, (counts.get(need.kind) ?? 0) + 1);
  const few = needs.filter(isPersonal);
  return (kinds, personId) => {
    const isSeen = isSeenBy(personId, hidden, deps.clock.now());
    const own = few.filter((each) => kinds.includes(each.kind) && isSeen(each)).length;
    return kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), own);
  };
}

/** At most so many of a kind. */
async function findNeeds(deps: NeedDeps, merchantId: string, limit: number): Promise<Need[]> {
  const { db, clock, assets } = deps;
  const now = clock.now();
  const recently = addMs(now, -forgottenMs);
  const [policies, transfers, toApprove, takenBack, owed, undecided, failed, ending, givenUp, failing, care] =
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
      careNeeds(deps, merchantId, limit),
    ]);
  const askers = await askersOfRefunds(
    db,
    merchantId,
    toApprove.map(({ id }) => id),
  );
  const hands = await handsOfEach(db, merchantId, [
    ...transfers.map(({ requestedBy }) => requestedBy),
    ...askers.values(),
  ]);
  const askedBy = (asker: Actor | undefined) => asker && { asker, hands: hands.get(asker) ?? [] };
  // One item for each checkout: that a refund of it failed says more than that its money waits.
  const told = new Set(failed.map(({ checkoutId }) => checkoutId));
  return [
    ...policies.map(({ id, policy, requestedBy, requestedAt }) =>
      need('policyToApprove', requestedAt, { policyId: id, policy, requestedBy }),
    ),
    ...transfers.map(({ id, since, network, address, memo, memoType, holder, requestedBy, ...amount }) =>
      need('transferToApprove', since, {
        transferId: id,
        network,
        address,
        memo,
        memoType,
        holder,
        ...askedBy(requestedBy),
        amounts: [shown(assets, amount)],
      }),
    ),
    ...toApprove.map((refund) => ({
      ...ofRefund(assets, 'refundToApprove', refund),
      ...askedBy(askers.get(refund.id)),
    })),
    ...takenBack.map(({ id, since }) => need('takenBack', since, { checkoutId: id })),
    ...owed,
    ...undecided.filter(({ id }) => !told.has(id)).map(ofCheckout),
    ...failed.map((refund) => ofRefund(assets, 'refundFailed', refund)),
    ...ending.map((refund) => ofRefund(assets, 'claimExpires', refund)),
    ...givenUp.map(({ url, events, since }) => need('webhooksGivenUp', since, { url, events })),
    ...failing.map(({ url, events, since }) => need('webhooksFailing', since, { url, events })),
    ...care,
  ];
}

/** What nobody loses money by today. */
async function careNeeds({ db, clock }: NeedDeps, merchantId: string, limit: number): Promise<Need[]> {
  const now = clock.now();
  const [usable, unused, without, owner, hands, recoveries] = await Promise.all([
    targetAccountsUsableSince(db, merchantId, { after: addMs(now, -newlyUsableMs), now, limit }),
    keysUnusedSince(db, merchantId, addMs(now, -unusedMs)),
    membersWithoutPasskey(
      db,
      merchantId,
      roles.filter((role) => grantOf('approve', role) !== 'no'),
    ),
    loneOwner(db, merchantId),
    newHandsOf(db, merchantId, now),
    openRecoveries(db, merchantId, now),
  ]);
  // Printed codes are a way back in: with them a lost phone is no lost account.
  const isAlone = owner && owner.codesLeft === 0 && owner.since <= addMs(now, -aloneMs);
  return [
    ...usable.map(({ id, label, address, usableFrom }) =>
      need('destinationUsable', usableFrom, { targetAccountId: id, label, address }),
    ),
    ...unused.map(({ key, unusedSince }) => need('keyUnused', unusedSince, { apiKey: key })),
    ...without.map(({ personId, since }) => need('noPasskey', since, { personId })),
    // Of these the others are told: whoever it is about knows, and is new.
    ...hands.map((each) =>
      need('newHand', each.handSince, {
        about: each.personId,
        label: each.name,
        hands: [personActor(each.personId)],
        until: handFrom(each),
      }),
    ),
    // Also of who is to be let in: it may be somebody else who asked for it.
    ...recoveries.map(({ personId, name, since }) =>
      need('newHand', since, { about: `${personId}.recovery`, label: name, isRecovery: true }),
    ),
    ...(isAlone ? [need('onlyOneOwner', owner.since, {})] : []),
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
  const owed = [...balances].filter(([, balance]) => balance < 0n);
  const since =
    owed.length === 0
      ? new Map<string, Date>()
      : await fellBelowZero(
          db,
          owed.map(([account]) => account),
        );
  return owed.map(([account, balance]) => {
    const amounts = [shown(assets, { asset: accounts.get(account) ?? '', units: -balance })];
    return need('balanceOwed', since.get(account) ?? clock.now(), { amounts });
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
