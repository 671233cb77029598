/** Tokens were issued or burned, or were not: the books learn it, and the checkouts whose coins they stand for. */
import type { Db } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { markBridged, uncoverPayments } from '../payments/bridged-payment-store.ts';
import { findTransfer } from '../sending/outgoing-store.ts';
import { markLevel } from './bridge-token-store.ts';

export async function recordBridged(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { transferId }: { readonly transferId: string },
): Promise<void> {
  const now = clock.now();
  await db.begin(async (tx) => {
    const transfer = await findTransfer(tx, transferId);
    if (transfer?.state === 'FAILED') return uncoverPayments(tx, transferId);
    if (transfer?.state !== 'DONE') return;
    const { asset, units, isIssue, txHash } = transfer;
    const change = isIssue ? units : -units;
    const posted = await postEntries(
      tx,
      [
        {
          reference: transferId,
          kind: isIssue ? 'bridge_issued' : 'bridge_burned',
          merchantId: null,
          checkoutId: null,
          lines: [
            { account: chainWallet('STELLAR', asset), units: -change },
            { account: operatorAccount('bridge', asset), units: change },
          ],
        },
      ],
      now,
    );
    if (posted.size === 0) return;
    await markLevel(tx, asset, transfer.requestedAt); // It was asked for to make both equal.
    if (!isIssue) return;
    const checkouts = await markBridged(tx, transferId, present(txHash, 'the transaction'), now);
    await enqueue(
      tx,
      checkouts.map((payload) => ({ name: 'checkout.advance', payload, runAt: now }) as const),
    );
  });
}
