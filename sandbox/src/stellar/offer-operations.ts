/** Offers: what can be taken from the book at once is taken, the rest goes onto it (CAP-3, CAP-4, CAP-6). */
import type { OperationRecord } from '@stellar/stellar-sdk';
import { xdr } from '@stellar/stellar-sdk';
import { crossOffers } from './cross-offers.ts';
import { exchangeAtMost, honourableAmount } from './exchange.ts';
import { changeBalance, holdingProblem, liabilities, receivable, sendable } from './holdings.ts';
import {
  assetKey,
  assetOf,
  formatStroops,
  int64Max,
  nativeAsset,
  type OfferEntry,
  type Price,
  toStroops,
  trustlineKey,
} from './ledger-entries.ts';
import { type Applied, assertReserve, assetFields, type OperationContext } from './operation-context.ts';
import { OperationFailure } from './operation-outcome.ts';
import { claimAtoms, publicKeyXdr } from './path-payment-operations.ts';

type Operation<Type extends OperationRecord['type']> = Extract<OperationRecord, { type: Type }>;

type Wanted = {
  readonly id: bigint; // 0: a new offer
  readonly selling: string;
  readonly buying: string;
  readonly price: Price; // of one unit sold
  readonly sellsAtMost: bigint;
  readonly buysAtMost: bigint;
  readonly isDeletion: boolean;
};

export function manageSellOffer(context: OperationContext, operation: Operation<'manageSellOffer'>): Applied {
  const body = context.raw.body;
  if (body.type !== 'manageSellOffer') throw new Error('not a sell offer');
  const { n, d } = body.manageSellOfferOp.price;
  const amount = toStroops(operation.amount);
  return manageOffer(
    context,
    {
      ...wantedOf(operation, { n: BigInt(n), d: BigInt(d) }, amount),
      sellsAtMost: amount,
      buysAtMost: int64Max,
    },
    { type: 'manage_sell_offer', type_i: 3 },
  );
}

/** CAP-6: the same with the amount and the price seen from the other side. */
export function manageBuyOffer(context: OperationContext, operation: Operation<'manageBuyOffer'>): Applied {
  const body = context.raw.body;
  if (body.type !== 'manageBuyOffer') throw new Error('not a buy offer');
  const { n, d } = body.manageBuyOfferOp.price;
  const amount = toStroops(operation.buyAmount);
  return manageOffer(
    context,
    {
      ...wantedOf(operation, { n: BigInt(d), d: BigInt(n) }, amount),
      sellsAtMost: int64Max,
      buysAtMost: amount,
    },
    { type: 'manage_buy_offer', type_i: 12 },
  );
}

function wantedOf(operation: Operation<'manageSellOffer'> | Operation<'manageBuyOffer'>, price: Price, amount: bigint) {
  const [selling, buying] = [assetKey(operation.selling), assetKey(operation.buying)];
  const id = BigInt(operation.offerId);
  const isDeletion = amount === 0n;
  const isWellFormed = amount >= 0n && price.n > 0n && price.d > 0n && selling !== buying && (!isDeletion || id > 0n);
  if (!isWellFormed) throw new OperationFailure('Malformed');
  return { id, selling, buying, price, isDeletion };
}

