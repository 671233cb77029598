/**
 * No more than so much leaves an account within 24 hours, whoever orders or approves it. It is asked when something is
 * ordered that nobody has to approve, when it is approved, and once more when it has waited for its destination; under the
 * lock of the account's orders, so that two at the same moment see each other. What waits for approval does not count: who
 * may only prepare orders would hold up those of others. Approved one after the other, each sees those before it.
 */
import type { Query, Tx } from '../db/database.ts';
import { addMs } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { compare, decimal } from '../money/decimal.ts';
import { type ApprovalDeps, countedMs, worthOf } from './approval-limit.ts';
import { type LeftUnapproved, leavingSince, lockApprovals } from './approval-store.ts';

export async function demandDailyLimit(
  deps: ApprovalDeps,
  tx: Tx,
  merchant: Limited,
  order: Order,
  /** It waits for approval first: only what is too much for any day is refused now. */
  isToApprove = false,
): Promise<void> {
  const { id, dailyLimit, accountCurrency } = merchant;
  if (dailyLimit === null) return;
  await lockApprovals(tx, id);
  if (await exceedsDailyLimit(deps, tx, merchant, order, isToApprove))
    throw overDailyLimit(dailyLimit, accountCurrency);
}

type Limited = Pick<Merchant, 'id' | 'accountCurrency' | 'dailyLimit'>;
type Order = LeftUnapproved & { readonly id: string };

/** As of now, for telling: only under the lock does it decide. */
export async function exceedsDailyLimit(
  deps: ApprovalDeps,
  query: Query,
  { id: merchantId, accountCurrency, dailyLimit }: Limited,
  { id, asset, units }: Order,
  isToApprove = false,
): Promise<boolean> {
  if (dailyLimit === null) return false;
  const left = isToApprove ? [] : await leavingSince(query, merchantId, addMs(deps.clock.now(), -countedMs), id);
  const worth = worthOf(deps, accountCurrency, [...left, { asset, units }]);
  return !worth || compare(worth, decimal(dailyLimit)) > 0;
}

export const isOverDailyLimit = (error: GatewayError): boolean => error.code === 'daily_limit';

const overDailyLimit = (limit: string, currency: string): GatewayError =>
  new GatewayError({
    code: 'daily_limit',
    httpStatus: 409,
    message:
      `No more than ${limit} ${currency} leaves this account within 24 hours, with what waits for its destination. Order ` +
      'less, wait, or have an owner raise the limit.',
  });
