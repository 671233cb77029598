/** Money leaves: signed and stored first, broadcast then, and what became of it is in the books. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sendingSide } from '@quittance/sandbox/utxo-chain-harness';
import { Keypair } from '@stellar/stellar-sdk';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { chainWallet, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import { present } from '../src/lib/assert.ts';
import { newId } from '../src/lib/ids.ts';
import { bitcoin } from '../src/networks/bitcoin/bitcoin.ts';
import { createUtxoRpc } from '../src/networks/families/utxo/utxo-rpc.ts';
import { savePayments } from '../src/payments/payment-store.ts';
import { unusedCoins } from '../src/sending/coin-store.ts';
import { insertTransaction, type NewTransaction, openTransactions } from '../src/sending/outgoing-transaction-store.ts';
import { findPayout, insertPayouts, withdrawPayout } from '../src/sending/payout-store.ts';
import { recordSent } from '../src/sending/record-sent.ts';
import { readArrivals } from '../src/watching/read-arrivals.ts';
import { observedTip } from '../src/watching/reconciliation-store.ts';
import { type Gateway, startGateway, testIssuer, withoutLitecoin } from './gateway.ts';
import { bitcoinCoin } from './networks/utxo-coins.ts';
import { openShop } from './shop.ts';
import { madeUp } from './subject-problems.ts';

const btc = `BTC:${testIssuer}`;
const btcOfAnchor = `BTC:${Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(11)).publicKey()}`;
const assets = createAssetCatalog({ issuerAccount: testIssuer, issuerName: '', issuerDomain: '', issuerAddress: '' });
let gateway: Gateway;
before(async () => {
  gateway = await startGateway({
    env: { ...withoutLitecoin, ANCHORED_ASSETS: `${btcOfAnchor}@anchor.example` },
  });
  const shop = await openShop(gateway);
  for (let coin = 0; coin < 6; coin += 1) gateway.bitcoin.pay(await shop.open('600.00 USD', 'BITCOIN'));
  await mine(6);
});
after(() => gateway.stop());

/** What waits is sent first, so that the blocks have something to include. */
async function mine(blocks: number): Promise<void> {
  await gateway.runUntilIdle();
  gateway.bitcoin.mine(blocks);
  await gateway.runUntilIdle();
}

const stranger = () => sendingSide(bitcoinCoin, createUtxoRpc(gateway.bitcoin.chain.url, 60_000)).recipient();
const strangerAddress = async (): Promise<string> => (await stranger()).destination.address;

async function ask(
  address: string,
  units: bigint,
  id = newId(),
  asset = btc,
  heldFeeUnits: bigint | null = null,
): Promise<string> {
  const destination = { address, memo: null, memoType: null, holder: null };
  const transfer = { id, network: 'BITCOIN', asset, units, heldFeeUnits, ...destination };
  await gateway.db.begin((tx) =>
    insertPayouts(tx, [{ ...transfer, purpose: 'withdrawal', merchantId: 'operator' }], gateway.clock.now()),
  );
  return id;
}

async function balance(account: string): Promise<bigint> {
  const [row] = await gateway.db<{ balance: string }>`select balance from ledger_account where id = ${account}`;
  return BigInt(row?.balance ?? 0);
}

const jobsFor = (id: string) => gateway.db`select from job where payload->>'transferId' = ${id}`;

test('what is asked for twice is sent once, and what the network took is booked', async () => {
  const { destination, received } = await stranger();
  const id = await ask(destination.address, 250_000n);
  await ask(destination.address, 250_000n, id);
  await gateway.runUntilIdle();
  assert.equal((await findPayout(gateway.db, id))?.state, 'SIGNED');
  const costsBefore = await balance(operatorAccount('costs', btc));
  const walletBefore = await balance(chainWallet('BITCOIN', btc));

  gateway.bitcoin.mine(6);
  for (const watcher of gateway.app.watchers) await watcher.tick();
  assert.equal((await jobsFor(id)).length, 1, 'whoever asked is told once');
  await gateway.runUntilIdle();
  const transfer = await findPayout(gateway.db, id);
  assert.equal(transfer?.state, 'DONE');
  assert.equal(await received(), 250_000n);
  const fee = costsBefore - (await balance(operatorAccount('costs', btc)));
  assert.ok(fee > 0n);
  assert.equal((await balance(chainWallet('BITCOIN', btc))) - walletBefore, 250_000n + fee);
});

