/**
 * Every function of a store that takes a merchant, called by its owner while another merchant has a copy of everything
 * under the same ids: it finds and changes what it did before, and nothing of the copy. What is joined or looked up by an
 * id alone, without the merchant, shows here.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findDossier } from '../src/checkouts/checkout-store.ts';
import type { Tx } from '../src/db/database.ts';
import { findDeposit } from '../src/deposits/custom-deposit-store.ts';
import { findArrivals } from '../src/payments/crumb-store.ts';
import { type Call, type Owned, ownedBy, type StoreCall } from './store-call.ts';
import { storeCalls } from './store-calls.ts';
import { changedTables, copyAll, digestsOf, startTenants, type Tenants } from './tenant-world.ts';

let tenants: Tenants;
let own: Owned;
/** Who has a copy of all that the owner has. */
let copyist: string;
before(async () => {
  tenants = await startTenants();
  own = await ownedBy(tenants);
  copyist = (await tenants.world.gateway.createMerchant('A copyist')).merchantId;
});
after(() => tenants.world.gateway.stop());

type Outcome = {
  readonly result: unknown;
  readonly changed: readonly string[];
  readonly changedCopy: readonly string[];
};

/** What the owner's call gives and changes, and what it changes of the copy. */
async function outcomeOf(tx: Tx, ask: Call): Promise<Outcome> {
  const digests = () => Promise.all([digestsOf(tx, own.merchantId), digestsOf(tx, copyist)]);
  const [before, copyBefore] = await digests();
  const result = await ask(tx, own.merchantId, own);
  const [now, copyNow] = await digests();
  return { result, changed: changedTables(before, now), changedCopy: changedTables(copyBefore, copyNow) };
}

/** The outcomes of calls, each as if there were no other. Nothing of them stays. */
async function tried(calls: readonly StoreCall[], isCopied: boolean): Promise<Outcome[]> {
  const rollback = new Error('nothing of this stays');
  const outcomes: Outcome[] = [];
  const work = async (tx: Tx): Promise<void> => {
    if (isCopied) await copyAll(tx, own.merchantId, copyist);
    for (const call of calls) {
      const { first, ask } = typeof call === 'function' ? { ask: call } : call;
      await tx`savepoint untouched`;
      await first?.(tx, own.merchantId, own);
      if (isCopied && first) await copyAll(tx, own.merchantId, copyist); // What was just made, too.
      outcomes.push(await outcomeOf(tx, ask));
      await tx`rollback to savepoint untouched`;
    }
    throw rollback;
  };
  await tenants.world.gateway.db.begin(work).catch((error: unknown) => assert.equal(error, rollback));
  return outcomes;
}

for (const [path, calls] of Object.entries(storeCalls))
  test(`${path}: nothing of another merchant is mixed in, though its ids are the same`, async () => {
    const names = Object.keys(calls);
    const [alone, copied] = [await tried(Object.values(calls), false), await tried(Object.values(calls), true)];
    for (const [index, name] of names.entries()) {
      assert.deepEqual(copied[index]?.result, alone[index]?.result, `${name} finds the same`);
      assert.deepEqual(copied[index]?.changed, alone[index]?.changed, `${name} changes the same`);
      assert.deepEqual(copied[index]?.changedCopy, [], `${name} changes nothing of the copy`);
    }
  });

test('what only another merchant has is not seen either', async () => {
  const look: Call = async (tx, merchantId, { ids }) => [
    await findDossier(tx, merchantId, ids.settled),
    await findDeposit(tx, merchantId, ids.deposit),
  ];
  const stray: Call = (tx, _, { ids, now }) => tx`
    insert into stray_transfer (network, tx_hash, tx_index, merchant_id, owner_id, target_key, what, units, block_hash, block_time)
    select 'ETHEREUM', 'hash of ' || owner, '0', ${copyist}, owner, 'key', 'token', 1, 'block', ${now}
      from unnest(${[ids.settled, ids.deposit]}::text[]) as owner`;
  const [without, withStray] = await tried([look, { first: stray, ask: look }], false);
  assert.deepEqual(withStray?.result, without?.result);
});

test('what arrived for one merchant does not count for another', async () => {
  const keys = own.settled.commitments.map(({ targetKey }) => targetKey);
  const arrivals: StoreCall = (tx) => findArrivals(tx, 'BITCOIN', [...keys, own.deposit.deposit.targetKey]);
  assert.deepEqual((await tried([arrivals], true))[0]?.result, (await tried([arrivals], false))[0]?.result);
});
