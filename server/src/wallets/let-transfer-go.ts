/**
 * A transfer that nobody holds back any more, or that may still have to wait for its destination. In the transaction
 * that holds its lock. What has changed about the destination since it was asked for is looked at once more. Throws a
 * GatewayError when the network cannot send so much by now.
 */
import { isDeepStrictEqual } from 'node:util';
import { findHolder } from '../counterparties/find-holder.ts';
import { isOwnAddress } from '../counterparties/own-address.ts';
import { type TargetAccount, takes } from '../counterparties/target-account.ts';
import { findTargetAccount } from '../counterparties/target-account-store.ts';
import type { Tx } from '../db/database.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { present } from '../lib/assert.ts';
import { findMerchant } from '../merchants/merchant-store.ts';
import type { Connector } from '../networks/port/connector.ts';
import { insertPayouts } from '../sending/payout-store.ts';
import type { ApprovalDeps } from './approval-limit.ts';
import { lockAndAssertSendable } from './assert-sendable.ts';
import { payoutOf, wakeUpOf } from './create-transfer.ts';
import { demandDailyLimit } from './daily-limit.ts';
import { failTransfer } from './end-transfer.ts';
import { ownAddress } from './read-transfer-order.ts';
import type { Transfer } from './transfer.ts';
import { moveTransfer } from './transfer-store.ts';

type Approval = Partial<Pick<Transfer, 'approvedBy' | 'approvedAt'>>;

export type LetGoDeps = ApprovalDeps & {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly health: NetworkHealth;
};

export async function letTransferGo(
  deps: LetGoDeps,
  tx: Tx,
  transfer: Transfer,
  now: Date,
  approval: Approval = {},
): Promise<Transfer> {
  const { merchantId, targetAccountId } = transfer;
  const account =
    targetAccountId === null ? undefined : await findTargetAccount(tx, merchantId, { id: targetAccountId });
  const connector = deps.connectors.get(transfer.network);
  const isAsOrdered =
    account && isStillThere(transfer, account) && (await isStillTheirs(tx, connector, transfer, account));
  if (targetAccountId !== null && !(isAsOrdered && takes(account, transfer.asset)))
    return failTransfer(deps, tx, transfer, 'Its target account was changed or deleted before it was sent.', now);
  if (connector && (await isOwnAddress(tx, connector, transfer)))
    return failTransfer(deps, tx, transfer, ownAddress.sentence, now);

  // A target account waits again after its label was changed.
  const usableFrom = account && account.usableFrom > transfer.usableFrom ? account.usableFrom : transfer.usableFrom;
  if (usableFrom <= now) {
    // Of what has left since it was ordered nobody could know then.
    const limits = present(await findMerchant(tx, merchantId), 'the merchant');
    await demandDailyLimit(deps, tx, limits, transfer);
    // While it waited, the network was not asked to send it, and others may have asked since.
    if (connector) await lockAndAssertSendable(deps, tx, connector, transfer);
    await insertPayouts(tx, [payoutOf(transfer)], now);
    return moveTransfer(tx, transfer, 'queue', { ...approval, usableFrom });
  }
  await enqueue(tx, [wakeUpOf({ ...transfer, usableFrom })]);
  return moveTransfer(tx, transfer, 'wait', { ...approval, usableFrom });
}

type To = Pick<Transfer, 'network' | 'address' | 'memo' | 'memoType'>;

const isStillThere = (before: To, after: To): boolean =>
  before.network === after.network &&
  before.address === after.address &&
  before.memo === after.memo &&
  before.memoType === after.memoType;

/** Whose account it is was approved with it, and at which bank, where that is asked for. */
async function isStillTheirs(
  tx: Tx,
  connector: Connector | undefined,
  { merchantId, holder }: Pick<Transfer, 'merchantId' | 'holder'>,
  account: TargetAccount,
): Promise<boolean> {
  if (!connector || holder === null) return true;
  const now = await findHolder(tx, merchantId, connector, account);
  return isDeepStrictEqual(now.holder, holder);
}
