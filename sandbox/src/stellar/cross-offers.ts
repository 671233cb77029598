/** An order goes through the book: the best offers first, each as far as its seller can honour it. */
import { exchange, honourableAmount, type RoundingKind } from './exchange.ts';
import { changeBalance, receivable, sendable } from './holdings.ts';
import type { LedgerEntries, OfferEntry } from './ledger-entries.ts';

export type Order = {
  readonly taker: string;
  readonly gives: string; // sheep
  readonly givesAtMost: bigint;
  readonly takes: string; // wheat
  readonly takesAtMost: bigint;
  readonly rounding: RoundingKind;
  /** False: this offer and all after it are too dear. */
  isAcceptable?(offer: OfferEntry): boolean;
};

export type Trade = {
  readonly offer: OfferEntry;
  readonly sold: bigint; // by the offer's seller
  readonly bought: bigint;
};

export type Crossed = {
  readonly given: bigint;
  readonly taken: bigint;
  readonly trades: readonly Trade[];
  readonly hasMetOwnOffer: boolean;
  /** The order took all that it wanted; at most a rest by rounding is left. */
  readonly isSatisfied: boolean;
};

export function bookOf(entries: LedgerEntries, selling: string, buying: string): OfferEntry[] {
  return [...entries.offers.values()]
    .filter((offer) => offer.selling === selling && offer.buying === buying)
    .sort((a, b) => compare(a.price.n * b.price.d, b.price.n * a.price.d) || compare(a.id, b.id));
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Changes the balances of the sellers; the caller changes those of the taker. */
export function crossOffers(entries: LedgerEntries, order: Order): Crossed {
  let given = 0n;
  let taken = 0n;
  let wasMoreThere = false;
  const trades: Trade[] = [];
  for (const offer of bookOf(entries, order.takes, order.gives)) {
    if (given >= order.givesAtMost || taken >= order.takesAtMost) break;
    if (order.isAcceptable && !order.isAcceptable(offer)) break;
    // An order that meets an offer of its own account fails (MANAGE_SELL_OFFER_CROSS_SELF), whatever else is there.
    if (offer.seller === order.taker) return { given, taken, trades, hasMetOwnOffer: true, isSatisfied: false };
    const key = String(offer.id);
    entries.offers.delete(key); // What it has promised itself must not count against it.
    const most = {
      wheat: least(offer.amount, sendable(entries, offer.seller, offer.selling)),
      sheep: receivable(entries, offer.seller, offer.buying),
    };
    const { wheat, sheep, isOfferKept } = exchange(
      offer.price,
      {
        wheatSend: honourableAmount(offer.price, most),
        wheatReceive: order.takesAtMost - taken,
        sheepSend: order.givesAtMost - given,
        sheepReceive: most.sheep,
      },
      order.rounding,
    );
    if (wheat > 0n || sheep > 0n) {
      changeBalance(entries, offer.seller, offer.selling, -wheat);
      changeBalance(entries, offer.seller, offer.buying, sheep);
      trades.push({ offer, sold: wheat, bought: sheep });
      given += sheep;
      taken += wheat;
    }
    if (!isOfferKept) continue;
    const rest = honourableAmount(offer.price, {
      wheat: least(offer.amount - wheat, sendable(entries, offer.seller, offer.selling)),
      sheep: receivable(entries, offer.seller, offer.buying),
    });
    if (rest > 0n) entries.offers.set(key, { ...offer, amount: rest });
    wasMoreThere = true;
    break; // This offer had more than the order could take.
  }
  const isSatisfied = wasMoreThere || given >= order.givesAtMost || taken >= order.takesAtMost;
  return { given, taken, trades, hasMetOwnOffer: false, isSatisfied };
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