test('several that wait are sent together', async () => {
  const asked = [await stranger(), await stranger(), await stranger()];
  const ids = [];
  for (const { destination } of asked) ids.push(await ask(destination.address, 100_000n));
  await mine(6);
  const transfers = await Promise.all(ids.map((id) => findPayout(gateway.db, id)));
  assert.equal(new Set(transfers.map((each) => each?.txHash)).size, 1);
  for (const { received } of asked) assert.equal(await received(), 100_000n);
});

test('our change is no payment to anybody, and can be spent again', async () => {
  const payments = await gateway.db<{ purpose: string; merchant_id: string }>`
    select purpose, merchant_id from payment where purpose <> 'checkout'`;
  assert.ok(payments.length > 0);
  for (const payment of payments) assert.deepEqual(payment, { purpose: 'change', merchant_id: 'operator' });
  const id = await ask(await strangerAddress(), 3_500_000n); // More than the untouched coins hold.
  await mine(6);
  assert.equal((await findPayout(gateway.db, id))?.state, 'DONE');
});

test("what somebody sends to where our change went is in the books, as the operator's", async () => {
  const [change] = await gateway.db<{ key: string }>`select key from deposit_target where purpose = 'change' limit 1`;
  const equityBefore = await balance(operatorAccount('equity', btc));
  gateway.bitcoin.pay({ address: change?.key ?? '', amount: '0.00001' });
  await mine(6);
  assert.equal((await balance(operatorAccount('equity', btc))) - equityBefore, 1_000n);
});

test('what no transaction can carry is refused at once, and whoever asked is told', async () => {
  const id = await ask(await strangerAddress(), 100n);
  for (const sender of gateway.app.senders) await sender.tick();
  const transfer = await findPayout(gateway.db, id);
  assert.equal(transfer?.state, 'FAILED');
  assert.match(transfer?.failure ?? '', /^0\.00000100 BTC is too little to send: .*\.$/);
  assert.equal((await jobsFor(id)).length, 1);
});

test('what would go to an address of our own is refused, whoever asks for it', async () => {
  const shop = await openShop(gateway);
  const { address } = await shop.open('60.00 USD', 'BITCOIN');
  const id = await ask(address, 50_000n);
  for (const sender of gateway.app.senders) await sender.tick();
  const transfer = await findPayout(gateway.db, id);
  assert.deepEqual(
    [transfer?.state, transfer?.failure],
    ['FAILED', 'The address is one of our own: what is sent there pays nobody.'],
  );
});

test('what is asked for in an asset of an anchor is refused: our own coin of that name is another asset', async () => {
  const id = await ask(await strangerAddress(), 50_000n, newId(), btcOfAnchor);
  for (const sender of gateway.app.senders) await sender.tick();
  const transfer = await findPayout(gateway.db, id);
  assert.deepEqual(
    [transfer?.state, transfer?.failure],
    ['FAILED', 'It is in an asset of an anchor, which is on no network.'],
  );
});

test('however many wait for the network to become cheaper, whoever pays what it asks for is not kept waiting', async () => {
  const address = await strangerAddress();
  const poor: string[] = [];
  for (let count = 0; count < 201; count += 1) poor.push(await ask(address, 1_000n, newId(), btc, 1n));
  gateway.clock.advance({ seconds: 1 });
  const honest = await ask(await strangerAddress(), 50_000n);
  await mine(6);
  assert.equal((await findPayout(gateway.db, honest))?.state, 'DONE');
  const isQueued = async (id: string) => (await findPayout(gateway.db, id))?.state === 'QUEUED';
  assert.ok((await Promise.all(poor.map(isQueued))).every(Boolean), 'they wait');
  await gateway.db.begin((tx) => Promise.all(poor.map((id) => withdrawPayout(tx, id, gateway.clock.now()))));
});

