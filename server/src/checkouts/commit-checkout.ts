/**
 * The customer picked a network: price it, allocate the deposit target and start the 60 minutes.
 *
 * The target is made before the transaction, because some networks must be asked for one. If the transaction then
 * fails, an address was derived that nobody knows; that is harmless.
 */

import { findAsset } from '../catalog/asset-catalog.ts';
import type { Db } from '../db/database.ts';
import type { NextDepositIndex } from '../deposits/deposit-index.ts';
import { insertDepositTarget } from '../deposits/deposit-target-store.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { rescale } from '../money/amount.ts';
import { type DepositTarget, networkAsset } from '../networks/port.ts';
import type { Checkout, CheckoutDossier, Commitment, Quote } from './checkout.ts';
import {
  assetNotOffered,
  cannotCommit,
  checkoutNotFound,
  networkNotOffered,
  noPaymentMethod,
} from './checkout-errors.ts';
import { factsOf } from './checkout-facts.ts';
import { assertMove, deriveCheckout } from './checkout-state.ts';
import {
  addToTimeline,
  findDossier,
  insertCommitment,
  lockDossier,
  saveCheckout,
  saveQuotes,
} from './checkout-store.ts';
import { type QuoteDeps, quoteMethods } from './quote-methods.ts';

export const paymentWindowMs = minutes(60);
export const quoteValidityMs = minutes(60);

export type CommitDeps = QuoteDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly nextDepositIndex: NextDepositIndex;
};

export type CommitRequest = {
  readonly checkoutId: string;
  readonly network: string;
  readonly asset?: string | undefined;
};
export type Committer = { readonly id: string; readonly highRiskAssets: ReadonlySet<string> };

export async function commitCheckout(
  deps: CommitDeps,
  merchant: Committer,
  request: CommitRequest,
): Promise<{ checkout: Checkout; commitment: Commitment }> {
  const now = deps.clock.now();
  const seen = await findDossier(deps.db, merchant.id, request.checkoutId);
  if (!seen) throw checkoutNotFound(request.checkoutId);
  const already = standingCommitment(deps, seen, request, now);
  if (already) return { checkout: seen.checkout, commitment: already };
  assertCanCommit(seen.checkout);

  const { quotes, isFresh } = currentQuotes(deps, merchant, seen.checkout, now);
  const quote = chooseQuote(deps, quotes, request);
  const { target, targetId, index } = await makeTarget(deps, seen.checkout, quote, now);

  return deps.db.begin(async (tx) => {
    const dossier = present(await lockDossier(tx, merchant.id, request.checkoutId), 'checkout');
    const { checkout } = dossier;
    // Somebody else, most likely the same client twice, may have committed between our look and the lock.
    const standing = standingCommitment(deps, dossier, request, now);
    if (standing) return { checkout, commitment: standing };
    assertCanCommit(checkout);

    const committedAt = strictlyAfter(dossier.commitments.at(-1)?.committedAt, now);
    const commitment: Commitment = {
      id: newId(),
      network: quote.network,
      asset: quote.assetId,
      dueUnits: BigInt(quote.dueUnits),
      quote,
      targetKey: target.key,
      address: target.address,
      memo: target.memo,
      memoType: target.memoType,
      committedAt,
      expiresAt: addMs(committedAt, paymentWindowMs),
    };
    const commitments = [...dossier.commitments, commitment];
    // Whoever commits takes a cancelled checkout up again, so it no longer counts as cancelled.
    const { state, exceptions } = deriveCheckout({ ...factsOf(dossier), commitments, canceledAt: null }, now);
    assertMove(checkout.state, state);
    const after = { ...checkout, quotes, state, exceptions, canceledAt: null, windowEndsAt: commitment.expiresAt };
    const { id: checkoutId, merchantId } = checkout;
    await Promise.all([
      insertDepositTarget(tx, { ...target, id: targetId, network: quote.network, merchantId, checkoutId, index }, now),
      insertCommitment(tx, checkout, commitment),
      isFresh ? saveQuotes(tx, after, now) : undefined,
      saveCheckout(tx, checkout, after, now),
      addToTimeline(tx, checkout, [{ what: 'committed', why: { network: quote.network, asset: quote.assetId } }], now),
      enqueue(tx, [{ name: 'checkout.advance', payload: { merchantId, checkoutId }, runAt: commitment.expiresAt }]),
    ]);
    return { checkout: after, commitment };
  });
}

