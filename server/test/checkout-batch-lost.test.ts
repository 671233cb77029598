/** A connection that is lost while PostgreSQL commits: it has happened, and whoever did it does not know. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createCheckoutBatches } from '../src/checkouts/checkout-batches.ts';
import { findCheckout } from '../src/checkouts/checkout-store.ts';
import type { Db } from '../src/db/database.ts';
import { present } from '../src/lib/assert.ts';
import { newId } from '../src/lib/ids.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

/** The first answer is lost, of a transaction or of a statement by itself. */
function losingOneAnswer(db: Db): Db {
  let isLost = false;
  async function lose<T>(answer: Promise<T>): Promise<T> {
    const given = await answer;
    if (isLost) return given;
    isLost = true;
    throw new Error('Connection terminated unexpectedly');
  }
  const losing = ((strings, ...values) => lose(db(strings, ...values))) as Db;
  losing.begin = (work) => lose(db.begin(work));
  return losing;
}

for (const isRemembered of [false, true])
  test(`checkouts that were created together are there once, ${isRemembered ? 'with' : 'without'} their keys`, async () => {
    const { id } = await gateway.post('/checkout', aCharge('60.00 USD'));
    const { merchantId } = gateway.merchant;
    const like = present(await findCheckout(gateway.db, merchantId, id), 'checkout');
    const batches = createCheckoutBatches({ db: losingOneAnswer(gateway.db) } as never);
    const made = [newId(), newId()];
    await Promise.all(
      made.map((each) =>
        batches.insert({
          checkout: { ...like, id: each },
          bytes: 1,
          remember: isRemembered ? async () => undefined : null,
        }),
      ),
    );
    for (const each of made) {
      const { timeline } = await gateway.get(`/checkout/timeline?id=${each}`);
      assert.deepEqual(
        timeline.map(({ what }: { what: string }) => what),
        ['created'],
      );
    }
  });
