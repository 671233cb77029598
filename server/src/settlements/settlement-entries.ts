/** What payments and settlements post. Every function returns lines that add up to zero per asset. */
import type { SettledPart } from '../checkouts/checkout.ts';
import type { PaymentPlace } from '../deposits/payment-state.ts';
import { chainWallet, type MerchantPurpose, merchantAccount, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Line } from '../ledger/entry.ts';
import { assert } from '../lib/assert.ts';

/** What arrived, whatever it paid: a checkout or a custom deposit. */
export type Coins = { readonly network: string; readonly asset: string; readonly units: bigint };

/** What was credited for it. */
export type CreditedPart = Pick<
  SettledPart,
  'paidAsset' | 'countedUnits' | 'excessUnits' | 'creditedAsset' | 'grossUnits' | 'feeUnits' | 'netUnits'
>;

/** Between the coins on the chain and the place in the merchant's books where they wait. */
export function receiptLines(merchantId: string, payment: Coins, place: 'pending' | 'suspense'): Line[] {
  return [
    { account: chainWallet(payment.network, payment.asset), units: -payment.units },
    { account: merchantAccount(merchantId, place, payment.asset), units: payment.units },
  ];
}

export function movedLines(merchantId: string, payment: Coins, from: MerchantPurpose, to: MerchantPurpose): Line[] {
  return [
    { account: merchantAccount(merchantId, from, payment.asset), units: -payment.units },
    { account: merchantAccount(merchantId, to, payment.asset), units: payment.units },
  ];
}

/** Takes the payments from where they wait and credits the merchant. The part beyond the price goes to suspense. */
export function settlementLines(
  merchantId: string,
  payments: readonly { payment: Coins; place: PaymentPlace }[],
  parts: readonly CreditedPart[],
  owed: ReadonlyMap<string, bigint>,
): Line[] {
  const out = payments.map(({ payment, place }): Line => {
    assert(place === 'pending' || place === 'suspense', 'a settled payment was waiting');
    return { account: merchantAccount(merchantId, place, payment.asset), units: -payment.units };
  });
  return [
    ...out,
    ...parts.flatMap((part) => conversionLines(merchantId, part)),
    ...creditLines(merchantId, parts, owed),
  ];
}

/** The paid coins: the same asset is credited directly; another one is sold to the operator, who books the position. */
function conversionLines(merchantId: string, part: CreditedPart): Line[] {
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

/** The merchant's share. What the merchant owes after an earlier reversal is repaid first. */
function creditLines(merchantId: string, parts: readonly CreditedPart[], owed: ReadonlyMap<string, bigint>): Line[] {
  return [...netByAsset(parts)].flatMap(([asset, net]) => {
    const debt = owed.get(asset) ?? 0n;
    const repaid = debt < net ? debt : net;
    return [
      { account: merchantAccount(merchantId, 'receivable', asset), units: repaid },
      { account: merchantAccount(merchantId, 'available', asset), units: net - repaid },
    ];
  });
}

/**
 * Undoes a settlement: the coins wait in pending again. What the merchant has already taken out of `available` becomes
 * a debt, so that `available` never goes below zero.
 */
export function reversalLines(
  merchantId: string,
  payments: readonly Coins[],
  parts: readonly CreditedPart[],
  available: ReadonlyMap<string, bigint>,
): Line[] {
  const back = payments.map((payment) => ({
    account: merchantAccount(merchantId, 'pending', payment.asset),
    units: payment.units,
  }));
  const undone = parts
    .flatMap((part) => conversionLines(merchantId, part))
    .map(({ account, units }) => ({ account, units: -units }));
  const taken = [...netByAsset(parts)].flatMap(([asset, net]) => {
    const there = available.get(asset) ?? 0n;
    const fromAvailable = there < net ? there : net;
    return [
      { account: merchantAccount(merchantId, 'available', asset), units: -fromAvailable },
      { account: merchantAccount(merchantId, 'receivable', asset), units: -(net - fromAvailable) },
    ];
  });
  return [...back, ...undone, ...taken];
}

export function netByAsset(parts: readonly CreditedPart[]): Map<string, bigint> {
  const nets = new Map<string, bigint>();
  for (const part of parts) nets.set(part.creditedAsset, (nets.get(part.creditedAsset) ?? 0n) + BigInt(part.netUnits));
  return nets;
}