test('what the wallet cannot pay waits until it can', async () => {
  const id = await ask(await strangerAddress(), 3_000_000n);
  await mine(1);
  assert.equal((await findPayout(gateway.db, id))?.state, 'QUEUED');
  const shop = await openShop(gateway);
  for (let coin = 0; coin < 4; coin += 1) gateway.bitcoin.pay(await shop.open('600.00 USD', 'BITCOIN'));
  await mine(6);
  await mine(6);
  assert.equal((await findPayout(gateway.db, id))?.state, 'DONE');
});

test('a node that forgot it while we were away gets it again at once', async () => {
  const { destination, received } = await stranger();
  const id = await ask(destination.address, 100_000n);
  await gateway.runUntilIdle();
  const [open] = await openTransactions(gateway.db, 'BITCOIN');
  const { txHash } = present(open, 'what was broadcast');
  await gateway.restart(async () => {
    gateway.bitcoin.chain.drop(txHash);
    gateway.clock.advance({ seconds: 1 });
  });
  await mine(6);
  assert.equal((await findPayout(gateway.db, id))?.state, 'DONE');
  assert.equal(await received(), 100_000n);
});

test('a block that is given up takes the transaction back, and it is included again, and booked once', async () => {
  const { destination, received } = await stranger();
  const id = await ask(destination.address, 2_000_000n); // Large enough to need more than one block.
  await gateway.runUntilIdle();
  await mine(1);
  assert.deepEqual(
    (await openTransactions(gateway.db, 'BITCOIN'))
      .filter(({ payoutIds }) => payoutIds.includes(id))
      .map(({ isIncluded }) => isIncluded),
    [true],
  );
  gateway.bitcoin.chain.reorganise(1);
  await gateway.runUntilIdle();
  assert.deepEqual(
    (await openTransactions(gateway.db, 'BITCOIN'))
      .filter(({ payoutIds }) => payoutIds.includes(id))
      .map(({ isIncluded }) => isIncluded),
    [false],
  );
  await mine(6);
  assert.equal((await findPayout(gateway.db, id))?.state, 'DONE');
  assert.equal(await received(), 2_000_000n);
  const entries = await gateway.db`select from ledger_entry where kind = 'network_fee' and reference like '%' || ${
    (await findPayout(gateway.db, id))?.txHash
  }`;
  assert.equal(entries.length, 1);
});

test('what a transaction cost is corrected when another block includes it at another price', async () => {
  const transaction: NewTransaction = {
    id: newId(),
    network: 'BITCOIN',
    txHash: madeUp('priced'),
    raw: '00',
    uses: ['bb:0'],
    payoutIds: [],
    feeAsset: btc,
    feeUnits: 900n,
    confirmationsRequired: 1,
    trace: {},
    note: 'test',
  };
  await gateway.db.begin((tx) => insertTransaction(tx, transaction, gateway.clock.now()));
  const costsBefore = await balance(operatorAccount('costs', btc));
  const { height } = present(await observedTip(gateway.db, 'BITCOIN'), 'the tip');
  const includeAt = (hash: string, units: bigint) =>
    gateway.db.begin((tx) => {
      const block = { hash, height, time: gateway.clock.now() };
      const sent = { txHash: madeUp('priced'), outcome: 'included' as const, block, fee: { assetCode: 'BTC', units } };
      const observed = { observations: [], vanishedBlocks: [], vanishedArrivals: [], tip: block, cursor: {} };
      const seen = { ...observed, isCaughtUp: true, blocksBehind: 0, sent: [sent] };
      return recordSent(tx, assets, bitcoin, seen, gateway.clock.now());
    });
  const steps = [
    ['a', 700n],
    ['b', 800n],
    ['b', 800n],
    ['a', 700n],
    ['c', 0n],
  ] as const; // In the end it moved nothing.
  for (const [block, fee] of steps) {
    await includeAt(block, fee);
    assert.equal(costsBefore - (await balance(operatorAccount('costs', btc))), fee, `in block ${block}`);
  }
  await gateway.db`delete from outgoing_transaction where raw = '00'`;
  await gateway.db`delete from outgoing_claim where claim = 'bb:0'`;
});

