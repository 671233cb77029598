/** What refunds and accepted excesses post. Every function returns lines that add up to zero per asset. */
import type { CheckoutDossier, Payment } from '../checkouts/checkout.ts';
import { heldUnits, type Refund, type Take } from '../checkouts/refund.ts';
import { chainWallet, merchantAccount, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Line } from '../ledger/entry.ts';
import { present } from '../lib/assert.ts';
import { smaller } from '../money/amount.ts';
import type { MerchantPurse } from './merchant-purse.ts';

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

/** What the attempt took of what the merchant had set aside, and what of the payments: only what the first cannot pay. */
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

/** A refund that is given back keeps of its takes only what its attempt cost. */
export const keptTakes = (refund: Refund): Take[] => costShares(refund).taken;

/**
 * It will not leave: back to where it came from, but for what the attempt cost. Units of a payment that was settled
 * meanwhile are beyond its price, and those of one that vanished were charged to the merchant.
 */
export function returnedLines(dossier: CheckoutDossier, refund: Refund, purse: MerchantPurse): Line[] {
  const { merchantId } = dossier.checkout;
  const { asset, units, takes, costUnits } = refund;
  const paymentOf = paymentFinder(dossier);
  const { byMerchant, givenBack } = costShares(refund);
  const toMerchant = heldUnits(refund) - (takes.length > 0 ? units : 0n) - byMerchant;
  return [
    { account: merchantAccount(merchantId, 'reserved', asset), units: -heldUnits(refund) },
    { account: operatorAccount('costs', asset), units: costUnits },
    ...givenBack.flatMap((take): readonly Line[] => {
      const payment = paymentOf(take);
      if (payment.place === 'none') return purse.give(asset, BigInt(take.units));
      return [{ account: waitingAccount(merchantId, payment), units: BigInt(take.units) }];
    }),
    ...purse.give(asset, toMerchant),
  ];
}

/** The payments that money is taken from. There may be thousands, and they must not cost their square. */
function paymentFinder({ payments }: CheckoutDossier): (take: Take) => Payment {
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  return ({ paymentId }) => present(byId.get(paymentId), `payment ${paymentId}`);
}

/** Where the units of a payment are that are not credited. */
const waitingAccount = (merchantId: string, { place, asset }: Payment): string =>
  merchantAccount(merchantId, place === 'pending' ? 'pending' : 'suspense', asset);

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