/** The latest commitment is the one with the latest time, so two never share one, whatever the machine's clock does. */
const strictlyAfter = (earlier: Date | undefined, now: Date): Date =>
  earlier && earlier >= now ? addMs(earlier, 1) : now;

/** A client that commits the same method again inside the window gets the same instructions again. */
function standingCommitment(
  deps: QuoteDeps,
  dossier: CheckoutDossier,
  request: CommitRequest,
  now: Date,
): Commitment | undefined {
  if (dossier.checkout.state !== 'PENDING' && dossier.checkout.state !== 'PROCESSING') return undefined;
  const wanted = request.asset === undefined ? undefined : findAsset(deps.assets, request.asset)?.id;
  return dossier.commitments.findLast(
    (commitment) =>
      commitment.network === request.network &&
      (request.asset === undefined || commitment.asset === wanted) &&
      now < commitment.expiresAt,
  );
}

function assertCanCommit(checkout: Checkout): void {
  const { state } = checkout;
  if (state !== 'CREATED' && state !== 'PENDING' && state !== 'EXPIRED' && state !== 'CANCELED')
    throw cannotCommit(state);
}

/** The quotes of the checkout while they hold; after that, or when it is revived, new ones. */
function currentQuotes(
  deps: CommitDeps,
  merchant: Committer,
  checkout: Checkout,
  now: Date,
): { quotes: readonly Quote[]; isFresh: boolean } {
  const isRevived = checkout.state === 'EXPIRED' || checkout.state === 'CANCELED';
  if (!isRevived && now < addMs(checkout.quotedAt, quoteValidityMs)) return { quotes: checkout.quotes, isFresh: false };
  const { quotes, leftOut } = quoteMethods(deps, {
    total: checkout.total,
    billingCurrency: checkout.billingCurrency,
    settlementAsset: checkout.settlementAsset,
    enabledHighRisk: merchant.highRiskAssets,
  });
  if (quotes.length === 0) throw noPaymentMethod(leftOut);
  return { quotes, isFresh: true };
}

function chooseQuote(deps: QuoteDeps, quotes: readonly Quote[], request: CommitRequest): Quote {
  const onNetwork = quotes.filter((quote) => quote.network === request.network);
  const [first] = onNetwork;
  if (!first) throw networkNotOffered(request.network, [...new Set(quotes.map((quote) => quote.network))]);
  if (request.asset === undefined) return first; // Quotes keep the network's order: its default asset comes first.
  const wanted = findAsset(deps.assets, request.asset)?.id;
  const chosen = onNetwork.find((quote) => quote.assetId === wanted);
  if (!chosen)
    throw assetNotOffered(
      request.asset,
      request.network,
      onNetwork.map((quote) => quote.assetId),
    );
  return chosen;
}

async function makeTarget(
  deps: CommitDeps,
  checkout: Checkout,
  quote: Quote,
  now: Date,
): Promise<{ target: DepositTarget; targetId: string; index: number }> {
  const connector = present(deps.connectors.get(quote.network), `connector of ${quote.network}`);
  const asset = present(findAsset(deps.assets, quote.assetId), `asset ${quote.assetId}`);
  const { scale } = networkAsset(connector.network, asset.assetCode);
  const targetId = newId();
  const index = await deps.nextDepositIndex();
  const target = await connector.createTarget({
    targetId,
    index,
    reference: checkout.id,
    amount: { asset: asset.id, units: rescale(BigInt(quote.dueUnits), asset.ledgerScale, scale, 'up') },
    assetCode: asset.assetCode,
    expiresAt: addMs(now, paymentWindowMs),
  });
  return { target, targetId, index };
}
