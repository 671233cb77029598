/** The ways in which a transfer ends, each in one transaction with its entry and its event. The transfer is locked. */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { lockBalances, postEntries } from '../ledger/ledger-store.ts';
import { assert } from '../lib/assert.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import type { Transfer } from './transfer.ts';
import { releasedEntry, sentEntry } from './transfer-entries.ts';
import { transferRecord } from './transfer-record.ts';
import { moveTransfer } from './transfer-store.ts';

type Deps = { readonly assets: AssetCatalog };

export async function completeTransfer(deps: Deps, tx: Tx, transfer: Transfer, now: Date): Promise<Transfer> {
  const posted = await postEntries(tx, [sentEntry(transfer)], now);
  assert(posted.size === 1, 'a transfer that was sent had been booked before');
  const completed = await moveTransfer(tx, transfer, 'complete', { endedAt: now });
  await tellOfTransfer(deps, tx, 'TRANSFER_COMPLETED', completed, now);
  return completed;
}

export async function failTransfer(
  deps: Deps,
  tx: Tx,
  transfer: Transfer,
  failure: string,
  now: Date,
): Promise<Transfer> {
  await release(tx, transfer, now);
  const failed = await moveTransfer(tx, transfer, 'fail', { failure, endedAt: now });
  await tellOfTransfer(deps, tx, 'TRANSFER_FAILED', failed, now);
  return failed;
}

/** Without an event: whoever cancels knows. */
export async function endCanceled(tx: Tx, transfer: Transfer, actor: Actor, now: Date): Promise<Transfer> {
  await release(tx, transfer, now);
  return moveTransfer(tx, transfer, 'cancel', { canceledBy: actor, endedAt: now });
}

async function release(tx: Tx, transfer: Transfer, now: Date): Promise<void> {
  const { merchantId, asset } = transfer;
  const receivable = merchantAccount(merchantId, 'receivable', asset);
  // All accounts that the entry touches, in the order of accounts, as everywhere.
  const balances = await lockBalances(tx, [
    merchantAccount(merchantId, 'available', asset),
    receivable,
    merchantAccount(merchantId, 'reserved', asset),
  ]);
  const posted = await postEntries(tx, [releasedEntry(transfer, -(balances.get(receivable) ?? 0n))], now);
  assert(posted.size === 1, 'a transfer that was given up had been booked before');
}

export const tellOfTransfer = (
  deps: Deps,
  tx: Tx,
  type: 'TRANSFER_COMPLETED' | 'TRANSFER_FAILED',
  transfer: Transfer,
  at: Date,
) =>
  recordEvent(tx, {
    merchantId: transfer.merchantId,
    subject: transfer.id,
    type,
    data: { transfer: transferRecord(deps, transfer) },
    webhook: transfer.webhook,
    apiKey: transfer.apiKey,
    at,
  });
