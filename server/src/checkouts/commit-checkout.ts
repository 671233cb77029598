/**
 * The customer picked a network: price it, allocate the deposit target and start the network's window.
 *
 * The target is made before the transaction, because some networks must be asked for one. If the transaction then
 * fails, an address was derived that nobody knows; that is harmless.
 */

import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Db } from '../db/database.ts';
import { askForTarget } from '../deposits/ask-for-target.ts';
import type { NextDepositIndex } from '../deposits/deposit-index.ts';
import type { Remember } from '../http/effect.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { rescale } from '../money/amount.ts';
import type { Connector, KnownNetwork } from '../networks/port/connector.ts';
import { networkAsset, paymentWindowMs } from '../networks/port/definition.ts';
import type { TargetRequest } from '../networks/port/receiving.ts';
import { addCommitment } from './adopt-payments.ts';
import type { Checkout, CheckoutDossier, Commitment, Quote } from './checkout.ts';
import type { CheckoutBatches } from './checkout-batches.ts';
import {
  assetNotOffered,
  checkoutNotFound,
  type LeftOutMethod,
  methodAway,
  networkNotOffered,
  noPaymentMethod,
} from './checkout-errors.ts';
import { amountToPay, unitsToAsk } from './missing-amount.ts';
import { isPromiseKept } from './promise-kept.ts';
import { type QuoteDeps, quoteMethods } from './quote-methods.ts';
import { quoteValidityMs } from './quote-validity.ts';
import { assertCanCommit, type Choice, type Committed, standingCommitment } from './store-choices.ts';

export type CommitDeps = QuoteDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly nextDepositIndex: NextDepositIndex;
  readonly batches: CheckoutBatches;
};

export type CommitRequest = {
  readonly checkoutId: string;
  readonly network: string;
  readonly asset?: string | undefined;
  readonly remember: Remember<CommitOutcome> | null;
};
export type Committer = Pick<
  Merchant,
  'id' | 'highRiskAssets' | 'riskTolerance' | 'takesRateOfBooking' | 'feePercent' | 'feeMinimumUsd'
>;

/** `amount`: what to pay now, as the payer's wallet writes it. */
export type CommitOutcome = Committed & { readonly amount: string };

export async function commitCheckout(
  deps: CommitDeps,
  merchant: Committer,
  request: CommitRequest,
): Promise<CommitOutcome> {
  const store = await prepareCommit(deps, merchant, request);
  return store();
}

/**
 * Does all that can fail because a network is not offered or away, and stores nothing. What it gives then commits: for
 * whoever does something else in between, which must not be left over when the choice cannot be made.
 */
export async function prepareCommit(
  deps: CommitDeps,
  merchant: Committer,
  request: CommitRequest,
): Promise<() => Promise<CommitOutcome>> {
  const now = deps.clock.now();
  const seen = await deps.batches.find({ merchantId: merchant.id, id: request.checkoutId });
  if (!seen) throw checkoutNotFound(request.checkoutId);
  const { checkout } = seen;
  const assetId = assetIdOf(deps, request);
  const already = standingCommitment(seen, request.network, assetId, now);
  const isOutdated = already !== undefined && asksForOther(deps, seen, already, now);
  if (already && !isOutdated)
    return async () => ({ checkout, commitment: already, amount: amountToPay(deps, seen, already, now) });
  assertCanCommit(checkout);

  const offer = currentQuotes(deps, merchant, seen, now);
  const { quotes, isFresh } = offer;
  const quote = chooseQuote(offer, request, assetId);
  const { remember } = request;
  const outcomeOf = (committed: Committed): CommitOutcome => {
    const { commitment } = committed;
    return { ...committed, amount: amountToPay(deps, addCommitment(seen, commitment).dossier, commitment, now) };
  };
  const connector = present(deps.connectors.get(quote.network), `connector of ${quote.network}`);
  const windowMs = paymentWindowMs(connector.network);
  const target = await makeTarget(deps, connector, seen, quote, { requestedAt: now, expiresAt: addMs(now, windowMs) });
  return async () =>
    outcomeOf(
      await deps.batches.commit({
        merchantId: checkout.merchantId,
        checkoutId: checkout.id,
        network: request.network,
        assetId,
        quote,
        freshQuotes: isFresh ? quotes : null,
        target,
        windowMs,
        outdatedId: already?.id ?? null,
        at: now,
        remember: remember && ((tx, chosen) => remember(tx, outcomeOf(chosen))),
      }),
    );
}

type Wish = Pick<CommitRequest, 'network' | 'asset'>;

const assetIdOf = ({ assets }: CommitDeps, { asset }: Wish): string | null =>
  asset === undefined ? null : (findAsset(assets, asset)?.id ?? asset);

type Offer = {
  readonly quotes: readonly Quote[];
  readonly leftOut: readonly LeftOutMethod[];
  readonly isFresh: boolean;
};

