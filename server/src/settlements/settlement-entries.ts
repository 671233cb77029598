/** What payments and settlements post. Every function returns lines that add up to zero per asset. */
import type { CheckoutDossier, Payment, SettledPart } from '../checkouts/checkout.ts';
import { excessByCommitment } from '../checkouts/checkout-facts.ts';
import type { PaymentPlace } from '../checkouts/checkout-state.ts';
import { leftUnits, standsOrCost } from '../checkouts/refund.ts';
import { chainWallet, type MerchantPurpose, merchantAccount, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { type Line, opposite } from '../ledger/entry.ts';
import { assert } from '../lib/assert.ts';
import type { MerchantPurse } from './merchant-purse.ts';

/**
 * Coins that a confirmation brings: what still counts of them goes to pending. What was refunded or accepted before a
 * reorganisation took the payment away was charged to the merchant then, and is given back now.
 */
export function receiptLines(dossier: CheckoutDossier, payment: Payment, purse: MerchantPurse): Line[] {
  const { merchantId } = dossier.checkout;
  const { refunded, kept, keptFee } = takenFrom(dossier, payment);
  return [
    { account: chainWallet(payment.network, payment.asset), units: -payment.units },
    { account: merchantAccount(merchantId, 'pending', payment.asset), units: leftUnits(payment) },
    { account: operatorAccount('fees', payment.asset), units: keptFee },
    ...purse.give(payment.asset, refunded + kept - keptFee),
  ];
}

/** The opposite, for coins that are gone: the customer has the refund, so the merchant owes it. */
export function vanishedLines(
  dossier: CheckoutDossier,
  payment: Payment,
  place: 'pending' | 'suspense',
  purse: MerchantPurse,
): Line[] {
  const { merchantId } = dossier.checkout;
  const { refunded, kept, keptFee } = takenFrom(dossier, payment);
  return [
    { account: chainWallet(payment.network, payment.asset), units: payment.units },
    { account: merchantAccount(merchantId, place, payment.asset), units: -leftUnits(payment) },
    { account: operatorAccount('fees', payment.asset), units: -keptFee },
    ...purse.take(payment.asset, refunded + kept - keptFee),
  ];
}

/** What was taken from a payment: by refunds that still hold, and by the merchant, less the fee on that. */
function takenFrom({ checkout, refunds }: CheckoutDossier, { id }: Payment) {
  let [refunded, kept, keptFee] = [0n, 0n, 0n];
  for (const { takes } of refunds.filter(standsOrCost))
    for (const { paymentId, units } of takes) if (paymentId === id) refunded += BigInt(units);
  for (const { takes } of checkout.acceptedExcess)
    for (const { paymentId, units, feeUnits } of takes) {
      if (paymentId !== id) continue;
      kept += BigInt(units);
      keptFee += BigInt(feeUnits);
    }
  return { refunded, kept, keptFee };
}

export function movedLines(merchantId: string, payment: Payment, from: MerchantPurpose, to: MerchantPurpose): Line[] {
  return [
    { account: merchantAccount(merchantId, from, payment.asset), units: -leftUnits(payment) },
    { account: merchantAccount(merchantId, to, payment.asset), units: leftUnits(payment) },
  ];
}

/** Takes the payments from where they wait and credits the merchant. What is beyond the price goes to suspense. */
export function settlementLines(
  merchantId: string,
  payments: readonly { payment: Payment; place: PaymentPlace }[],
  parts: readonly SettledPart[],
  purse: MerchantPurse,
): Line[] {
  const out = payments.map(({ payment, place }): Line => {
    assert(place === 'pending' || place === 'suspense', 'a settled payment was waiting');
    return { account: merchantAccount(merchantId, place, payment.asset), units: -leftUnits(payment) };
  });
  const credits = [...netByAsset(parts)].flatMap(([asset, net]) => purse.give(asset, net));
  return [...out, ...parts.flatMap((part) => conversionLines(merchantId, part)), ...credits];
}

/**
 * The paid coins: the same asset is credited directly; another asset is sold to the operator, and the fx position is
 * booked.
 */
function conversionLines(merchantId: string, part: SettledPart): Line[] {
  const excess = { account: merchantAccount(merchantId, 'suspense', part.paidAsset), units: BigInt(part.excessUnits) };
  const fee = { account: operatorAccount('fees', part.creditedAsset), units: BigInt(part.feeUnits) };
  if (part.paidAsset === part.creditedAsset) return [excess, fee];
  return [
    excess,
    fee,
    { account: operatorAccount('fx', part.paidAsset), units: BigInt(part.countedUnits) },
    { account: operatorAccount('fx', part.creditedAsset), units: -BigInt(part.grossUnits) },
  ];
}

/** Undoes a settlement: what still counts of the coins is pending again, and the merchant gives the credit back. */
export function reversalLines(dossier: CheckoutDossier, parts: readonly SettledPart[], purse: MerchantPurse): Line[] {
  const { merchantId } = dossier.checkout;
  const settled = dossier.payments.filter((payment) => payment.place === 'settled');
  const back = settled.map((payment) => ({
    account: merchantAccount(merchantId, 'pending', payment.asset),
    units: leftUnits(payment),
  }));
  const undone = partsNow(dossier, parts).flatMap((part) => opposite(conversionLines(merchantId, part)));
  const taken = [...netByAsset(parts)].flatMap(([asset, net]) => purse.take(asset, net));
  return [...back, ...undone, ...taken];
}

/**
 * The parts with the excess that is in suspense now: some of it may have been refunded or accepted since the
 * settlement.
 */
export function partsNow(dossier: CheckoutDossier, parts: readonly SettledPart[]): SettledPart[] {
  const excess = excessByCommitment(dossier);
  return parts.map((part) => {
    const excessUnits = (excess.get(part.commitmentId) ?? 0n).toString();
    excess.delete(part.commitmentId); // A commitment with two parts has one excess.
    return { ...part, excessUnits };
  });
}

function netByAsset(parts: readonly SettledPart[]): Map<string, bigint> {
  const nets = new Map<string, bigint>();
  for (const part of parts) nets.set(part.creditedAsset, (nets.get(part.creditedAsset) ?? 0n) + BigInt(part.netUnits));
  return nets;
}
