/**
 * Where the paid coins of a settlement are exchanged for what is credited. Pure: it looks at the orders that were made
 * before and says what is next.
 *
 * What a venue gave matters only to the operator's position; the merchant is credited by the quote. So an exchange that
 * happened counts for this checkout for ever, even when a reorganisation takes the credit back in between and the final
 * credit is less than what was exchanged, or a little more. But it counts only for the units that it was about: what
 * arrived since then is exchanged too.
 */
import { homeNetwork } from '../catalog/network-catalog.ts';
import type { CheckoutDossier, Payment, SettledPart } from '../checkouts/checkout.ts';
import { settlementReference } from '../checkouts/checkout-facts.ts';
import { isConfirmed } from '../checkouts/checkout-state.ts';
import { leftUnits } from '../checkouts/refund.ts';
import { present } from '../lib/assert.ts';
import { addMs, minutes } from '../lib/clock.ts';
import { proportion } from '../money/amount.ts';
import { orderPatienceMs } from '../venues/exchange-on-stellar.ts';
import type { NewOrder, VenueOrder } from '../venues/venue-order.ts';
import type { VenueName } from '../venues/venue-plan.ts';

export type ExchangeTerms = {
  /** The orders of this checkout, oldest first. */
  readonly orders: readonly VenueOrder[];
  /** Venues that could do it, in the order in which they are tried. */
  readonly venuesOf: (paidAsset: string, creditedAsset: string) => readonly VenueName[];
  /** Whether so many units are less than the smallest unit of the market's ledger. */
  readonly isTooFine: (paidAsset: string, units: bigint) => boolean;
  /** How many of so many units a market gets, and the least that it must give. Null: there is no rate to say so. */
  readonly orderOf: (
    paidAsset: string,
    creditedAsset: string,
    units: bigint,
  ) => Pick<NewOrder, 'sourceUnits' | 'leastUnits'> | null;
  /** Whether the operator's bridge brings this asset to the market's ledger. */
  readonly needsBridge: (paidAsset: string) => boolean;
  /**
   * How much of this is on the market's ledger and nobody asked to send, where no bridge brings it there. Null: not
   * known.
   */
  readonly stockOf: (paidAsset: string) => bigint | null;
  /** The most that the treasury can credit for this pair. Null: as much as is wanted. */
  readonly treasuryUnits: (paidAsset: string, creditedAsset: string) => bigint | null;
  /** The network of the credited asset. */
  readonly homeOf: (part: SettledPart) => string;
};

/** Everything at the operator's own rate, out of its own stock. */
export const treasuryOnly: ExchangeTerms = {
  orders: [],
  venuesOf: () => ['treasury'],
  isTooFine: () => false,
  orderOf: () => null,
  needsBridge: () => false,
  stockOf: () => null,
  treasuryUnits: () => null,
  homeOf: ({ network }) => network,
};

export type ExchangePlan =
  | { readonly parts: readonly SettledPart[] }
  /** Not yet. `why`: one sentence that says why there is no market now; null: a market is at work. */
  | {
      readonly orders: readonly NewOrder[];
      /** Ids of orders that have waited for long while another venue could do it: to be taken back if possible. */
      readonly overdue: readonly string[];
      readonly why: string | null;
      readonly lookAgainAt: Date;
    };

const retryMs = minutes(1);
/**
 * How long the bridge may take before the credit goes on without it. A ledger of Stellar takes seconds, and a movement
 * that failed is tried again after a minute.
 */
const bridgePatienceMs = minutes(10);
/**
 * A hundredth of the units need not be exchanged: waiting for a market would cost the merchant more than they are
 * worth.
 */
const littlePart = 100n;

/**
 * A credit waits until the bridge has issued tokens for all its coins, so that its event names the bridge (spec §6.1),
 * but not for ever. Null: there is nothing to wait for, or it has waited long enough.
 */
