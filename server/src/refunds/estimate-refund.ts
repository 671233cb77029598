/**
 * What a refund would be, before anything is locked: how much, on which network, and what sending it costs. Who asks what
 * it would cost and who asks for it are told from the same numbers.
 */
import type { RefundBody } from '@quittance/contract/refund';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { checkoutNotFound } from '../checkouts/checkout-errors.ts';
import { findDossier, newestAddress } from '../checkouts/checkout-store.ts';
import type { FeePayer, Refund } from '../checkouts/refund.ts';
import type { Db } from '../db/database.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { readBalances } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import { invalidRequest, told } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { formatUnits } from '../money/amount.ts';
import { goesBackToPayer, networkAsset } from '../networks/port/definition.ts';
import type { Destination, Holder } from '../networks/port/sending.ts';
import { type AdvanceDeps, settlementTerms } from '../settlements/advance-checkout.ts';
import type { LeavingDeps } from '../wallets/what-may-leave.ts';
import { demandLikelyLeaving } from './demand-leaving.ts';
import { payerAccount } from './payer-account.ts';
import { type PricedRefund, priceRefund, type RefundWish } from './price-refund.ts';
import {
  demandGoodAddress,
  demandRightAmount,
  estimatedFee,
  type RefundCarrier,
  type RefundFee,
  refundCarrier,
} from './refund-carrier.ts';
import { cannotSendThere, goesBackOnly, notEnoughAvailable, tooLittleToSend, tooMuchToSend } from './refund-errors.ts';

export type RefundDeps = AdvanceDeps & LeavingDeps & { readonly db: Db };

export type LookedAtRefund = {
  readonly seen: CheckoutDossier;
  readonly wish: RefundWish;
  readonly first: PricedRefund;
  readonly carrier: RefundCarrier;
  /** Null: the customer says it at a link. */
  readonly destination: Destination | null;
  readonly fee: RefundFee;
};

export async function lookAtRefund(
  deps: RefundDeps,
  merchantId: string,
  body: RefundBody,
  id: string,
): Promise<LookedAtRefund> {
  const wish = readWish(deps.assets, body);
  const given = readDestination(body);
  const seen = await findDossier(deps.db, merchantId, body.checkoutId);
  if (!seen) throw checkoutNotFound(body.checkoutId);
  const first = priceRefund(seen, wish, settlementTerms(deps), deps.clock.now());
  const isAsPaid = first.takes.length > 0;
  const carrier = refundCarrier(deps, first.asset, { wished: wish.network, paidOn: first.network, isAsPaid });
  const goesBack = goesBackToPayer(carrier.connector.network);
  if (goesBack && body.amount !== undefined) demandWholeCents(carrier, body.amount, first.units);
  if (goesBack && given) throw goesBackOnly(carrier.connector.network.name);
  const destination = goesBack ? (await payerAccount(deps.db, carrier, seen, first)).destination : given;
  if (destination) await demandGoodAddress(deps.db, carrier.connector, destination);
  const payTo = destination ?? (await standIn(deps.db, carrier));
  const fee = await estimatedFee(deps, carrier, { ...first, id }, payTo, destination === null);
  return { seen, wish, first, carrier, destination, fee };
}

export type EstimatedRefund = Pick<Refund, 'asset' | 'units' | 'feeUnits' | 'feePaidBy' | 'sentUnits'> & {
  readonly network: string;
  readonly address: string | null;
  readonly holder: Holder | null;
  /** What the account's balance pays for it. */
  readonly balanceUnits: bigint;
};

/**
 * Nothing is set aside: when it is asked for, the fee may be another one. Whoever may not know the balance is not told
 * here whether it suffices: asked often enough, that would tell it.
 */
