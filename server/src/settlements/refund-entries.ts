/** What refunds and accepted excesses post. Every function returns lines that add up to zero per asset. */
import type { CheckoutDossier, Payment } from '../checkouts/checkout.ts';
import { heldUnits, type Refund, type Take } from '../checkouts/refund.ts';
import { chainWallet, merchantAccount, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Line } from '../ledger/entry.ts';
import { present } from '../lib/assert.ts';
import type { MerchantPurse } from './merchant-purse.ts';

/** Sets a refund aside, before anything is sent. */
export function holdLines(merchantId: string, refund: Refund, purse: MerchantPurse): Line[] {
  const { asset, units, takes } = refund;
  const isFromSuspense = takes.length > 0;
  const byMerchant = heldUnits(refund) - (isFromSuspense ? units : 0n);
  return [
    { account: merchantAccount(merchantId, 'reserved', asset), units: heldUnits(refund) },
    { account: merchantAccount(merchantId, 'suspense', asset), units: isFromSuspense ? -units : 0n },
    ...purse.spend(asset, byMerchant),
  ];
}

/** It has left. The network's fee was booked as a cost when it was paid; here it is repaid as it was estimated. */
export function sentLines(merchantId: string, refund: Refund): Line[] {
  const { network, asset, sentUnits, feeUnits } = refund;
  const held = heldUnits(refund);
  return [
    { account: merchantAccount(merchantId, 'reserved', asset), units: -held },
    { account: chainWallet(network, asset), units: sentUnits },
    { account: operatorAccount('costs', asset), units: feeUnits },
    { account: operatorAccount('rounding', asset), units: held - sentUnits - feeUnits }, // The rail is coarser.
  ];
}

/**
 * It will not leave: back to where it came from. Units of a payment that was settled meanwhile are beyond its price, and
 * those of one that vanished were charged to the merchant.
 */
export function returnedLines(dossier: CheckoutDossier, refund: Refund, purse: MerchantPurse): Line[] {
  const { merchantId } = dossier.checkout;
  const { asset, units, takes } = refund;
  const reserved = { account: merchantAccount(merchantId, 'reserved', asset), units: -heldUnits(refund) };
  const toMerchant = heldUnits(refund) - (takes.length > 0 ? units : 0n);
  return [reserved, ...takes.flatMap((take) => returnedTake(dossier, take, purse)), ...purse.give(asset, toMerchant)];
}

function returnedTake({ checkout, payments }: CheckoutDossier, take: Take, purse: MerchantPurse): Line[] {
  const payment = present(
    payments.find(({ id }) => id === take.paymentId),
    'the payment of a refund',
  );
  const units = BigInt(take.units);
  if (payment.place === 'none') return purse.give(payment.asset, units);
  const purpose = payment.place === 'pending' ? 'pending' : 'suspense';
  return [{ account: merchantAccount(checkout.merchantId, purpose, payment.asset), units }];
}

/** Units of a payment that were given back already, of another one that it stands for: the merchant has borne them. */
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
  return takes.flatMap((take) => {
    const payment = present(
      dossier.payments.find(({ id }) => id === take.paymentId),
      'the payment of an accepted excess',
    );
    const [units, fee] = [BigInt(take.units), BigInt(take.feeUnits)];
    return [
      { account: merchantAccount(merchantId, 'suspense', payment.asset), units: -units },
      { account: operatorAccount('fees', payment.asset), units: fee },
      ...purse.give(payment.asset, units - fee),
    ];
  });
}