export function bridgeWait(
  dossier: CheckoutDossier,
  terms: ExchangeTerms,
  now: Date,
): { since: Date; until: Date } | null {
  if (!dossier.payments.some((payment) => isToBeCredited(payment) && isUnbridged(payment, terms))) return null;
  const since = dossier.checkout.awaitsBridgeSince ?? now;
  const until = addMs(since, bridgePatienceMs);
  return now < until ? { since, until } : null;
}

/** Coins for which the bridge will issue tokens, and has not yet. */
export const isUnbridged = ({ asset, network, bridge }: Payment, { needsBridge }: ExchangeTerms): boolean =>
  bridge === null && network !== homeNetwork.id && needsBridge(asset);

const isToBeCredited = (payment: Payment): boolean =>
  payment.commitmentId !== null && isConfirmed(payment) && leftUnits(payment) > 0n;

type Pair = { readonly paidAsset: string; readonly creditedAsset: string; units: bigint; gross: Gross };

/** What is credited: by quotes, and by other rates. */
type Gross = { quoted: bigint; other: bigint };

export function planExchange(
  dossier: CheckoutDossier,
  parts: readonly SettledPart[],
  terms: ExchangeTerms,
  now: Date,
): ExchangePlan {
  const spent = new Map<string, Gross>();
  const outcomes = new Map(pairsOf(parts).map((pair) => [keyOf(pair), atVenue(dossier, pair, terms, spent, now)]));
  const waiting = [...outcomes.values()].filter((outcome) => 'order' in outcome);
  if (waiting.length > 0)
    return {
      orders: waiting.flatMap(({ order }) => order ?? []),
      overdue: waiting.flatMap(({ overdue }) => overdue ?? []),
      why: waiting.map(({ why }) => why).find((why) => why !== null) ?? null,
      lookAgainAt: addMs(now, retryMs),
    };
  return {
    parts: parts.flatMap((part) => {
      const done = outcomes.get(keyOf(part));
      return done && 'exchanges' in done && part.countedUnits !== '0' ? splitPart(part, done.exchanges) : [part];
    }),
  };
}

/** How much of a pair was exchanged, and where: by a transaction, or in the books. */
type Exchange = { readonly venue: VenueName; readonly tx: string | null; units: bigint };

type Outcome =
  | { readonly exchanges: Exchange[] }
  | { readonly order: NewOrder | null; readonly why: string | null; readonly overdue?: string };

/**
 * A part that took several exchanges is split into as many parts, each with its own transaction and its share of the
 * credit. Takes what it uses out of `exchanges`; the last exchange gets whatever is left.
 */
function splitPart(part: SettledPart, exchanges: Exchange[]): SettledPart[] {
  const pieces: SettledPart[] = [];
  let rest = part;
  for (;;) {
    const exchange = present(exchanges[0], 'an exchange');
    const { venue, tx } = exchange;
    const where = tx === null ? {} : { venue, tx };
    const counted = BigInt(rest.countedUnits);
    if (exchanges.length === 1 || counted <= exchange.units) {
      exchange.units -= counted;
      return [...pieces, { ...rest, ...where }];
    }
    exchanges.shift();
    if (exchange.units <= 0n) continue;
    const [piece, others] = cutPart(rest, exchange.units);
    pieces.push({ ...piece, ...where });
    rest = others;
  }
}

/** Cuts a part in two: so many of the counted units, and the rest; nothing is lost. The excess stays with the first. */
function cutPart(part: SettledPart, units: bigint): [SettledPart, SettledPart] {
  const [counted, fee, net] = [BigInt(part.countedUnits), BigInt(part.feeUnits), BigInt(part.netUnits)];
  const pieceOf = (countedUnits: bigint, feeUnits: bigint, netUnits: bigint): SettledPart => ({
    ...part,
    countedUnits: countedUnits.toString(),
    grossUnits: (feeUnits + netUnits).toString(),
    feeUnits: feeUnits.toString(),
    netUnits: netUnits.toString(),
  });
  const [feeUnits, netUnits] = [proportion(fee, units, counted, 'down'), proportion(net, units, counted, 'down')];
  const worth = part.worthUnits === undefined ? null : BigInt(part.worthUnits);
  const worthOfFirst = worth && proportion(worth, units, counted, 'down');
  const worthOf = (some: bigint | null) => (some === null ? {} : { worthUnits: some.toString() });
  return [
    { ...pieceOf(units, feeUnits, netUnits), ...worthOf(worthOfFirst) },
    {
      ...pieceOf(counted - units, fee - feeUnits, net - netUnits),
      ...worthOf(worth && worth - (worthOfFirst ?? 0n)),
      excessUnits: '0',
    },
  ];
}

