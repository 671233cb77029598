/** Tokens were issued or burned, or that failed: books it, and tells the checkouts whose coins they stand for. */
import type { Db } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { markBridged, unbridgePayments } from '../payments/bridged-payment-store.ts';
import { findPayout } from '../sending/payout-store.ts';
import { markLevel } from './bridge-token-store.ts';

export async function recordBridged(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { transferId }: { readonly transferId: string },
): Promise<void> {
  const now = clock.now();
  await db.begin(async (tx) => {
    const payout = await findPayout(tx, transferId);
    if (payout?.state === 'FAILED') return unbridgePayments(tx, transferId);
    if (payout?.state !== 'DONE') return;
    const { asset, units, isIssue, txHash } = payout;
    const change = isIssue ? units : -units;
    const posted = await postEntries(
      tx,
      [
        {
          reference: transferId,
          kind: isIssue ? 'bridge_issued' : 'bridge_burned',
          merchantId: null,
          subject: { kind: 'bridge_payout', id: transferId },
          lines: [
            { account: chainWallet('STELLAR', asset), units: -change },
            { account: operatorAccount('bridge', asset), units: change },
          ],
        },
      ],
      now,
    );
    if (posted.size === 0) return;
    await markLevel(tx, asset, payout.requestedAt); // It was asked for to make both equal.
    if (!isIssue) return;
    const checkouts = await markBridged(tx, transferId, present(txHash, 'the transaction'), now);
    await enqueue(
      tx,
      checkouts.map((payload) => ({ name: 'checkout.advance', payload, runAt: now }) as const),
    );
  });
}
