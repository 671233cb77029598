/**
 * What waits to leave a suspended account, and how the operator takes it back before the account works again: if it was
 * robbed, the orders of the thief would be signed then. The money is available again in the account, whose people read in
 * their audit log that the operator did it.
 */

import type { Db, Query, Tx } from '../db/database.ts';
import { leavingNoTrail } from '../http/trail.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { findMerchant } from '../merchants/merchant-store.ts';
import { inOperatorsLog } from '../people/in-operators-log.ts';
import { type HeldBackPayout, heldBackPayouts } from '../sending/waiting-payout-store.ts';
import { cancelTransfer } from '../wallets/cancel-transfer.ts';
import { findTransfer, findTransfers, listTransferKeys } from '../wallets/transfer-store.ts';
import { cancelRefund } from './advance-refund.ts';
import { listRefunds } from './list-refunds.ts';

export type CancelHeldBackDeps = Parameters<typeof cancelRefund>[0] & { readonly db: Db };

const listedMax = 200;

/** `payer`: for who has the link to say where to; `approval`: for somebody's yes; `time`: until its destination is usable. */
export type HeldBackOrder = Omit<HeldBackPayout, 'address'> & {
  /** Null: nobody has said where to. */
  readonly address: string | null;
  readonly waitsFor: 'account' | 'time' | 'approval' | 'payer';
};

/** Oldest first: what would leave if the account worked, or as soon as a time is over, somebody says yes, or opens a link. */
export async function listHeldBack(query: Query, merchantId: string): Promise<HeldBackOrder[]> {
  const range = { from: null, to: null, before: null, limit: listedMax };
  const filter = { merchantId, network: null, asset: null, ...range };
  const [payouts, refunds, ...keys] = await Promise.all([
    heldBackPayouts(query, merchantId, listedMax),
    listRefunds(query, merchantId, ['AWAITING_APPROVAL', 'CLAIMABLE'], { limit: listedMax }),
    ...['WAITING', 'AWAITING_APPROVAL'].map((state) => listTransferKeys(query, { ...filter, state })),
  ]);
  const ids = keys.flat().map(({ id }) => id);
  const transfers = (await findTransfers(query, merchantId, ids)).flatMap((transfer): HeldBackOrder[] => {
    if (!transfer) return [];
    const { id, network, asset, units, address, state, createdAt: requestedAt } = transfer;
    const waitsFor = state === 'WAITING' ? 'time' : 'approval';
    return [{ id, purpose: 'transfer', network, asset, units, address, requestedAt, waitsFor }];
  });
  const orders = [
    ...payouts.map((payout): HeldBackOrder => ({ ...payout, waitsFor: 'account' })),
    ...transfers,
    ...refunds.items.map(({ refund }): HeldBackOrder => {
      const { id, network, asset, units, address, state, requestedAt } = refund;
      const waitsFor = state === 'CLAIMABLE' ? 'payer' : 'approval';
      return { id, purpose: 'refund', network, asset, units, address, requestedAt, waitsFor };
    }),
  ];
  return orders.sort((a, b) => a.requestedAt.getTime() - b.requestedAt.getTime());
}

/** `begin`: the transaction of whoever does it, with their own row in the operator's audit log. */
export async function cancelHeldBack(
  deps: CancelHeldBackDeps,
  merchantId: string,
  id: string,
  begin: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>,
): Promise<void> {
  const inSuspended = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    begin(async (tx) => {
      if (!(await findMerchant(tx, merchantId))?.suspended) throw notSuspended();
      return leavingNoTrail(() => work(tx));
    });
  if (await findTransfer(deps.db, merchantId, id)) {
    await cancelTransfer({ begin: inSuspended, clock: deps.clock }, merchantId, id, 'operator');
    return;
  }
  await cancelRefund(deps, { merchantId, actor: 'operator', begin: inSuspended }, id);
}

/** For the command, which asks a running service to do it. What was signed, or works again, stays as it is. */
export async function cancelAsOperator(
  deps: CancelHeldBackDeps & { readonly log: Log },
  { merchantId, orderId }: JobCatalog['order.cancel'],
): Promise<void> {
  const action = 'merchant.order_canceled';
  const detail = { merchant: merchantId, order: orderId };
  try {
    await cancelHeldBack(deps, merchantId, orderId, inOperatorsLog(deps, action, detail));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    deps.log.info({ merchantId, orderId, code: error.code }, 'an order could not be taken back');
  }
}

const notSuspended = (): GatewayError =>
  new GatewayError({
    code: 'not_suspended',
    httpStatus: 409,
    message: 'This account is not suspended: its own people decide what leaves it.',
  });
