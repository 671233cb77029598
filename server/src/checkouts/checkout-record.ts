/** The public JSON of a checkout (spec §2.7). What is not listed here never leaves the house. */
import type { BlockchainTransaction, CheckoutRecord, CommitReply, PaymentMethod } from '@quittance/contract/checkout';
import type { RefundRecord } from '@quittance/contract/refund';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findNetwork, homeNetwork } from '../catalog/network-catalog.ts';
import { paymentsShown, paymentTotals } from '../deposits/payment-totals.ts';
import { present } from '../lib/assert.ts';
import { formatTimestamp } from '../lib/clock.ts';
import { formatUnits } from '../money/amount.ts';
import { accountShown } from '../networks/port/account-shown.ts';
import type { KnownNetwork } from '../networks/port/connector.ts';
import type { Checkout, CheckoutDossier, Commitment, SettledPart } from './checkout.ts';
import { standingSettlement } from './checkout-facts.ts';
import { isAlive } from './checkout-state.ts';
import type { Refund } from './refund.ts';

export type RecordDeps = {
  readonly assets: AssetCatalog;
  /** The beginning of links to a merchant's pages. */
  readonly originFor: (merchantId: string) => string;
};

export function checkoutRecord(deps: RecordDeps, dossier: CheckoutDossier): CheckoutRecord {
  const { checkout } = dossier;
  const settled = creditedParts(dossier);
  const chosen = choiceShown(dossier, settled);
  const source = chosen && assetOf(deps, chosen.asset);
  const terms = chosen?.quote.settlement;
  const settlementAssetId = checkout.settlementAsset === 'ORIGIN' ? (terms?.assetId ?? null) : checkout.settlementAsset;
  const credited = settlementAssetId === null ? undefined : assetOf(deps, settlementAssetId);
  const inCreditedAsset = settled.filter((part) => part.creditedAsset === settlementAssetId);
  const total = (units: readonly string[], scale: number): string =>
    formatUnits(
      units.reduce((sum, each) => sum + BigInt(each), 0n),
      scale,
    );

  return {
    id: checkout.id,
    timestamp: formatTimestamp(checkout.createdAt),
    state: checkout.state,
    exceptions: [...checkout.exceptions],
    type: checkout.type,
    origin: checkout.origin,
    settlementAssetId,
    settlementAmountRequired: terms?.amount ?? null,
    settlementAmountReceived: credited
      ? total(
          inCreditedAsset.map((part) => part.grossUnits),
          credited.ledgerScale,
        )
      : '0',
    settlementAmountFeePaid: credited
      ? total(
          inCreditedAsset.map((part) => part.feeUnits),
          credited.ledgerScale,
        )
      : '0',
    sourceAssetId: chosen?.asset ?? null,
    sourceAmountRequired: chosen && source ? formatUnits(chosen.dueUnits, source.ledgerScale) : null,
    sourceAmountReceived: chosen && source ? formatUnits(receivedOn(dossier, chosen.asset), source.ledgerScale) : '0',
    sourceNetwork: chosen?.network ?? null,
    sourceNetworkName: chosen ? networkName(chosen.network) : null,
    depositAddress: chosen?.address ?? null,
    expirationTime: checkout.windowEndsAt ? formatTimestamp(checkout.windowEndsAt) : null,
    blockchainTransactions: [
      ...originTransactions(deps, withNewest(dossier)),
      ...bridgeTransactions(deps, withNewest(dossier)),
      ...settlementTransactions(deps, dossier),
    ],
    paymentTotals: paymentTotals(
      deps.assets,
      dossier.payments.filter(isAlive).map((payment) => ({ ...payment, count: 1 })),
      dossier.crumbs,
    ),
    refunds: dossier.refunds.map((refund) => refundRecord(deps, checkout.id, refund)),
    payload: checkout.payload,
    ...metaOf(checkout),
    ...paymentLinkOf(checkout),
    hostedCheckoutUrl: checkout.type === 'HOSTED' ? hostedCheckoutUrl(deps, checkout) : null,
  };
}

