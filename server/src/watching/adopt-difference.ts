/**
 * A network holds more than the books say, and the operator knows why: a channel was opened, coins came to an address
 * that is not watched, or the books of an older release began without them. From now on it is the operator's own. The
 * amount must be what the last count found, so that nothing is taken over that nobody has looked at.
 */
import type { Db } from '../db/database.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { holdingSubject } from './reconcile.ts';
import { lockReconciliation, saveReconciliations } from './reconciliation-store.ts';

export async function adoptDifference(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { network, asset, units }: { readonly network: string; readonly asset: string; readonly units: bigint },
): Promise<void> {
  assert(units > 0n, 'what is taken over is more than nothing');
  await db.begin(async (tx) => {
    const counted = await lockReconciliation(tx, network, asset);
    if (counted?.difference !== units) throw otherDifference(network);
    const entry = {
      // One entry for each count: the same difference can come again, for another reason.
      reference: `adopted/${network}/${asset}/${counted.checkedAt.toISOString()}`,
      kind: 'difference_adopted' as const,
      merchantId: null,
      subject: holdingSubject(network, asset),
      lines: [
        { account: chainWallet(network, asset), units: -units },
        { account: operatorAccount('equity', asset), units },
      ],
    };
    const posted = await postEntries(tx, [entry], clock.now());
    assert(posted.size === 1, 'a difference was taken over twice');
    await saveReconciliations(tx, [{ ...counted, booked: counted.booked + units, difference: 0n }]);
  });
}

const otherDifference = (network: string): GatewayError =>
  new GatewayError({
    code: 'other_difference',
    httpStatus: 409,
    message: `${network} was not found to hold just that much more than the books say: look at \`ledger reconcile\` again.`,
  });
