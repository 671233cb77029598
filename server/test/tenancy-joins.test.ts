/**
 * Every function of a store that takes a merchant, called by its owner while another merchant has a copy of everything
 * under the same ids: it finds and changes what it did before, and nothing of the copy. What is joined or looked up by an
 * id alone, without the merchant, shows here.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { findDossier } from '../src/checkouts/checkout-store.ts';
import { readConfig } from '../src/config.ts';
import type { Tx } from '../src/db/database.ts';
import { confirmationLadder } from '../src/deposits/confirmation-ladder.ts';
import { findDeposit } from '../src/deposits/custom-deposit-store.ts';
import { present } from '../src/lib/assert.ts';
import { addMs } from '../src/lib/clock.ts';
import { bitcoin } from '../src/networks/bitcoin/bitcoin.ts';
import { findArrivals, gatherHeaps } from '../src/payments/crumb-store.ts';
import { savePayments, weighPayments } from '../src/payments/payment-store.ts';
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

type Digests = Awaited<ReturnType<typeof digestsIn>>;
const digestsIn = (tx: Tx) => Promise.all([digestsOf(tx, own.merchantId), digestsOf(tx, copyist)]);

/** What the owner's call gives and changes, and what it changes of the copy. */
async function outcomeOf(tx: Tx, ask: Call, [before, copyBefore]: Digests): Promise<Outcome> {
  const result = await ask(tx, own.merchantId, own);
  const [now, copyNow] = await digestsIn(tx);
  return { result, changed: changedTables(before, now), changedCopy: changedTables(copyBefore, copyNow) };
}

/** The outcomes of calls, each as if there were no other. Nothing of them stays. */
async function tried(calls: readonly StoreCall[], isCopied: boolean): Promise<Outcome[]> {
  const rollback = new Error('nothing of this stays');
  const outcomes: Outcome[] = [];
  const work = async (tx: Tx): Promise<void> => {
    if (isCopied) await copyAll(tx, own.merchantId, copyist);
    let untouched: Digests | undefined;
    for (const call of calls) {
      const { first, ask } = typeof call === 'function' ? { ask: call } : call;
      await tx`savepoint untouched`;
      await first?.(tx, own.merchantId, own);
      if (isCopied && first) await copyAll(tx, own.merchantId, copyist); // What was just made, too.
      const before = (first ? undefined : untouched) ?? (await digestsIn(tx));
      if (!first) untouched = before;
      outcomes.push(await outcomeOf(tx, ask, before));
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

/** What a network reports is the owner's by its target, and nothing of the copy has a part in what becomes of it. */
const reported: Readonly<Record<string, Call>> = {
  findArrivals: (tx, _, { settled, deposit }) =>
    findArrivals(tx, 'BITCOIN', [present(settled.commitments[0], 'a commitment').targetKey, deposit.deposit.targetKey]),
  async savePayments(tx, _, { settled, deposit, now }) {
    const [{ targetKey, asset }] = settled.commitments as [(typeof settled.commitments)[0] & object];
    const seen = [targetKey, deposit.deposit.targetKey].map((key, index) => ({
      id: `seen${index}`,
      targetKey: key,
      txHash: 'seen',
      txIndex: String(index),
      asset,
      units: 5n,
      trace: {},
      isCrumb: false,
      leastUnits: 1n,
      confirmationsRequired: 1,
      block: null,
      firstSeenAt: now,
      dayBegan: null,
    }));
    const saved = await savePayments(tx, 'BITCOIN', seen);
    return [
      saved,
      await tx`select commitment_id, confirmations_required from payment where tx_hash = 'seen' order by id`,
    ];
  },
  async weighPayments(tx, merchantId, { settled }) {
    const { id, txHash } = present(settled.payments[0], 'a payment');
    await tx`update payment set state = 'SEEN', block_height = 1000 where owner_id = ${settled.checkout.id}`;
    const assets = createAssetCatalog(readConfig(tenants.world.gateway.env).operator, []);
    const ladder = confirmationLadder(assets, bitcoin);
    const heights = { tip: 1_000, safe: 900, final: 900 };
    await weighPayments(tx, 'BITCOIN', ladder, { heights, news: [txHash], confirmationsMax: 100 });
    return tx`select confirmations_required from payment where merchant_id = ${merchantId} and id = ${id}`;
  },
  async gatherHeaps(tx, merchantId, { settled, now }) {
    const { asset } = present(settled.commitments[0], 'a commitment');
    await tx`
      insert into crumb_heap (id, merchant_id, owner_id, purpose, network, asset, least_units, waiting_count, waiting_units,
                              last_tx, last_block_height, last_block_time, last_seen_at)
      values ('heap', ${merchantId}, ${settled.checkout.id}, 'checkout', 'BITCOIN', ${asset}, 1, 5, 5, 'crumb', 1, ${now}, ${now})`;
    await gatherHeaps(tx, [{ heapId: 'heap', paymentId: 'gathered' }], now);
    return tx`select merchant_id, commitment_id from payment where id = 'gathered'`;
  },
};

for (const [name, call] of Object.entries(reported))
  test(`${name}: nothing of another merchant is mixed in, though its ids are the same`, async () => {
    /** What is the newest or the largest is the copy's. */
    const outshone: Call = async (tx, ...rest) => {
      await tx`update commitment set id = id || ' copy', committed_at = ${addMs(own.now, -1)} where merchant_id = ${copyist}`;
      await tx`update payment set units = units * 1000000 where merchant_id = ${copyist}`;
      return call(tx, ...rest);
    };
    const [[alone], [copied]] = [await tried([outshone], false), await tried([outshone], true)];
    assert.deepEqual(copied?.result, alone?.result);
  });