/** Parts that were credited. One that came when the price was already full is in suspense and credits nothing. */
const creditedParts = (dossier: CheckoutDossier): readonly SettledPart[] =>
  (standingSettlement(dossier)?.parts ?? []).filter((part) => BigInt(part.countedUnits) > 0n);

/**
 * What the customer chose last, unless another choice was paid: the record says what was paid and where to (spec §2.7),
 * and a payment in bitcoin must not be shown as no payment in litecoin. While more is expected, the last choice is
 * where to pay it.
 */
function choiceShown(
  { checkout, commitments, payments }: CheckoutDossier,
  settled: readonly SettledPart[],
): Commitment | undefined {
  const credited = new Set(settled.map((part) => part.commitmentId));
  const paid = new Set(checkout.state === 'PENDING' ? [] : payments.filter(isAlive).map((each) => each.commitmentId));
  return (
    commitments.findLast(({ id }) => credited.has(id)) ??
    commitments.findLast(({ id }) => paid.has(id)) ??
    commitments.at(-1)
  );
}

/** What arrived in that asset. Parts paid in another asset are in blockchainTransactions. */
const receivedOn = (dossier: CheckoutDossier, asset: string): bigint =>
  dossier.payments
    .filter((payment) => isAlive(payment) && payment.asset === asset)
    .reduce((sum, payment) => sum + payment.units, 0n);

const withNewest = (dossier: CheckoutDossier): CheckoutDossier => ({
  ...dossier,
  payments: dossier.payments.filter(isAlive).slice(-paymentsShown),
});

function originTransactions(deps: RecordDeps, dossier: CheckoutDossier): BlockchainTransaction[] {
  return dossier.payments.filter(isAlive).map((payment) => {
    const asset = assetOf(deps, payment.asset);
    return {
      type: 'CHECKOUT_ORIGIN',
      typeDescription: 'Payment by the customer',
      network: payment.network,
      networkName: networkName(payment.network),
      timestamp: formatTimestamp(payment.blockTime ?? payment.firstSeenAt),
      tx: payment.txHash,
      amount: formatUnits(payment.units, asset.ledgerScale),
      amountAssetCode: asset.assetCode,
      exception: null,
    };
  });
}

/** One transaction may bridge the coins of many payments: each payment shows its own part. */
function bridgeTransactions(deps: RecordDeps, dossier: CheckoutDossier): BlockchainTransaction[] {
  return dossier.payments.filter(isAlive).flatMap(({ asset: id, units, bridge }) => {
    if (!bridge || bridge.txHash === null) return [];
    const asset = assetOf(deps, id);
    return [
      {
        type: 'CHECKOUT_BRIDGE' as const,
        typeDescription: `Transfer from the native blockchain to ${homeNetwork.name}`,
        network: homeNetwork.id,
        networkName: homeNetwork.name,
        timestamp: formatTimestamp(bridge.at),
        tx: bridge.txHash,
        amount: formatUnits(units, asset.ledgerScale),
        amountAssetCode: asset.assetCode,
        exception: null,
      },
    ];
  });
}

/** A settlement without a transaction shows the reference of its ledger entry. */
function settlementTransactions(deps: RecordDeps, dossier: CheckoutDossier): BlockchainTransaction[] {
  const settlement = standingSettlement(dossier);
  if (!settlement) return [];
  return creditedParts(dossier).map((part) => {
    const asset = assetOf(deps, part.creditedAsset);
    const network = part.creditedOn ?? (part.tx === undefined ? part.network : homeNetwork.id);
    return {
      type: 'CHECKOUT_SETTLEMENT',
      typeDescription: 'Credit to the merchant account',
      network,
      networkName: networkName(network),
      timestamp: formatTimestamp(settlement.settledAt),
      tx: part.tx ?? settlement.reference,
      amount: formatUnits(BigInt(part.netUnits), asset.ledgerScale),
      amountAssetCode: asset.assetCode,
      exception: null,
    };
  });
}

/** One that came back whole had arrived before: it failed when it came back. */
function endOf({ state, endedAt, cameBackAt }: Refund): string | null {
  const end = state === 'FAILED' ? (cameBackAt ?? endedAt) : endedAt;
  return end && formatTimestamp(end);
}

