/**
 * Takes an order to send money. Amount and fee leave `available` under its lock, in one transaction with the transfer,
 * the audit and what is asked of `sending`: whatever happens afterwards, no unit can be sent twice.
 */

import type { TransferBody } from '@quittance/contract/transfer';
import type { Db } from '../db/database.ts';
import { type Asker, signingKeyOf } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { lockBalances, postEntries } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import { invalidRequest } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { findMerchant, insertAudit } from '../merchants/merchant-store.ts';
import { formatUnits } from '../money/amount.ts';
import { insertPayouts, lockPayouts } from '../sending/payout-store.ts';
import { type ApprovalLimitRecord, approvalLimit, approvalLimitRecord, needsApproval } from './approval-limit.ts';
import { lockApprovals } from './approval-store.ts';
import { assertSendable } from './assert-sendable.ts';
import { demandDailyLimit } from './daily-limit.ts';
import { demandSlot } from './demand-slot.ts';
import { mustWait } from './leaving-errors.ts';
import { type QuoteDeps, quoteTransfer } from './quote-transfer.ts';
import { type ReadOrder, readTransferOrder } from './read-transfer-order.ts';
import { feeUnitsOf, type Transfer, totalUnitsOf } from './transfer.ts';
import { reservedEntry } from './transfer-entries.ts';
import { feeRose, needsPasskey, notEnoughAvailable } from './transfer-errors.ts';
import { openingState } from './transfer-state.ts';
import { insertTransfer } from './transfer-store.ts';
import { demandFree, type LeavingDeps, lockLeaving, whatMayLeave } from './what-may-leave.ts';

export type TransferDeps = QuoteDeps & LeavingDeps & { readonly db: Db };

export type OrderedTransfer = { readonly transfer: Transfer; readonly approvalLimit?: ApprovalLimitRecord };

export async function createTransfer(
  deps: TransferDeps,
  merchant: Merchant,
  request: {
    readonly body: TransferBody;
    readonly actor: Asker;
    /** Whether somebody else approves it: whatever it is, or nothing that would need it. Left out: above the limit. */
    readonly approval?: 'always' | 'never';
    /** What else must hold of what was read. */
    readonly demand?: (read: ReadOrder) => void;
    /** What was shown to whoever asks: for more than that, it is asked anew. Left out: whatever it costs. */
    readonly feeUnitsMax?: bigint;
    readonly begin: Begin<OrderedTransfer>;
  },
): Promise<OrderedTransfer> {
  const { body } = request;
  const { read, problems } = await readTransferOrder(deps, merchant.id, body);
  if (!read) throw invalidRequest(problems);
  request.demand?.(read);
  const quote = await quoteTransfer(deps, merchant, read);
  const { feeUnitsMax } = request;
  if (feeUnitsMax !== undefined && feeUnitsOf(quote) > feeUnitsMax) throw feeRose(read.method.asset, feeUnitsOf(quote));
  const now = deps.clock.now();
  const wanted: Omit<Transfer, 'state'> = {
    merchantId: merchant.id,
    id: newId(),
    apiKey: signingKeyOf(request.actor),
    requestedBy: request.actor,
    network: read.method.connector.network.id,
    asset: read.method.asset.id,
    units: read.units,
    networkFeeUnits: quote.networkFeeUnits,
    serviceFeeUnits: quote.serviceFeeUnits,
    heldFeeUnits: quote.heldFeeUnits,
    costUnits: 0n,
    cameBackUnits: 0n,
    cameBackAt: null,
    ...read.destination,
    targetAccountId: read.account?.id ?? null,
    targetLabel: read.account?.label ?? null,
    usableFrom: quote.usableFrom,
    approvedBy: null,
    approvedAt: null,
    canceledBy: null,
    webhook: body.webhook ?? null,
    meta: body.meta ?? null,
    failure: null,
    createdAt: now,
    endedAt: null,
    waitsFor: null,
    isSigned: false,
    txHash: null,
  };

  await demandFree(deps, deps.db, { merchantId: merchant.id, asset: wanted.asset, units: totalUnitsOf(wanted) });
  return request.begin(async (tx) => {
    // Limits are read under the lock: asking the network took its time, and they may be others by now.
    await lockApprovals(tx, merchant.id);
    const limits = present(await findMerchant(tx, merchant.id), 'the merchant');
    const limit = await approvalLimit(deps, tx, limits, 'transfer');
    const isToApprove = request.approval === 'always' || needsApproval(deps, limit, wanted);
    if (isToApprove && request.approval === 'never') throw needsPasskey();
    await demandDailyLimit(deps, tx, limits, wanted, isToApprove);
    const state = openingState({ needsApproval: isToApprove, usableFrom: quote.usableFrom, now });
    const transfer: Transfer = { ...wanted, state };
    if (transfer.state === 'QUEUED') await lockPayouts(tx, transfer.network, transfer.asset);
    const locked = await lockLeaving(tx, merchant.id);
    const account = merchantAccount(merchant.id, 'available', transfer.asset);
    const available = (await lockBalances(tx, [account])).get(account) ?? 0n;
    if (transfer.state === 'QUEUED') {
      // Others order at the same moment.
      await assertSendable({ ...deps, db: tx }, read);
      await demandSlot({ ...deps, db: tx }, read.method.connector.network, merchant.id);
    }
    const units = totalUnitsOf(transfer);
    if (available < units) throw tooLittle(read, transfer, available);
    const held = { merchantId: merchant.id, asset: transfer.asset, availableUnits: available };
    const leaving = await whatMayLeave(deps, tx, held, { units, locked });
    if (units > leaving.mostUnits) throw mustWait(read.method.asset, leaving);

    await Promise.all([
      insertTransfer(tx, transfer),
      postEntries(tx, [reservedEntry(transfer)], now),
      insertAudit(tx, { merchantId: merchant.id, at: now, actor: request.actor, ...auditOf(transfer) }),
      transfer.state === 'QUEUED' ? insertPayouts(tx, [payoutOf(transfer)], now) : undefined,
      transfer.state === 'WAITING' ? enqueue(tx, [wakeUpOf(transfer)]) : undefined,
    ]);
    return { transfer, ...approvalLimitRecord(deps, limit, isToApprove ? null : transfer) };
  });
}

export const payoutOf = ({ id, network, asset, units, address, memo, memoType, holder, ...transfer }: Transfer) => ({
  id,
  network,
  asset,
  units,
  address,
  memo,
  memoType,
  holder,
  merchantId: transfer.merchantId,
  heldFeeUnits: transfer.heldFeeUnits,
  purpose: 'transfer' as const,
});

export const wakeUpOf = ({ merchantId, id, usableFrom }: Transfer) => ({
  name: 'transfer.advance' as const,
  payload: { merchantId, transferId: id },
  runAt: usableFrom,
});

function auditOf({ id, state, network, asset, units, address, memo, targetLabel }: Transfer) {
  return {
    action: 'transfer.created',
    detail: { id, state, network, asset, units: units.toString(), address, memo, targetAccount: targetLabel },
  };
}

function tooLittle({ method }: ReadOrder, transfer: Transfer, available: bigint) {
  const text = (units: bigint): string => formatUnits(units, method.asset.ledgerScale);
  return notEnoughAvailable({
    available: text(available),
    amount: text(transfer.units),
    fee: text(feeUnitsOf(transfer)),
    code: method.asset.assetCode,
  });
}
