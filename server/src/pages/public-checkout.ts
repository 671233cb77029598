/**
 * What the hosted page may know about a checkout, field by field. Whoever has the link sees all of this, so nothing is
 * passed through: no webhook, no meta, no key, no customer, no settlement.
 */
import { charge } from '@quittance/contract/checkout';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { Checkout, CheckoutDossier, Commitment, Payment } from '../checkouts/checkout.ts';
import { standingSettlement } from '../checkouts/checkout-facts.ts';
import { type CheckoutState, isAlive, isConfirmed } from '../checkouts/checkout-state.ts';
import { quoteValidityMs } from '../checkouts/commit-checkout.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import type { Merchant } from '../http/caller.ts';
import { readInput } from '../http/read-input.ts';
import { present } from '../lib/assert.ts';
import { addMs } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { formatFixed, roundTo } from '../money/decimal.ts';
import type { Sep7 } from '../networks/port.ts';
import { formatPayment } from '../pricing/quote.ts';
import { type ChargeLine, chargeLines } from './charge-lines.ts';
import { type MissingDeps, missingAmount } from './missing-amount.ts';
import { pageSetting } from './page-setting.ts';
import type { Eip681 } from './payment-link.ts';

export type PublicMethod = {
  readonly network: string;
  readonly networkName: string;
  readonly assetId: string;
  readonly assetName: string;
  readonly assetCode: string;
  readonly imageSrc: string;
  /** Null when it will be worked out anew. */
  readonly amount: string | null;
};

export type PayInstructions = {
  readonly network: string;
  readonly networkName: string;
  readonly assetId: string;
  readonly assetName: string;
  readonly assetCode: string;
  /** What is left to send. */
  readonly amount: string;
  readonly address: string;
  readonly memo: string | null;
  readonly sep7: Sep7 | null;
  readonly payUntil: Date;
  /** For the link that wallets open. */
  readonly eip681: Eip681 | null;
};

export type PublicPayment = {
  readonly amount: string;
  readonly assetCode: string;
  readonly networkName: string;
  readonly txHash: string;
  readonly isConfirmed: boolean;
  readonly confirmations: number;
  readonly confirmationsRequired: number;
};

export type PublicCheckout = {
  readonly id: string;
  readonly state: CheckoutState;
  readonly language: string;
  readonly shopName: string;
  readonly total: string;
  readonly currency: string;
  readonly lines: readonly ChargeLine[];
  readonly methods: readonly PublicMethod[];
  /** How to pay by the method that was chosen last, or by the one that `chosen` names. */
  readonly pay: PayInstructions | null;
  /** The commitment of an earlier choice that the customer went back to, for the links of the page. */
  readonly chosen: string | null;
  readonly payments: readonly PublicPayment[];
  readonly isOverpaid: boolean;
  readonly completedAt: Date | null;
  readonly canReturn: boolean;
  readonly canCancel: boolean;
};

export type PageMerchant = Pick<Merchant, 'id' | 'name' | 'highRiskAssets' | 'pageSettings'>;

export type PublicCheckoutDeps = MissingDeps & { readonly health: NetworkHealth };

export function publicCheckout(
  deps: PublicCheckoutDeps,
  dossier: CheckoutDossier,
  merchant: PageMerchant,
  view: { readonly now: Date; readonly chosen?: string | undefined },
): PublicCheckout {
  const { checkout, commitments, payments } = dossier;
  const { now } = view;
  const latest = commitments.at(-1);
  const earlier = commitments.find(({ id, expiresAt }) => id === view.chosen && now < expiresAt && id !== latest?.id);
  const decimals = findCurrency(checkout.billingCurrency)?.decimals ?? 2;
  const alive = payments.filter(isAlive);
  return {
    id: checkout.id,
    state: checkout.state,
    language: checkout.language,
    shopName: pageSetting(checkout, merchant, 'shopName') ?? merchant.name,
    total: formatFixed(roundTo(checkout.total, decimals, 'half-up'), decimals),
    currency: checkout.billingCurrency,
    lines: linesOf(checkout, decimals),
    methods: methodsOf(deps.assets, checkout, { isPartlyPaid: alive.length > 0 }, now),
    pay: instructionsOf(deps, dossier, earlier ?? latest),
    chosen: earlier?.id ?? null,
    payments: alive.map((payment) => publicPayment(deps, dossier, payment)),
    isOverpaid: checkout.exceptions.includes('OVERPAID') || checkout.exceptions.includes('DUPLICATE'),
    completedAt: standingSettlement(dossier)?.settledAt ?? null,
    canReturn: pageSetting(checkout, merchant, 'returnUrl') !== null,
    canCancel: pageSetting(checkout, merchant, 'cancelUrl') !== null,
  };
}

