/** What the page says about one payment, also when it was replaced or dropped. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { CheckoutDossier, Payment } from '../checkouts/checkout.ts';
import { standingSettlement } from '../checkouts/checkout-facts.ts';
import { isAlive, isConfirmed } from '../checkouts/checkout-state.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import { decimal, divideUnits, formatFixed, fromUnits, toUnits } from '../money/decimal.ts';
import type { KnownNetwork } from '../networks/port/connector.ts';
import { formatPayment } from '../pricing/quote.ts';
import { roundPrice } from '../pricing/round-price.ts';
import { transactionLink } from '../web/transaction-link.ts';
import { type PublicRate, publicRate } from './public-rate.ts';

export type PublicPayment = {
  readonly amount: string;
  readonly assetCode: string;
  readonly network: string;
  readonly networkName: string;
  /** What a payer knows it by: the reference of a transfer, where the rest is a mark of our own. Empty: nothing. */
  readonly txHash: string;
  readonly href: string | null;
  readonly isConfirmed: boolean;
  readonly confirmations: number;
  readonly confirmationsRequired: number;
  /** The rate at which it was credited; null before that, and if it came too late for its quote. */
  readonly rate: PublicRate | null;
  /** What it was credited for, in the currency of the bill; null where its rate does not say that. */
  readonly price: string | null;
};

/** replacedByOurs: by a transaction that pays this checkout too. */
export type LostPayment = 'replacedByOurs' | 'replacedByOther' | 'dropped' | 'takenBackText';

type PaymentDeps = {
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, KnownNetwork>;
  readonly health: NetworkHealth;
};

export function publicPayments(
  deps: PaymentDeps,
  dossier: CheckoutDossier,
  payments: readonly Payment[],
  /** What the shop accepted in place of the total. */
  acceptedPrice: string | null = null,
): PublicPayment[] {
  const { total, billingCurrency } = dossier.checkout;
  const decimals = findCurrency(billingCurrency)?.decimals ?? 2;
  const paid = acceptedPrice === null ? roundPrice(total, decimals) : decimal(acceptedPrice);
  const worths = addedUp(
    payments.map((payment) => creditedWorth(dossier, payment, decimals)),
    toUnits(paid, decimals, 'half-up'),
  );
  return payments.map((payment, at) => {
    const worth = worths[at] ?? null;
    const price = worth === null ? null : formatFixed(fromUnits(worth, decimals), decimals);
    return { ...publicPayment(deps, dossier, payment), price };
  });
}

/** By its quote, in the smallest unit of the bill's currency; null if a part of it was credited by another rate. */
function creditedWorth(dossier: CheckoutDossier, { commitmentId, units }: Payment, decimals: number): bigint | null {
  const commitment = dossier.commitments.find(({ id }) => id === commitmentId);
  const parts = standingSettlement(dossier)?.parts.filter((part) => part.commitmentId === commitmentId) ?? [];
  if (!commitment || parts.length === 0 || parts.some(({ basis }) => basis !== 'QUOTE')) return null;
  const price = toUnits(decimal(commitment.quote.price), decimals, 'half-up');
  return divideUnits(units * price, commitment.dueUnits, 'half-up');
}

/** Cents that rounding has won or lost are the last one's: parts that are what was paid add up to it, which was rounded too. */
function addedUp(worths: readonly (bigint | null)[], paid: bigint): (bigint | null)[] {
  const known = worths.filter((worth) => worth !== null);
  const lost = paid - known.reduce((sum, worth) => sum + worth, 0n);
  const isByRounding = known.length === worths.length && 2n * (lost < 0n ? -lost : lost) <= BigInt(known.length) + 1n;
  return worths.map((worth, at) => (isByRounding && worth !== null && at === worths.length - 1 ? worth + lost : worth));
}

export function publicPayment(
  deps: PaymentDeps,
  dossier: CheckoutDossier,
  payment: Payment,
): Omit<PublicPayment, 'price'> {
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
    network: payment.network,
    networkName: networkName(payment.network),
    txHash: findNetwork(payment.network)?.knownAs ? (commitment?.memo ?? '') : payment.txHash,
    href: transactionLink(deps.connectors, payment.network, payment.txHash),
    isConfirmed: isConfirmed(payment),
    confirmations: isConfirmed(payment) ? confirmationsRequired : Math.min(depth, confirmationsRequired),
    confirmationsRequired,
    rate: creditedRate(dossier, payment, asset.currencyCode),
  };
}

function creditedRate(dossier: CheckoutDossier, { commitmentId }: Payment, paidCode: string): PublicRate | null {
  const { billingCurrency } = dossier.checkout;
  const isByQuote = standingSettlement(dossier)?.parts.some(
    (part) => part.commitmentId === commitmentId && part.basis === 'QUOTE',
  );
  const commitment = dossier.commitments.find(({ id }) => id === commitmentId);
  if (!commitment || isByQuote !== true || paidCode === billingCurrency) return null;
  return publicRate(commitment.quote, paidCode, billingCurrency);
}

/** What became of payments that we had shown: each outcome is explained once, however many there were. */
export function lostPayments(payments: readonly Payment[]): LostPayment[] {
  const alive = new Set(payments.filter(isAlive).map(({ txHash }) => txHash));
  const fates = payments
    .filter((payment) => !isAlive(payment))
    .map((payment): LostPayment => {
      if (payment.state === 'DROPPED') return 'dropped';
      if (payment.state === 'REVERSED') return 'takenBackText';
      return payment.replacedBy !== null && alive.has(payment.replacedBy) ? 'replacedByOurs' : 'replacedByOther';
    });
  return [...new Set(fates)];
}

export const networkName = (id: string): string => findNetwork(id)?.name ?? id;
