/** What refunds and accepted excesses post. Every function returns lines that add up to zero per asset. */
import type { CheckoutDossier, Payment } from '../checkouts/checkout.ts';
import { heldUnits, type Refund, type Take } from '../checkouts/refund.ts';
import { chainWallet, merchantAccount, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Line, Subject } from '../ledger/entry.ts';
import { present } from '../lib/assert.ts';
import { smaller } from '../money/amount.ts';
import type { MerchantPurse } from './merchant-purse.ts';

export const refundSubject = ({ id }: Refund): Subject => ({ kind: 'refund', id });

/** Sets a refund aside, before anything is sent. */
export function holdLines(dossier: CheckoutDossier, refund: Refund, purse: MerchantPurse): Line[] {
  const { merchantId } = dossier.checkout;
  const { asset, units, takes } = refund;
  const paymentOf = paymentFinder(dossier);
  const byMerchant = heldUnits(refund) - (takes.length > 0 ? units : 0n);
  return [
    { account: merchantAccount(merchantId, 'reserved', asset), units: heldUnits(refund) },
    ...takes.map((take) => ({ account: waitingAccount(merchantId, paymentOf(take)), units: -BigInt(take.units) })),
    ...purse.spend(asset, byMerchant),
  ];
}

/**
 * It has left. The network's fee was booked as a cost when it was paid; here the customer or the merchant repays it as
 * it was estimated.
 */
export function sentLines(merchantId: string, refund: Refund): Line[] {
  const { network, asset, sentUnits, feeUnits } = refund;
  const held = heldUnits(refund);
  return [
    { account: merchantAccount(merchantId, 'reserved', asset), units: -held },
    { account: chainWallet(network, asset), units: sentUnits },
    { account: operatorAccount('costs', asset), units: feeUnits },
    { account: operatorAccount('rounding', asset), units: held - sentUnits - feeUnits }, // It has fewer decimals.
  ];
}

/** What the attempt cost is paid by what the merchant had set aside; what that cannot pay comes out of the payments. */
function costShares(refund: Refund): { byMerchant: bigint; taken: Take[]; givenBack: Take[] } {
  const { units, takes, costUnits } = refund;
  const byMerchant = smaller(costUnits, heldUnits(refund) - (takes.length > 0 ? units : 0n));
  let missing = costUnits - byMerchant;
  const taken: Take[] = [];
  const givenBack: Take[] = [];
  for (const take of takes) {
    const lost = smaller(BigInt(take.units), missing);
    missing -= lost;
    if (lost > 0n) taken.push({ ...take, units: lost.toString() });
    if (BigInt(take.units) > lost) givenBack.push({ ...take, units: (BigInt(take.units) - lost).toString() });
  }
  return { byMerchant, taken, givenBack };
}

/** Of a refund that comes back, its takes keep only what the attempt cost. */
export const keptTakes = (refund: Refund): Take[] => costShares(refund).taken;

/**
 * It will not leave: everything goes back to where it came from, less what the attempt cost. Units of a payment that
 * was settled meanwhile are beyond its price, and units of one that vanished were charged to the merchant.
 */
export function returnedLines(dossier: CheckoutDossier, refund: Refund, purse: MerchantPurse): Line[] {
  const { merchantId } = dossier.checkout;
  const { asset, units, takes, costUnits } = refund;
  const { byMerchant, givenBack } = costShares(refund);
  const toMerchant = heldUnits(refund) - (takes.length > 0 ? units : 0n) - byMerchant;
  return [
    { account: merchantAccount(merchantId, 'reserved', asset), units: -heldUnits(refund) },
    { account: operatorAccount('costs', asset), units: costUnits },
    ...takesBack(dossier, asset, givenBack, purse),
    ...purse.give(asset, toMerchant),
  ];
}

/** What a refund still takes when so many more of its units have come back, and what it gives back: the last of them first. */
export function splitTakes({ takes }: Refund, units: bigint): { kept: Take[]; givenBack: Take[] } {
  const kept: Take[] = [];
  const givenBack: Take[] = [];
  let missing = units;
  for (const take of takes.toReversed()) {
    const back = smaller(BigInt(take.units), missing);
    missing -= back;
    if (back > 0n) givenBack.unshift({ ...take, units: back.toString() });
    if (BigInt(take.units) > back) kept.unshift({ ...take, units: (BigInt(take.units) - back).toString() });
  }
  return { kept, givenBack };
}

/** It had arrived, and so many units of it came back. */
export function broughtBackLines(
  dossier: CheckoutDossier,
  { refund, units, givenBack }: { refund: Refund; units: bigint; givenBack: readonly Take[] },
  purse: MerchantPurse,
): Line[] {
  const { network, asset, takes } = refund;
  return [
    { account: chainWallet(network, asset), units: -units },
    ...(takes.length > 0 ? takesBack(dossier, asset, givenBack, purse) : purse.give(asset, units)),
  ];
}

/** Units of a payment that vanished were charged to the merchant. */
function takesBack(dossier: CheckoutDossier, asset: string, takes: readonly Take[], purse: MerchantPurse): Line[] {
  const { merchantId } = dossier.checkout;
  const paymentOf = paymentFinder(dossier);
  return takes.flatMap((take) => {
    const payment = paymentOf(take);
    if (payment.place === 'none') return purse.give(asset, BigInt(take.units));
    return [{ account: waitingAccount(merchantId, payment), units: BigInt(take.units) }];
  });
}

/** Finds payments by their id. There may be thousands, and the work must not grow with the square of their number. */
function paymentFinder({ payments }: CheckoutDossier): (take: Take) => Payment {
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  return ({ paymentId }) => present(byId.get(paymentId), `payment ${paymentId}`);
}

/** The account in which the units of a payment wait that are not credited. */
const waitingAccount = (merchantId: string, { place, asset }: Payment): string =>
  merchantAccount(merchantId, place === 'pending' ? 'pending' : 'suspense', asset);

/**
 * Units of this payment were refunded already, of another payment in whose place it came: the merchant has paid for
 * them.
 */
export const followedLines = (
  merchantId: string,
  { asset }: Payment,
  place: 'pending' | 'suspense',
  units: bigint,
  purse: MerchantPurse,
): Line[] => [{ account: merchantAccount(merchantId, place, asset), units: -units }, ...purse.give(asset, units)];

/** The merchant keeps an excess or a duplicate, less the service's fee. */
export function acceptedLines(dossier: CheckoutDossier, takes: readonly Take[], purse: MerchantPurse): Line[] {
  const { merchantId } = dossier.checkout;
  const paymentOf = paymentFinder(dossier);
  return takes.flatMap((take) => {
    const payment = paymentOf(take);
    const [units, fee] = [BigInt(take.units), BigInt(take.feeUnits)];
    return [
      { account: merchantAccount(merchantId, 'suspense', payment.asset), units: -units },
      { account: operatorAccount('fees', payment.asset), units: fee },
      ...purse.give(payment.asset, units - fee),
    ];
  });
}