/** The quotes of the checkout while they are valid; after that, or when it is revived, new ones. */
function currentQuotes(deps: CommitDeps, merchant: Committer, dossier: CheckoutDossier, now: Date): Offer {
  const { checkout } = dossier;
  if (arePricesHeld(checkout, now)) return { quotes: checkout.quotes, leftOut: [], isFresh: false };
  const { quotes, leftOut } = freshQuotes(deps, merchant, dossier, now);
  if (quotes.length === 0) throw noPaymentMethod({ leftOut, advice: [] }); // A payer cannot follow any.
  return { quotes, leftOut, isFresh: true };
}

/** Whether who chooses now gets the quotes that the checkout was made with. */
export const arePricesHeld = ({ state, quotedAt }: Pick<Checkout, 'state' | 'quotedAt'>, now: Date): boolean =>
  state !== 'EXPIRED' && state !== 'CANCELED' && now < addMs(quotedAt, quoteValidityMs);

/** What a choice would be priced at, were it made now. */
export function freshQuotes(
  deps: QuoteDeps,
  merchant: Committer,
  dossier: CheckoutDossier,
  now: Date,
): { quotes: Quote[]; leftOut: LeftOutMethod[] } {
  const { checkout } = dossier;
  return quoteMethods(deps, {
    merchantId: checkout.merchantId,
    held: heldUnits(dossier, now),
    total: checkout.total,
    billingCurrency: checkout.billingCurrency,
    settlementAsset: checkout.settlementAsset,
    enabledHighRisk: new Set(merchant.highRiskAssets),
    riskTolerance: merchant.riskTolerance,
    takesRateOfBooking: merchant.takesRateOfBooking,
    agreed: merchant,
    anchors: (checkout.payload['anchors'] ?? {}) as Readonly<Record<string, unknown>>,
  });
}

/** What an open checkout was promised, by the id of the credited asset: the largest of its commitments. */
export function heldUnits(dossier: CheckoutDossier, now: Date): ReadonlyMap<string, bigint> {
  const held = new Map<string, bigint>();
  if (!isPromiseKept(dossier, now)) return held;
  for (const { asset, quote } of dossier.commitments) {
    const { assetId, grossUnits } = quote.settlement;
    if (assetId !== asset && !quote.isAtBooking && BigInt(grossUnits) > (held.get(assetId) ?? 0n))
      held.set(assetId, BigInt(grossUnits));
  }
  return held;
}

function chooseQuote({ quotes, leftOut }: Offer, request: Wish, assetId: string | null): Quote {
  const onNetwork = quotes.filter((quote) => quote.network === request.network);
  const [first] = onNetwork;
  const away = leftOut.find(
    (method) =>
      method.isPassing &&
      method.network === request.network &&
      (assetId === null || method.assetId === null || method.assetId === assetId),
  );
  if (!first && away) throw methodAway(away);
  if (!first) throw networkNotOffered(request.network, [...new Set(quotes.map((quote) => quote.network))]);
  if (assetId === null || request.asset === undefined) return first; // The first is the network's default asset.
  const chosen = onNetwork.find((quote) => quote.assetId === assetId);
  if (!chosen && away) throw methodAway(away);
  if (!chosen)
    throw assetNotOffered(
      request.asset,
      request.network,
      onNetwork.map((quote) => quote.assetId),
    );
  return chosen;
}

/**
 * An invoice cannot be paid in part. When something has arrived elsewhere, or what had arrived is gone, the invoice
 * asks for too much or too little, and the same method needs a new one. So it does when the invoice was paid and a bank
 * has given that back: it is paid once.
 */
export function asksForOther(
  deps: {
    readonly assets: AssetCatalog;
    readonly connectors: ReadonlyMap<string, KnownNetwork>;
  },
  dossier: CheckoutDossier,
  commitment: Commitment,
  now: Date,
): boolean {
  const { id, network, asset: assetId, dueUnits } = commitment;
  const invoiced = deps.connectors.get(network)?.targetUnits?.(commitment) ?? null;
  if (invoiced === null || dossier.checkout.state !== 'PENDING') return false;
  if (dossier.payments.some(({ commitmentId }) => commitmentId === id)) return true;
  const asked = unitsToAsk(deps, dossier, { network, assetId, dueUnits }, now);
  return asked !== undefined && invoiced !== asked.units;
}

/** An invoice asks for what is missing: less than the price, if a part has arrived on another network. */
async function makeTarget(
  deps: CommitDeps,
  connector: Connector,
  dossier: CheckoutDossier,
  quote: Quote,
  times: Pick<TargetRequest, 'requestedAt' | 'expiresAt'>,
): Promise<Choice['target']> {
  const asset = present(findAsset(deps.assets, quote.assetId), `asset ${quote.assetId}`);
  const { scale } = networkAsset(connector.network, asset.assetCode);
  const dueUnits = BigInt(quote.dueUnits);
  const asked = unitsToAsk(deps, dossier, { network: quote.network, assetId: asset.id, dueUnits }, times.requestedAt);
  const targetId = newId();
  const index = await deps.nextDepositIndex();
  const target = await askForTarget({ db: deps.db, merchantId: dossier.checkout.merchantId }, connector, {
    targetId,
    index,
    reference: dossier.checkout.id,
    amount: { asset: asset.id, units: asked?.units ?? rescale(dueUnits, asset.ledgerScale, scale, 'up') },
    assetCode: asset.assetCode,
    ...times,
  });
  return { ...target, id: targetId, index };
}