const inventedTransaction = (id: string, txHash: string): NewTransaction => ({
  id,
  network: 'BITCOIN',
  txHash,
  raw: '00',
  uses: ['cc:0'],
  payoutIds: [],
  feeAsset: btc,
  feeUnits: 900n,
  confirmationsRequired: 2,
  trace: {},
  note: 'test',
});

/** The watcher's word on one transaction: in a block of this height, when the chain is so high. */
async function tell(
  txHash: string,
  blockHeight: number,
  tipHeight: number,
  { feeUnits = 0n, ...more }: { feeUnits?: bigint; happenedAs?: string } = {},
): Promise<void> {
  const block = { hash: `block ${blockHeight}`, height: blockHeight, time: gateway.clock.now() };
  const tip = { ...block, hash: `block ${tipHeight}`, height: tipHeight };
  const fee = { assetCode: 'BTC', units: feeUnits };
  const sent = [{ txHash, outcome: 'included' as const, block, fee, ...more }];
  const observed = { observations: [], vanishedBlocks: [], vanishedArrivals: [], tip, cursor: {}, sent };
  await gateway.db.begin((tx) =>
    recordSent(tx, assets, bitcoin, { ...observed, isCaughtUp: true, blocksBehind: 0 }, gateway.clock.now()),
  );
}

async function forgetInvented(): Promise<void> {
  await gateway.db`delete from outgoing_transaction where raw = '00'`;
  await gateway.db`delete from outgoing_claim where claim = 'cc:0'`;
}

test('a replacement that comes back when another version is in a block is not stored: it can never be', async () => {
  const id = newId();
  const store = (txHash: string) =>
    gateway.db.begin((tx) => insertTransaction(tx, inventedTransaction(id, txHash), gateway.clock.now()));
  const versions = () =>
    gateway.db<{ tx_hash: string; state: string }>`
      select tx_hash, state from outgoing_transaction where id = ${id} order by generation`;
  assert.equal(await store('first'), true);
  assert.equal(await store('second'), true, 'while none of them is in a block');
  const { height } = present(await observedTip(gateway.db, 'BITCOIN'), 'the tip');
  await tell('first', height, height);
  assert.equal(await store('third'), false);
  await tell('first', height, height + 1); // deep enough
  assert.equal(await store('third'), false);
  assert.deepEqual(await versions(), [
    { tx_hash: 'first', state: 'DONE' },
    { tx_hash: 'second', state: 'OPEN' },
  ]);
  await forgetInvented();
});

test('a transaction has happened when it is exactly as deep as it must be, and its rivals never will when it is final', async () => {
  const id = newId();
  for (const txHash of ['winner', 'rival'])
    await gateway.db.begin((tx) => insertTransaction(tx, inventedTransaction(id, txHash), gateway.clock.now()));
  const { height } = present(await observedTip(gateway.db, 'BITCOIN'), 'the tip');
  const statesAt = async (depth: number): Promise<string[]> => {
    await tell('winner', height, height + depth - 1);
    const rows = await gateway.db<{ state: string; is_final: boolean }>`
      select state, is_final from outgoing_transaction where id = ${id} order by generation`;
    return rows.map((row) => `${row.state}${row.is_final ? ' for good' : ''}`);
  };
  assert.deepEqual(await statesAt(1), ['INCLUDED', 'OPEN']);
  assert.deepEqual(await statesAt(2), ['DONE', 'OPEN']);
  assert.deepEqual(await statesAt(bitcoin.finalityDepth - 1), ['DONE', 'OPEN']);
  assert.deepEqual(await statesAt(bitcoin.finalityDepth), ['DONE for good', 'REPLACED']);
  await forgetInvented();
});