export async function estimateRefund(
  deps: RefundDeps,
  merchantId: string,
  body: RefundBody,
  { isBalanceTold }: { readonly isBalanceTold: boolean },
): Promise<EstimatedRefund> {
  const { seen, first, carrier, destination, fee } = await lookAtRefund(deps, merchantId, body, newId());
  const account = merchantAccount(merchantId, 'available', first.asset);
  const { feeUnits } = fee;
  const available = isBalanceTold
    ? ((await readBalances(deps.db, [account])).get(account) ?? 0n)
    : first.units + feeUnits;
  const shared = feeShared(deps.assets, first, carrier, { available, feeUnits, wished: body.feePaidBy });
  if (destination) demandRightAmount(deps, carrier.connector, { asset: first.asset, ...shared }, destination);
  if (isBalanceTold || first.takes.length > 0) await demandLikelyLeaving(deps, deps.db, seen.checkout, first);
  const fromBalance = first.takes.length > 0 ? 0n : first.units;
  return {
    asset: first.asset,
    units: first.units,
    ...shared,
    network: carrier.connector.network.id,
    address: destination?.address ?? null,
    holder: destination?.holder ?? null,
    balanceUnits: fromBalance + (shared.feePaidBy === 'merchant' ? feeUnits : 0n),
  };
}

/** A bank sends no parts of a cent: who asks for some would pay more than arrives. */
function demandWholeCents({ connector, assetCode, sendable }: RefundCarrier, amount: string, units: bigint): void {
  if (sendable(units) === units) return;
  const { id, name } = connector.network;
  const most = networkAsset(connector.network, assetCode).scale;
  throw invalidRequest([
    told('amount_decimals', `amount must have at most ${most} decimals on ${id}, but is ${amount}.`, {
      network: name,
      most: String(most),
    }),
  ]);
}

function readWish(assets: AssetCatalog, body: RefundBody): RefundWish {
  const { context, amount, network, basis } = body;
  const asset = body.asset === undefined ? undefined : findAsset(assets, body.asset)?.id;
  if (body.asset !== undefined && asset === undefined) throw invalidRequest(`asset ${body.asset} is not known.`);
  return { context, amount, asset, network, basis };
}

function readDestination({ address, memo: given, memoType }: RefundBody): Destination | null {
  const memo = given?.trim() || null;
  if (address === undefined && (memo !== null || memoType !== undefined))
    throw invalidRequest('memo and memoType belong to an address.');
  if (address === undefined) return null;
  return { address: address.trim(), memo, memoType: memo === null ? null : (memoType ?? 'text'), holder: null };
}

async function standIn(db: Db, { connector }: RefundCarrier): Promise<Destination> {
  const own = connector.wallet ?? (await newestAddress(db, connector.network.id));
  if (!own)
    throw cannotSendThere([
      told('address_needed', `Give the address: on ${connector.network.name} the customer cannot be asked for it.`),
    ]);
  return { address: own.address, memo: own.memo, memoType: own.memoType, holder: null };
}

/** Who pays the network's fee, and what the customer then gets. */
export function feeShared(
  assets: AssetCatalog,
  { asset, units, takes }: PricedRefund,
  carrier: RefundCarrier,
  terms: { available: bigint; feeUnits: bigint; wished: FeePayer | undefined },
): Pick<Refund, 'feeUnits' | 'feePaidBy' | 'sentUnits'> {
  const { available, feeUnits } = terms;
  const fromAvailable = takes.length > 0 ? 0n : units;
  const isMerchantAble = takes.length === 0 && available >= units + feeUnits;
  const feePaidBy = terms.wished ?? (isMerchantAble ? 'merchant' : 'customer');
  const sentUnits = carrier.sendable(feePaidBy === 'customer' ? units - feeUnits : units);
  if (carrier.mostUnits !== null && sentUnits > carrier.mostUnits)
    throw tooMuchToSend(carrier.assetCode, carrier.connector.network.name);
  if (sentUnits <= 0n || sentUnits < carrier.leastUnits)
    throw tooLittleToSend(carrier.assetCode, carrier.connector.network.name);
  const needed = fromAvailable + (feePaidBy === 'merchant' ? feeUnits : 0n);
  if (needed > available) {
    const { ledgerScale } = present(findAsset(assets, asset), `asset ${asset}`);
    throw notEnoughAvailable(formatUnits(needed, ledgerScale), formatUnits(available, ledgerScale), carrier.assetCode);
  }
  return { feeUnits, feePaidBy, sentUnits };
}
