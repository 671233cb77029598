/**
 * What somebody of the role support may decide: no more than the account's limit at once, and no more than it given back,
 * given up, or kept, within 24 hours. Of an underpayment what is missing counts, because that is what the shop gives up. What has no value
 * might be worth anything, and is too much.
 */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { missingUnits } from '../checkouts/missing-share.ts';
import type { Query, Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { present } from '../lib/assert.ts';
import { addMs } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { findMerchant } from '../merchants/merchant-store.ts';
import { compare, type Decimal, decimal, formatDecimal, fromUnits, plus, toUnits, zero } from '../money/decimal.ts';
import { convertAmount, isConversion, worthRate } from '../pricing/conversion.ts';
import { type ApprovalDeps, countedMs, worthOf } from '../wallets/approval-limit.ts';
import { type LeftUnapproved, lockApprovals, refundedBySince } from '../wallets/approval-store.ts';
import { inSuspense } from './refundable.ts';
import {
  type SmallExcess,
  saveSmallAcceptance,
  saveSmallExcess,
  smallAcceptancesSince,
  smallExcessesSince,
} from './small-acceptance-store.ts';

type Limited = Pick<Merchant, 'id' | 'accountCurrency' | 'supportLimit'>;

/** Fine enough for every currency. */
const missingScale = 12;

/** Who decides, and where. The limit is read under the lock of the account's orders: it may be another one by now. */
export type SmallDecider = { readonly merchantId: string; readonly actor: Actor };

async function lockLimit(tx: Tx, merchantId: string): Promise<Limited> {
  await lockApprovals(tx, merchantId);
  return present(await findMerchant(tx, merchantId), 'the merchant');
}

/** Counted together with what this actor gave up in the last 24 hours, and noted for the next. */
export async function demandSmallAcceptance(
  deps: ApprovalDeps,
  tx: Tx,
  { merchantId, actor }: SmallDecider,
  dossier: CheckoutDossier,
): Promise<void> {
  const { id: checkoutId, total, billingCurrency } = dossier.checkout;
  const now = deps.clock.now();
  const full = toUnits(total, missingScale, 'up');
  const missing = fromUnits(missingUnits(dossier, full, now), missingScale);
  const limited = await lockLimit(tx, merchantId);
  const given = { missing: formatDecimal(missing), currency: billingCurrency };
  const before = await smallAcceptancesSince(tx, merchantId, actor, addMs(now, -countedMs));
  const parts = [...before, given].map((part) => ({ worth: part.missing, currency: part.currency }));
  demandAtMost(limited, worthIn(deps, limited.accountCurrency, parts));
  await saveSmallAcceptance(tx, { merchantId, checkoutId, actor }, given, now);
}

/** The same for what is kept: it is the customer's, and the shop may be asked for it. */
export async function demandSmallExcess(
  deps: ApprovalDeps,
  tx: Tx,
  { merchantId, actor }: SmallDecider,
  dossier: CheckoutDossier,
): Promise<void> {
  const now = deps.clock.now();
  const limited = await lockLimit(tx, merchantId);
  const { accountCurrency: currency } = limited;
  const worth = worthOf(deps, currency, inSuspense(dossier, now));
  const before = await smallExcessesSince(tx, merchantId, actor, addMs(now, -countedMs));
  const parts = worth && [...before, { worth: formatDecimal(worth), currency }];
  demandAtMost(limited, parts && worthIn(deps, currency, parts));
  const kept = { worth: formatDecimal(present(worth, 'what was weighed')), currency };
  await saveSmallExcess(tx, { merchantId, checkoutId: dossier.checkout.id, actor }, kept, now);
}

/** Null: something has no rate. */
function worthIn({ rates }: ApprovalDeps, currency: string, parts: readonly SmallExcess[]): Decimal | null {
  let worth: Decimal = zero;
  for (const part of parts) {
    const each = worthRate(rates.rate, part.currency, currency);
    if (!isConversion(each)) return null;
    worth = plus(worth, convertAmount(each, decimal(part.worth), 18, 'up'));
  }
  return worth;
}

/** Under the lock of the account's orders: two at the same moment see each other. */
export async function demandSmallRefund(
  deps: ApprovalDeps,
  tx: Tx,
  merchant: Limited,
  actor: Actor,
  { asset, units }: LeftUnapproved,
): Promise<void> {
  await lockApprovals(tx, merchant.id);
  await demandLikelySmallRefund(deps, tx, merchant, actor, { asset, units });
}

/** As it looks now, for who only asks what a refund would be. */
export async function demandLikelySmallRefund(
  deps: ApprovalDeps,
  query: Query,
  merchant: Limited,
  actor: Actor,
  { asset, units }: LeftUnapproved,
): Promise<void> {
  const before = await refundedBySince(query, merchant.id, actor, addMs(deps.clock.now(), -countedMs));
  demandAtMost(merchant, worthOf(deps, merchant.accountCurrency, [...before, { asset, units }]));
}

function demandAtMost({ supportLimit, accountCurrency }: Limited, worth: Decimal | null): void {
  if (supportLimit === null || worth === null || compare(worth, decimal(supportLimit)) > 0)
    throw overSupportLimit(supportLimit, accountCurrency);
}

const overSupportLimit = (limit: string | null, currency: string): GatewayError =>
  new GatewayError({
    code: limit === null ? 'support_limit_none' : 'support_limit',
    httpStatus: 403,
    message:
      limit === null
        ? 'Your role decides only small amounts, and this account has set no limit for them.'
        : `Your role decides up to ${limit} ${currency}, and gives back, gives up or keeps no more than that in 24 hours.`,
  });