/** `spent`: what the treasury gives for other pairs of this settlement, by credited asset. */
function atVenue(
  dossier: CheckoutDossier,
  pair: Pair,
  terms: ExchangeTerms,
  spent: Map<string, Gross>,
  now: Date,
): Outcome {
  const orders = terms.orders.filter((order) => keyOf(pair) === `${order.sourceAsset}/${order.targetAsset}`);
  const exchanges = orders.filter(isDone).map(toExchange);
  const missing = pair.units - exchanges.reduce((sum, { units }) => sum + units, 0n);
  if (missing * littlePart <= pair.units) return { exchanges };
  // If there was no market, that stays true until there is one: another try is no news.
  const last = orders.slice(orders.findLastIndex(isDone) + 1).findLast(({ state }) => state === 'FAILED');
  const why = last?.failure ?? null;
  const pending = orders.find(({ state }) => state === 'PENDING');
  const named = terms.venuesOf(pair.paidAsset, pair.creditedAsset);
  const ofTreasury = treasuryNeed(dossier, pair, missing, terms, spent);
  // What the treasury cannot give goes to another market, or waits: nobody gets what belongs to others.
  const venues = ofTreasury.isCovered ? named : named.filter((venue) => venue !== 'treasury');
  if (pending) {
    if (now < addMs(pending.createdAt, orderPatienceMs)) return { order: null, why };
    const isInVain = isBeyondStock(dossier, pair, 0n, terms); // What is pending is unsent too.
    if (venues.includes('treasury') || isInVain) return { order: null, why, overdue: pending.id };
    return { order: null, why: why ?? 'The market has not carried it out yet.' };
  }
  for (const [position, venue] of venues.entries()) {
    if (venue === 'treasury') spent.set(pair.creditedAsset, ofTreasury.spent);
    if (venue === 'treasury' || terms.isTooFine(pair.paidAsset, missing))
      return { exchanges: [...exchanges, { venue: 'treasury', tx: null, units: missing }] };
    const isLast = position === venues.length - 1;
    if (last && !isLast) continue;
    if (last?.endedAt && now < addMs(last.endedAt, retryMs)) return { order: null, why };
    if (isOnItsWay(dossier, pair, terms)) {
      if (!isBridgeLate(dossier, now)) return { order: null, why };
      if (isLast) return { order: null, why: why ?? 'The coins have not come to the market yet.' };
      continue;
    }
    if (isBeyondStock(dossier, pair, missing, terms)) {
      if (isLast) return { order: null, why: why ?? 'What was paid is not on the ledger of the market.' };
      continue;
    }
    const wanted = terms.orderOf(pair.paidAsset, pair.creditedAsset, missing);
    if (wanted) return { order: newOrder(dossier, pair, terms, wanted), why };
  }
  const isShort = named.length > venues.length;
  return { order: null, why: why ?? (isShort ? shortOfStock : 'There is no market for this pair.') };
}

/** Why a credit waits for the treasury. */
export const shortOfStock = 'The service has not enough of the credited asset in stock at the moment.';

/**
 * Whether the treasury can give what is missing, and how much it would have given in all. By quotes it gives never more
 * than the largest of them, because parts of a price add up to one price; dust beyond the price does not end a promise.
 */