/** The payload is what was posted, so it is read as it was read when it was accepted. */
function linesOf(checkout: Checkout, decimals: number): ChargeLine[] {
  try {
    return chargeLines(readInput(charge, checkout.payload['charge'], { name: 'The charge' }), decimals);
  } catch (error) {
    // A payload accepted by an older or newer release: the total, which is stored apart, is still shown.
    if (error instanceof GatewayError) return [];
    throw error;
  }
}

function methodsOf(
  assets: AssetCatalog,
  checkout: Checkout,
  { isPartlyPaid }: { isPartlyPaid: boolean },
  now: Date,
): PublicMethod[] {
  const isRevived = checkout.state === 'EXPIRED' || checkout.state === 'CANCELED';
  const isPriceHeld = !isRevived && !isPartlyPaid && now < addMs(checkout.quotedAt, quoteValidityMs);
  return checkout.quotes.map((quote) => {
    const asset = present(findAsset(assets, quote.assetId), `asset ${quote.assetId}`);
    return {
      network: quote.network,
      networkName: networkName(quote.network),
      assetId: quote.assetId,
      assetName: asset.name,
      assetCode: quote.paymentCode,
      imageSrc: asset.imageSrc,
      amount: isPriceHeld ? quote.paymentAmount : null,
    };
  });
}

function instructionsOf(
  deps: PublicCheckoutDeps,
  dossier: CheckoutDossier,
  commitment: Commitment | undefined,
): PayInstructions | null {
  const amount = commitment && missingAmount(deps, dossier, commitment);
  if (!commitment || amount === undefined) return null;
  const asset = present(findAsset(deps.assets, commitment.asset), `asset ${commitment.asset}`);
  const carried = deps.connectors.get(commitment.network)?.network.assets ?? [];
  const rail = carried.find(({ assetCode }) => assetCode === asset.assetCode);
  return {
    network: commitment.network,
    networkName: networkName(commitment.network),
    assetId: commitment.asset,
    assetName: asset.name,
    assetCode: commitment.quote.paymentCode,
    amount,
    address: commitment.address,
    memo: commitment.memo,
    sep7: sep7Of(deps, commitment, asset.assetCode),
    payUntil: commitment.expiresAt,
    eip681: rail?.eip681 ? { ...rail.eip681, scale: rail.scale } : null,
  };
}

/** Null also when the network is no longer configured: its checkouts can still be looked at. */
const sep7Of = (deps: PublicCheckoutDeps, { network }: Commitment, assetCode: string): Sep7 | null =>
  deps.connectors.get(network)?.network.assets.find((asset) => asset.assetCode === assetCode)?.sep7 ?? null;

function publicPayment(deps: PublicCheckoutDeps, dossier: CheckoutDossier, payment: Payment): PublicPayment {
  const asset = present(findAsset(deps.assets, payment.asset), `asset ${payment.asset}`);
  const commitment = dossier.commitments.find(({ id }) => id === payment.commitmentId);
  const assetCode = commitment?.quote.paymentCode ?? asset.assetCode;
  const tipHeight = deps.health.status(payment.network)?.tipHeight ?? null;
  const depth =
    payment.blockHeight === null || tipHeight === null ? 0 : Math.max(1, tipHeight - payment.blockHeight + 1);
  const { confirmationsRequired } = payment;
  return {
    amount: formatPayment(payment.units, { paymentCode: assetCode, railScale: asset.ledgerScale }),
    assetCode,
    networkName: networkName(payment.network),
    txHash: payment.txHash,
    isConfirmed: isConfirmed(payment),
    confirmations: isConfirmed(payment) ? confirmationsRequired : Math.min(depth, confirmationsRequired),
    confirmationsRequired,
  };
}

const networkName = (id: string): string => findNetwork(id)?.name ?? id;