export function refundRecord(deps: Pick<RecordDeps, 'assets'>, checkoutId: string, refund: Refund): RefundRecord {
  const asset = assetOf(deps, refund.asset);
  const amount = (units: bigint): string => formatUnits(units, asset.ledgerScale);
  return {
    id: refund.id,
    checkoutId,
    context: refund.context,
    state: refund.state,
    timestamp: formatTimestamp(refund.requestedAt),
    endTime: endOf(refund),
    assetId: asset.id,
    assetCode: asset.assetCode,
    network: refund.network,
    amount: amount(refund.units),
    fee: amount(refund.feeUnits),
    feePaidBy: refund.feePaidBy,
    amountSent: amount(refund.sentUnits),
    basis: refund.basis,
    rates: refund.rates.map(({ code, usd, at }) => ({ code, usd, at: formatTimestamp(new Date(at)) })),
    address: refund.address,
    memo: refund.memo,
    memoType: refund.memoType,
    holder: refund.holder?.name ?? null,
    claimExpirationTime: refund.claimExpiresAt && formatTimestamp(refund.claimExpiresAt),
    tx: refund.txHash,
    failure: refund.failure,
    failureCost: refund.state === 'FAILED' ? amount(refund.costUnits) : null,
    ...(refund.cameBackUnits > 0n && { cameBack: amount(refund.cameBackUnits) }),
    ...(refund.meta !== null && { meta: refund.meta }),
  };
}

/** PHP's empty array stands for an empty object (`meta: []`). */
export function metaOf(checkout: Checkout): { meta?: unknown } {
  const { meta } = checkout.payload;
  if (meta === undefined || meta === null) return {};
  return { meta: Array.isArray(meta) && meta.length === 0 ? {} : meta };
}

/** What somebody else wrote into a payload under that name means nothing. */
export const paymentLinkOf = ({ origin, payload }: Pick<Checkout, 'origin' | 'payload'>) =>
  origin === 'PAYMENT_LINK' ? { paymentLinkId: String(payload['paymentLinkId']) } : {};

/** The language is part of the path; `auto` starts in English and the page then follows the browser. */
export const hostedCheckoutUrl = (
  { originFor }: Pick<RecordDeps, 'originFor'>,
  checkout: Pick<Checkout, 'id' | 'language' | 'merchantId'>,
): string =>
  `${originFor(checkout.merchantId)}/${checkout.language === 'auto' ? 'en' : checkout.language}/checkout/${checkout.id}`;

export function commitReply(
  connectors: ReadonlyMap<string, KnownNetwork>,
  outcome: {
    readonly commitment: Commitment;
    readonly checkout: Checkout;
    readonly amount: string;
  },
): CommitReply {
  const { commitment, checkout, amount: amountToPay } = outcome;
  const { quote, network, address } = commitment;
  const { assetId, amount, netAmount, fee } = quote.settlement;
  return {
    checkoutId: checkout.id,
    depositInstructions: {
      assetCode: quote.paymentCode,
      blockchain: networkName(network),
      network,
      amount: amountToPay,
      address,
      ...accountShown(connectors.get(network), address),
      memo: commitment.memo,
      memoType: commitment.memoType,
    },
    settlement: { assetId, amount, netAmount, fee },
    expirationTime: formatTimestamp(commitment.expiresAt),
    ...metaOf(checkout),
  };
}

export const paymentMethods = (checkout: Checkout): PaymentMethod[] =>
  checkout.quotes.map((quote) => ({
    assetCode: quote.paymentCode,
    blockchain: networkName(quote.network),
    network: quote.network,
    relatedAssetId: quote.assetId,
    paymentAmount: quote.paymentAmount,
    settlement: {
      assetId: quote.settlement.assetId,
      amount: quote.settlement.amount,
      netAmount: quote.settlement.netAmount,
      fee: quote.settlement.fee,
    },
  }));

const assetOf = (deps: Pick<RecordDeps, 'assets'>, id: string) => present(findAsset(deps.assets, id), `asset ${id}`);
const networkName = (id: string): string => findNetwork(id)?.name ?? id;
