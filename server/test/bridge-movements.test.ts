/**
 * What the bridge asks for: never a token without its coin, never tokens that somebody else was promised, one movement at
 * a time, and once more when one has failed. Stellar counts seven decimals, bitcoins have eight.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { createBridge } from '../src/bridge/bridge.ts';
import { bridgeBooks } from '../src/bridge/bridge-store.ts';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { readConfig } from '../src/config.ts';
import type { Db, Session } from '../src/db/database.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { present } from '../src/lib/assert.ts';
import { addMs, hours } from '../src/lib/clock.ts';
import { createConnectors } from '../src/networks/registry.ts';
import { findPayout, insertPayouts, refusePayout, withdrawPayout } from '../src/sending/payout-store.ts';
import { advanceJob } from '../src/sending/record-sent.ts';
import type { NetworkSender } from '../src/sending/send-network.ts';
import { watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, withoutLitecoin } from './gateway.ts';
import { meetAt, nobodyWrites } from './meet-at.ts';
import { issuer, type StellarMarket, startGatewayWithMarket } from './stellar-market.ts';
import { freshAddress, openSender, type Sender } from './transfer-story.ts';
import { untilRested } from './until.ts';

const btc = `BTC:${issuer}`;

let gateway: Gateway;
let market: StellarMarket;
let shop: Sender;
before(async () => {
  ({ gateway, market } = await startGatewayWithMarket({ env: withoutLitecoin }));
  shop = await openSender(gateway, '0');
});
after(() => gateway.stop());

const keeper = (): NetworkSender => present(gateway.app.senders.at(-1), 'the bridge');
const books = async () => present((await bridgeBooks(gateway.db, [btc]))[0], 'the books of the bridge');

/** All movements that were ever asked for, the oldest first. */
const movements = () =>
  gateway.db<{ id: string; units: string; is_issue: boolean; state: string }>`
    select id, units::text, is_issue, state from outgoing_transfer
     where purpose = 'bridge' and asset = ${btc} order by requested_at, id`;

/** Coins came, and are in the books; the bridge has not looked yet. */
async function receive(amount: string): Promise<void> {
  const { depositInstructions } = await shop.post('/deposit-address', { network: 'BITCOIN' });
  gateway.bitcoin.pay({ address: depositInstructions.address, amount });
  await confirm();
}

async function confirm(): Promise<void> {
  gateway.bitcoin.mine(6);
  await watchAll(gateway.app);
  await workAll(gateway.app);
}

/** Coins left, likewise. */
async function send(amount: string): Promise<void> {
  const { id } = await shop.send({ amount, address: freshAddress() });
  for (const sender of gateway.app.senders.slice(0, -1)) await untilRested(sender);
  await confirm();
  assert.equal((await shop.transfer(id)).state, 'COMPLETED');
}

test('what is finer than Stellar counts is held and not issued, and nothing stays issued that is not held', async () => {
  await receive('0.02000003');
  assert.equal(await keeper().tick(), 'progress');
  assert.deepEqual(
    (await movements()).map(({ units, is_issue }) => [units, is_issue]),
    [['2000000', true]],
  );
  await market.finish();
  await send('0.00100001');
  await market.finish();
  const { heldUnits, issuedUnits, ownUnits } = await books();
  assert.equal(ownUnits, issuedUnits);
  assert.notEqual(heldUnits % 10n, 0n, 'less than a token can be');
  assert.equal(issuedUnits, heldUnits - (heldUnits % 10n));
});

test('tokens that are promised to somebody are not burned', async () => {
  await receive('0.01');
  await market.finish();
  const { ownUnits } = await books();
  const promised = ownUnits - 50_000n;
  const now = gateway.clock.now();
  const somebody = Keypair.random().publicKey();
  await gateway.db.begin(async (tx) => {
    const destination = { address: somebody, memo: null, memoType: null, holder: null };
    const transfer = { ...destination, id: 'promised', network: 'STELLAR', asset: btc, units: promised };
    await insertPayouts(tx, [{ ...transfer, purpose: 'return', merchantId: 'operator' }], now);
    await tx`update outgoing_transfer set held_until = ${addMs(now, hours(9))} where id = 'promised'`;
  });
  await send('0.001');
  const missing = ownUnits - (await books()).heldUnits;
  assert.ok(missing > 50_000n, `${missing} have to go`);
  await market.settle();
  assert.equal((await books()).ownUnits, promised, 'only what nobody was promised went');

  await gateway.db.begin((tx) => withdrawPayout(tx, 'promised', now));
  await market.settle();
  assert.ok((await books()).ownUnits <= (await books()).heldUnits, 'and the rest once it is free');
});

test('what was to be issued and was not is issued later, and whoever waits for it goes on with that', async () => {
  const { id, ...instructions } = await shop.open('60.00 USD', 'BITCOIN');
  gateway.bitcoin.pay(instructions);
  await confirm();
  assert.equal(await keeper().tick(), 'progress');
  const movement = present((await movements()).at(-1), 'the movement');
  assert.deepEqual([movement.is_issue, movement.state], [true, 'QUEUED']);
  const at = gateway.clock.now();
  await gateway.db.begin(async (tx) => {
    const refused = await refusePayout(tx, movement.id, 'Stellar refused it.', at);
    await enqueue(
      tx,
      refused.map((transfer) => advanceJob(transfer, at)),
    );
  });
  await workAll(gateway.app);
  assert.equal(await keeper().tick(), 'idle', 'not at once');
  assert.equal(await shop.state(id), 'PROCESSING');

  gateway.clock.advance({ seconds: 61 });
  assert.equal(await keeper().tick(), 'progress');
  await market.finish();
  const again = present((await movements()).at(-1), 'the second movement');
  const { txHash } = present(await findPayout(gateway.db, again.id), again.id);
  const { blockchainTransactions } = await shop.checkout(id);
  const bridged = blockchainTransactions.find(({ type }: any) => type === 'CHECKOUT_BRIDGE');
  assert.deepEqual([await shop.state(id), bridged?.tx], ['COMPLETED', txHash], JSON.stringify(blockchainTransactions));
});

/** A process that was frozen and has lost its session, and has not noticed yet: it believes that it keeps the bridge. */
function startFrozen(): NetworkSender {
  const { clock, log } = gateway;
  const config = readConfig(gateway.env);
  const session = Object.assign(async () => [{ led: true }], { end: async () => undefined, onLost: () => undefined });
  const db = new Proxy(gateway.db, {
    get: (target, name) => (name === 'session' ? async () => session as unknown as Session : target[name as keyof Db]),
  });
  const [assets, connectors] = [createAssetCatalog(config.operator, []), createConnectors(config.networks)];
  return present(createBridge({ db, clock, log, assets, connectors, pollMs: 1_000 }), 'a bridge');
}

test('two who both believe that they keep the bridge ask for one movement', async () => {
  await receive('0.001');
  const before = (await movements()).length;
  const frozen = startFrozen();
  const outcomes = await meetAt(gateway.db, nobodyWrites.outgoingTransfers, [
    () => keeper().tick(),
    () => frozen.tick(),
  ]);
  assert.deepEqual(outcomes, ['progress', 'idle']);
  assert.equal((await movements()).length, before + 1);
  await market.finish();
});
