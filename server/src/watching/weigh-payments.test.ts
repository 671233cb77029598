/** Payments as a network reports them, on a real database: when each of them counts as confirmed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createAssetCatalog } from '../catalog/asset-catalog.ts';
import { insertDepositTargets } from '../deposits/deposit-target-store.ts';
import { newId } from '../lib/ids.ts';
import { ethereum as ethereumOf } from '../networks/ethereum/ethereum.ts';
import type { NetworkDefinition } from '../networks/port/definition.ts';
import type { BlockRef, Observation } from '../networks/port/receiving.ts';
import { publicPassphrase, stellarDefinition } from '../networks/stellar/stellar.ts';
import { takeLease } from '../payments/cursor-store.ts';
import { storeObserved } from './store-observed.ts';

const assets = createAssetCatalog({
  issuerAccount: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
  issuerName: 'Operator',
  issuerDomain: 'localhost',
  issuerAddress: '',
});
const contract = `0x${'1'.repeat(40)}`;
const ethereum = ethereumOf({ chainId: 1, tokens: [{ assetCode: 'USDC', contract, decimals: 6 }] });
const stellar = stellarDefinition({ passphrase: publicPassphrase, assets: ['USDC'] });
const dollars = (count: number): bigint => BigInt(count) * 1_000_000n;
const now = new Date('2026-03-01T12:00:00Z');
const blockAt = (height: number): BlockRef => ({ hash: `block-${height}`, height, time: now });

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

/** A target of a deposit; gives its key. */
async function openTarget(network: NetworkDefinition): Promise<string> {
  const [key, ownerId] = [newId(), newId()];
  const target = { key, address: key, memo: null, memoType: null, id: newId(), network: network.id, index: 0 };
  const owner = { purpose: 'deposit' as const, merchantId: 'm', ownerId };
  await database.db.begin((tx) => insertDepositTargets(tx, [{ ...target, ...owner }], now));
  return key;
}

type Tip = { tip: number; safe?: number; final?: number };

async function report(network: NetworkDefinition, { tip, safe, final }: Tip, observations: Observation[] = []) {
  const { epoch } = await takeLease(database.db, network.id);
  await storeObserved({ db: database.db, clock: { now: () => now }, assets }, network, epoch, {
    observations,
    vanishedBlocks: [],
    vanishedArrivals: [],
    tip: blockAt(tip),
    cursor: {},
    isCaughtUp: true,
    blocksBehind: 0,
    ...(safe !== undefined && { safeHeight: safe }),
    ...(final !== undefined && { finalHeight: final }),
  });
}

const paid = (targetKey: string, assetCode: string, units: bigint, height: number): Observation => ({
  targetKey,
  txHash: newId(),
  index: '0',
  assetCode,
  units,
  block: blockAt(height),
  trace: {},
});

async function statesAt(targetKey: string): Promise<string[]> {
  const rows = await database.db<{ state: string }>`
    select state from payment where target_key = ${targetKey} order by block_height, units`;
  return rows.map(({ state }) => state);
}

test('a sum for which the network must call the block safe, or final, waits for that in all its parts', async () => {
  const [one, two] = [await openTarget(ethereum), await openTarget(ethereum)];
  const parts = Array.from({ length: 20 }, () => paid(one, 'USDC', dollars(299), 1_000)); // 5,980: safe
  const large = Array.from({ length: 100 }, () => paid(two, 'USDC', dollars(301), 1_000)); // 30,100: final
  await report(ethereum, { tip: 1_000, safe: 960, final: 930 }, [...parts, ...large]);
  const all = async (key: string) => [...new Set(await statesAt(key))];
  await report(ethereum, { tip: 1_040, safe: 999, final: 968 });
  assert.deepEqual([await all(one), await all(two)], [['SEEN'], ['SEEN']], 'deep, but not safe');
  await report(ethereum, { tip: 1_041, safe: 1_000, final: 969 });
  assert.deepEqual([await all(one), await all(two)], [['CONFIRMED'], ['SEEN']]);
  await report(ethereum, { tip: 1_072, safe: 1_032, final: 1_000 });
  assert.deepEqual([await all(one), await all(two)], [['FINAL'], ['FINAL']]);
});

test('a sum of two assets waits for what both need together', async () => {
  const target = await openTarget(ethereum);
  const ether = paid(target, 'ETH', 9n * 10n ** 16n, 2_000); // nine tenths of what three blocks are good for
  await report(ethereum, { tip: 2_000, safe: 1, final: 1 }, [ether, paid(target, 'USDC', dollars(29), 2_000)]);
  await report(ethereum, { tip: 2_002, safe: 1, final: 1 });
  assert.deepEqual(await statesAt(target), ['CONFIRMED', 'CONFIRMED']);

  const other = await openTarget(ethereum);
  const more = paid(other, 'ETH', 9n * 10n ** 16n, 2_003);
  await report(ethereum, { tip: 2_003, safe: 1, final: 1 }, [more, paid(other, 'USDC', dollars(31), 2_003)]);
  await report(ethereum, { tip: 2_005, safe: 1, final: 1 });
  assert.deepEqual(await statesAt(other), ['SEEN', 'SEEN']);
  await report(ethereum, { tip: 2_008, safe: 1, final: 1 });
  assert.deepEqual(await statesAt(other), ['CONFIRMED', 'CONFIRMED']);
});

test('where a block is final at once, nothing waits', async () => {
  const target = await openTarget(stellar);
  const payments = Array.from({ length: 50 }, () => paid(target, 'USDC', 10n ** 12n, 500));
  await report(stellar, { tip: 500 }, payments);
  assert.deepEqual([...new Set(await statesAt(target))], ['FINAL']);
});

test('what is weighed for one new payment does not grow with what has waited before', async () => {
  const target = await openTarget(ethereum);
  await report(ethereum, { tip: 3_000, safe: 1, final: 1 }, [paid(target, 'USDC', dollars(50_000), 3_000)]);
  const before = await database.db<{ xmin: string }>`select xmin::text from payment where target_key = ${target}`;
  await report(ethereum, { tip: 3_001, safe: 1, final: 1 });
  const after = await database.db<{ xmin: string }>`select xmin::text from payment where target_key = ${target}`;
  assert.deepEqual(after, before, 'a payment that cannot be confirmed yet is not written again');
});
