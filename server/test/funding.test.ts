/** The operator brings in money of its own. It is nobody's balance, but the books must have it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { createFundingTarget } from '../src/deposits/create-funding-target.ts';
import { findFundingTarget, knownTargetKeys } from '../src/deposits/deposit-target-store.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { fundingAddressJob } from '../src/jobs/job-store.ts';
import { listHoldings } from '../src/ledger/ledger-store.ts';
import { present } from '../src/lib/assert.ts';
import { newId } from '../src/lib/ids.ts';
import type { Connector } from '../src/networks/port/connector.ts';
import { type Gateway, startGateway, testIssuer, withoutLitecoin } from './gateway.ts';
import { balancesOf } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
});
after(() => gateway.stop());

const operator = () => balancesOf(gateway, 'operator/');

async function fundingAddress(network: string): Promise<string> {
  const targetId = newId();
  const payload = { network, targetId, amount: null };
  const runAt = gateway.clock.now();
  await gateway.db.begin((tx) => enqueue(tx, [{ name: 'funding.address', payload, runAt }]));
  await gateway.runUntilIdle();
  const target = present(await findFundingTarget(gateway.db, network, targetId), 'the target');
  assert.equal(target.id, targetId);
  return target.address;
}

test('money of the operator is equity once it is confirmed, and gone when it vanishes', async () => {
  const address = await fundingAddress('BITCOIN');
  gateway.bitcoin.pay({ address, amount: '0.5' });
  await gateway.runUntilIdle();
  assert.deepEqual(await operator(), {});
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  const booked = { 'equity/BTC': '50000000', 'wallet-BITCOIN/BTC': '-50000000' };
  assert.deepEqual(await operator(), booked);
  assert.deepEqual(await listHoldings(gateway.db), [
    { network: 'BITCOIN', asset: `BTC:${testIssuer}`, units: 50_000_000n },
  ]);

  gateway.bitcoin.chain.reorganise(6);
  await gateway.runUntilIdle();
  assert.deepEqual(await operator(), {});
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  assert.deepEqual(await operator(), booked, 'confirmed again, booked again');
});

test('what our own transaction brings was ours before', async () => {
  const before = await operator();
  const address = await fundingAddress('BITCOIN');
  const tx = gateway.bitcoin.pay({ address, amount: '0.25' });
  const trace = { fee: '0', vsize: 1, height: 0, coins: [], outputs: [], change: null, transferIds: [] };
  await gateway.db`
    insert into outgoing_transaction (id, generation, network, tx_hash, raw, claims, trace, fee_asset, fee_units,
                                      confirmations_required, state, signed_at)
    values ('sweep', 1, 'BITCOIN', ${tx}, '', '{}', ${JSON.stringify(trace)}, ${`BTC:${testIssuer}`}, 0, 1, 'OPEN', ${gateway.clock.now()})`;
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  assert.deepEqual(await operator(), before);
  const [sweep] = await gateway.db`select state from outgoing_transaction where id = 'sweep'`;
  assert.deepEqual(sweep, { state: 'DONE' }, 'it was seen');
  gateway.takenByStory['BTC'] = -25_000_000n; // There was no such transaction: the story brought it in.
});

test('a network that sends from one fixed address has its money brought in there', async () => {
  const wallet = { key: 'fixed', address: 'Fixed', memo: null, memoType: null };
  const connector = { network: { id: 'FIXED', assets: [] }, wallet } as unknown as Connector;
  const { db, clock } = gateway;
  const deps = { db, clock, connectors: new Map([['FIXED', connector]]), nextDepositIndex: async () => 0 };
  const assets = createAssetCatalog({ issuerAccount: testIssuer, issuerName: '', issuerDomain: '', issuerAddress: '' });
  for (const targetId of [newId(), newId()]) {
    await createFundingTarget({ ...deps, assets }, { network: 'FIXED', targetId, amount: null });
    assert.equal((await findFundingTarget(db, 'FIXED', targetId))?.address, 'Fixed');
  }
  assert.deepEqual(await knownTargetKeys(db, 'FIXED', ['fixed']), new Set(['fixed']));
});

test('a funding address on a network that is not there is given up, with the reason', async () => {
  const payload = { network: 'SEPA', targetId: newId(), amount: null };
  const runAt = gateway.clock.now();
  await gateway.db.begin((tx) => enqueue(tx, [{ name: 'funding.address', payload, runAt }]));
  await gateway.runUntilIdle();
  assert.deepEqual(await fundingAddressJob(gateway.db, payload.targetId), {
    isParked: true,
    lastError: 'SEPA is not configured.',
  });
  await gateway.db`delete from job`;
});