function manageOffer(context: OperationContext, wanted: Wanted, kind: Record<string, unknown>): Applied {
  const { entries, source } = context;
  const { selling, buying, price } = wanted;
  if (!wanted.isDeletion) assertTradable(context, wanted);
  const old = wanted.id === 0n ? undefined : entries.offers.get(String(wanted.id));
  if (wanted.id !== 0n && old?.seller !== source) throw new OperationFailure('NotFound');
  const record = {
    ...kind,
    offer_id: String(wanted.id),
    amount: formatStroops(kind['type_i'] === 3 ? wanted.sellsAtMost : wanted.buysAtMost),
    price_r: { n: Number(price.n), d: Number(price.d) },
    ...assetFields(selling, 'selling_'),
    ...assetFields(buying, 'buying_'),
  };
  if (wanted.isDeletion) {
    entries.offers.delete(String(wanted.id));
    const offer = xdr.ManageOfferSuccessResultOffer.manageOfferDeleted();
    return { detail: new xdr.ManageOfferSuccessResult({ offersClaimed: [], offer }), record };
  }
  if (old) entries.offers.delete(String(old.id));
  assertAffordable(context, wanted);
  const canSell = least(wanted.sellsAtMost, sendable(entries, source, selling));
  const canBuy = least(wanted.buysAtMost, receivable(entries, source, buying));
  if (canBuy === 0n) throw new OperationFailure('LineFull');
  const crossed = crossOffers(entries, {
    taker: source,
    gives: selling,
    givesAtMost: canSell,
    takes: buying,
    takesAtMost: canBuy,
    rounding: 'normal',
    // Each price is n/d units of what the other side sells: the two offers match when the product is at most 1.
    isAcceptable: (offer) => offer.price.n * price.n <= offer.price.d * price.d,
  });
  if (crossed.hasMetOwnOffer) throw new OperationFailure('CrossSelf');
  changeBalance(entries, source, selling, -crossed.given);
  changeBalance(entries, source, buying, crossed.taken);

  const rest = honourableAmount(price, {
    wheat: least(
      wanted.sellsAtMost === int64Max ? int64Max : wanted.sellsAtMost - crossed.given,
      sendable(entries, source, selling),
    ),
    sheep: least(
      wanted.buysAtMost === int64Max ? int64Max : wanted.buysAtMost - crossed.taken,
      receivable(entries, source, buying),
    ),
  });
  const amount = crossed.isSatisfied ? 0n : rest;
  if (amount === 0n) {
    const offer = xdr.ManageOfferSuccessResultOffer.manageOfferDeleted();
    return { detail: new xdr.ManageOfferSuccessResult({ offersClaimed: claimAtoms(crossed.trades), offer }), record };
  }
  const offer: OfferEntry = { id: old?.id ?? context.nextOfferId(), seller: source, selling, buying, amount, price };
  entries.offers.set(String(offer.id), offer);
  const shown = offerXdr(offer);
  return {
    detail: new xdr.ManageOfferSuccessResult({
      offersClaimed: claimAtoms(crossed.trades),
      offer: old
        ? xdr.ManageOfferSuccessResultOffer.manageOfferUpdated(shown)
        : xdr.ManageOfferSuccessResultOffer.manageOfferCreated(shown),
    }),
    record,
  };
}

/** In stellar-core's order: an empty trustline fails as underfunded before its authorisation is checked. */
function assertTradable({ entries, source }: OperationContext, { selling, buying }: Wanted): void {
  const sellProblem = holdingProblem(entries, source, selling);
  if (sellProblem === 'noTrust') throw new OperationFailure('SellNoTrust');
  if (entries.trustlines.get(trustlineKey(source, selling))?.balance === 0n) throw new OperationFailure('Underfunded');
  if (sellProblem) throw new OperationFailure('SellNotAuthorized');
  const buyProblem = holdingProblem(entries, source, buying);
  if (buyProblem) throw new OperationFailure(buyProblem === 'noTrust' ? 'BuyNoTrust' : 'BuyNotAuthorized');
}

/** CAP-3: an offer must be backed in full, and a new one needs its reserve, before anything is taken. */
function assertAffordable(context: OperationContext, wanted: Wanted): void {
  const { entries, source } = context;
  const whole = exchangeAtMost(wanted.price, { wheat: wanted.sellsAtMost, sheep: wanted.buysAtMost });
  const probe = {
    id: 0n,
    seller: source,
    selling: wanted.selling,
    buying: wanted.buying,
    amount: 0n,
    price: wanted.price,
  };
  entries.offers.set('0', probe); // It counts for the reserve, but promises nothing.
  try {
    assertReserve(context, liabilities(entries, source, nativeAsset).selling);
    if (receivable(entries, source, wanted.buying) < whole.sheep) throw new OperationFailure('LineFull');
    if (sendable(entries, source, wanted.selling) < whole.wheat) throw new OperationFailure('Underfunded');
  } finally {
    entries.offers.delete('0');
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const offerXdr = (offer: OfferEntry): xdr.OfferEntry =>
  new xdr.OfferEntry({
    sellerId: publicKeyXdr(offer.seller),
    offerId: offer.id,
    selling: assetOf(offer.selling).toXdrObject(),
    buying: assetOf(offer.buying).toXdrObject(),
    amount: offer.amount,
    price: new xdr.Price({ n: Number(offer.price.n), d: Number(offer.price.d) }),
    flags: 0,
    ext: xdr.OfferEntryExt.v0(),
  });