test('a payout is told by the name that its transaction has in the chain, also when that changes', async () => {
  const id = await ask(await strangerAddress(), 150_000n);
  await gateway.runUntilIdle();
  const [signed = assert.fail()] = await gateway.db<{ tx_hash: string; fee_units: string }>`
    select transaction.tx_hash, transaction.fee_units
      from outgoing_transaction transaction join outgoing_transfer transfer on transfer.transaction_id = transaction.id
     where transfer.id = ${id}`;
  const { height } = present(await observedTip(gateway.db, 'BITCOIN'), 'the tip');
  gateway.bitcoin.mine(6);
  const [own, feeUnits] = [signed.tx_hash, BigInt(signed.fee_units)];
  await tell(own, height + 1, height + 6, { feeUnits, happenedAs: 'renamed' });
  const told = async () => {
    const payout = await findPayout(gateway.db, id);
    return [payout?.state, payout?.txHash];
  };
  assert.deepEqual(await told(), ['DONE', 'renamed']);
  await gateway.runUntilIdle(); // The chain has it as it was signed.
  assert.deepEqual(await told(), ['DONE', own]);
});

test('change of a transaction that has another name in the chain is change, and no gift to the operator', async () => {
  const id = await ask(await strangerAddress(), 150_000n);
  await gateway.runUntilIdle();
  const [signed = assert.fail()] = await gateway.db<{ tx_hash: string; change: string }>`
    select transaction.tx_hash, transaction.trace -> 'change' ->> 'address' as change
      from outgoing_transaction transaction join outgoing_transfer transfer on transfer.transaction_id = transaction.id
     where transfer.id = ${id}`;
  const purposeOf = async (named: { txHash: string; signedAs?: string }) => {
    const seen = { ...named, index: '7', targetKey: signed.change, assetCode: 'BTC', units: 70_000n, block: null };
    const observations = [{ ...seen, trace: { inputs: [] } }];
    const payments = await readArrivals({ db: gateway.db, assets }, bitcoin, observations, gateway.clock.now());
    const [saved] = await gateway.db.begin((tx) => savePayments(tx, 'BITCOIN', payments));
    return saved?.purpose;
  };
  assert.equal(await purposeOf({ txHash: 'renamed', signedAs: signed.tx_hash }), 'change');
  assert.equal(await purposeOf({ txHash: 'of a stranger' }), 'funding');
  await mine(6);
});

test('coins are given by age or by size, and crumbs are left out on demand', async () => {
  const shop = await openShop(gateway);
  for (const price of ['60.00 USD', '660.00 USD', '6.00 USD']) gateway.bitcoin.pay(await shop.open(price, 'BITCOIN'));
  await mine(6);
  const request = { network: 'BITCOIN', asset: btc, limit: 100, exceptKey: null };
  const all = (await unusedCoins(gateway.db, request)).map(({ units }) => units);
  const bySize = all.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  const [largest = 0n, second = 0n] = bySize;
  assert.ok(largest > second);
  assert.notDeepEqual(all, bySize);
  const found = async (more: object) =>
    (await unusedCoins(gateway.db, { ...request, ...more })).map(({ units }) => units);
  assert.deepEqual(await found({ order: 'largest', limit: 2 }), [largest, second]);
  assert.deepEqual(await found({ order: 'smallest' }), bySize.toReversed());
  assert.deepEqual(await found({ order: 'smallest', leastUnits: largest, limit: 1 }), [largest]);
});

test('two transactions that use the same coin cannot both be stored, whoever signed them', async () => {
  const signed = (txHash: string): NewTransaction => ({
    id: newId(),
    network: 'BITCOIN',
    txHash,
    raw: '00',
    uses: ['aa:0'],
    payoutIds: [],
    feeAsset: btc,
    feeUnits: 1n,
    confirmationsRequired: 1,
    trace: {},
    note: 'test',
  });
  const store = (transaction: NewTransaction) =>
    gateway.db.begin((tx) => insertTransaction(tx, transaction, gateway.clock.now()));
  const outcomes = await Promise.allSettled([store(signed('one')), store(signed('other'))]);
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await gateway.db`delete from outgoing_transaction where raw = '00'`;
  await gateway.db`delete from outgoing_claim where claim = 'aa:0'`;
});