function treasuryNeed(
  { commitments }: CheckoutDossier,
  { paidAsset, creditedAsset, units, gross }: Pair,
  missing: bigint,
  terms: ExchangeTerms,
  spentBefore: ReadonlyMap<string, Gross>,
): { readonly isCovered: boolean; readonly spent: Gross } {
  const before = spentBefore.get(creditedAsset) ?? { quoted: 0n, other: 0n };
  const spent = {
    quoted: before.quoted + proportion(gross.quoted, missing, units, 'up'),
    other: before.other + proportion(gross.other, missing, units, 'up'),
  };
  const quotes = commitments.filter(({ quote }) => quote.settlement.assetId === creditedAsset);
  const largest = quotes.map(({ quote }) => BigInt(quote.settlement.grossUnits)).reduce((a, b) => (a > b ? a : b), 0n);
  const most = terms.treasuryUnits(paidAsset, creditedAsset);
  const need = (spent.quoted < largest ? spent.quoted : largest) + spent.other;
  return { isCovered: most === null || need <= most, spent };
}

const isDone = ({ state }: VenueOrder): boolean => state === 'DONE';

const toExchange = ({ txHash, sourceUnits }: VenueOrder): Exchange => ({
  venue: 'stellar-dex',
  tx: present(txHash, 'the transaction of an exchange'),
  units: sourceUnits,
});

function newOrder(
  { checkout }: CheckoutDossier,
  { paidAsset, creditedAsset }: Pair,
  { orders }: ExchangeTerms,
  wanted: Pick<NewOrder, 'sourceUnits' | 'leastUnits'>,
): NewOrder {
  const attempt = orders.length + 1;
  return {
    ...wanted,
    id: `checkout:${checkout.id}:${paidAsset.split(':')[0]}:${attempt}`,
    attempt,
    purpose: 'checkout',
    reference: settlementReference(checkout.id, checkout.settlements + 1),
    merchantId: checkout.merchantId,
    ownerId: checkout.id,
    sourceAsset: paidAsset,
    targetAsset: creditedAsset,
  };
}

const unbridged = ({ payments }: CheckoutDossier, { paidAsset }: Pair) =>
  payments.filter(
    (payment) =>
      payment.asset === paidAsset &&
      isConfirmed(payment) &&
      payment.bridge === null &&
      payment.network !== homeNetwork.id,
  );

const isOnItsWay = (dossier: CheckoutDossier, pair: Pair, { needsBridge }: ExchangeTerms): boolean =>
  needsBridge(pair.paidAsset) && unbridged(dossier, pair).length > 0;

/**
 * Whether it was paid on another network while the market's ledger has too little of it to sell. An order would wait
 * there and count as unsent, and nobody else could send any of it.
 */
function isBeyondStock(dossier: CheckoutDossier, pair: Pair, units: bigint, terms: ExchangeTerms): boolean {
  const stock = terms.needsBridge(pair.paidAsset) ? null : terms.stockOf(pair.paidAsset);
  return stock !== null && stock < units && unbridged(dossier, pair).length > 0;
}

const isBridgeLate = ({ checkout: { awaitsBridgeSince } }: CheckoutDossier, now: Date): boolean =>
  awaitsBridgeSince !== null && now >= addMs(awaitsBridgeSince, bridgePatienceMs);

function pairsOf(parts: readonly SettledPart[]): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const { paidAsset, creditedAsset, countedUnits, grossUnits, basis } of parts) {
    if (paidAsset === creditedAsset || countedUnits === '0') continue;
    const pair = pairs.get(`${paidAsset}/${creditedAsset}`) ?? {
      paidAsset,
      creditedAsset,
      units: 0n,
      gross: { quoted: 0n, other: 0n },
    };
    pair.units += BigInt(countedUnits);
    pair.gross[basis === 'QUOTE' ? 'quoted' : 'other'] += BigInt(grossUnits);
    pairs.set(keyOf(pair), pair);
  }
  return [...pairs.values()];
}

const keyOf = ({ paidAsset, creditedAsset }: Pick<Pair, 'paidAsset' | 'creditedAsset'>): string =>
  `${paidAsset}/${creditedAsset}`;
