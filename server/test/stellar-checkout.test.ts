/** Checkouts paid on Stellar: one account for all, told apart by the memo. 60.00 USD are 600 XLM or 60 USDC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testStellarKey } from '@quittance/sandbox/stellar/stellar-harness';
import { sandboxUsdc } from '@quittance/sandbox/stellar/stellar-network';
import { Asset, Claimant, Keypair, Memo, Operation } from '@stellar/stellar-sdk';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { muxedAddressOf } from '../src/networks/stellar/muxed-address.ts';
import { assignUnmatched } from '../src/watching/assign-unmatched.ts';
import { rewindNetwork } from '../src/watching/rewind-network.ts';
import { listUnmatched } from '../src/watching/unmatched-store.ts';
import { aCharge, type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { balancesOf, type Committed, openShop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ hasStellar: true, env: withoutLitecoin });
});
after(() => gateway.stop());

const usdc = `${sandboxUsdc.code}:${sandboxUsdc.issuer}`;

/** Pays, closes the ledger, and lets the service take note. */
async function pay(
  to: Committed,
  amount: string,
  options: { asset?: string; memo?: string | null } = {},
): Promise<string> {
  const { memo = to.reply.depositInstructions.memo, asset = 'native' } = options;
  const hash = gateway.stellar.pay(memo, { address: to.address, units: toUnits(decimal(amount), 7, 'down'), asset });
  gateway.stellar.close();
  await gateway.runUntilIdle();
  return hash;
}

test('lumens are credited as soon as their ledger has closed', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  assert.deepEqual(checkout.reply.depositInstructions, {
    network: 'STELLAR',
    blockchain: 'Stellar',
    assetCode: 'XLM',
    amount: '600',
    address: gateway.env['STELLAR_ACCOUNT'],
    holder: null,
    bic: null,
    memo: checkout.id,
    memoType: 'text',
  });
  const hash = await pay(checkout, '600');
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/XLM': '5970000000' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED']);
  const record = await shop.checkout(checkout.id);
  assert.equal(record.sourceNetwork, 'STELLAR');
  assert.equal(record.blockchainTransactions[0].tx, hash);
});

test('the rest of a part on another network has few digits, and paying exactly that is neither too little nor too much', async () => {
  const shop = await openShop(gateway);
  const cases = [
    { price: '60.00 USD', part: '0.00033333', rest: '400.01' }, // exactly 400.002
    { price: '60000.00 USD', part: '0.33333333', rest: '400000.1' }, // a whole lumen more would have to be given back
  ];
  for (const { price, part, rest } of cases) {
    const { id, address } = await shop.open(price, 'BITCOIN');
    gateway.bitcoin.pay({ address, amount: part });
    await gateway.runUntilIdle();
    gateway.clock.advance({ seconds: 1 });
    const onStellar = await shop.commit(id, 'STELLAR');
    assert.equal(onStellar.amount, rest);
    await pay(onStellar, rest);
    gateway.bitcoin.mine(6);
    await gateway.runUntilIdle();
    assert.equal(await shop.state(id), 'COMPLETED', price);
  }
});

test('dollars are credited in the asset that was paid', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.commit(await shop.create('60.00 USD'), 'STELLAR', 'USDC');
  assert.equal(checkout.amount, '60');
  await pay(checkout, '60', { asset: usdc });
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/USDC': '597000000' });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED']);
});

test('the hosted page shows the memo, and its link carries memo and network, signed for wallets', async () => {
  const shop = await openShop(gateway);
  const { id, url } = await shop.post('/checkout/hosted', aCharge('60.00 USD'));
  await shop.commit(id, 'STELLAR', 'USDC');
  const page = await (await fetch(`${new URL(gateway.url).origin}${new URL(url).pathname}`)).text();
  const query = [
    `destination=${gateway.env['STELLAR_ACCOUNT']}&amp;amount=60&amp;asset_code=USDC`,
    `asset_issuer=${sandboxUsdc.issuer}&amp;memo=${id}&amp;memo_type=MEMO_TEXT`,
    'network_passphrase=Quittance%20Sandbox%20%3B%202026',
  ];
  const unsigned = `web+stellar:pay?${query.join('&amp;')}&amp;origin_domain=pay.test`;
  const signature = /^[^"]*"/.exec(page.split(`href="${unsigned}&amp;signature=`)[1] ?? '')?.[0].slice(0, -1) ?? '';
  const payload = Buffer.concat([
    Buffer.alloc(35),
    Buffer.of(4),
    Buffer.from(`stellar.sep.7 - URI Scheme${unsigned.replaceAll('&amp;', '&')}`),
  ]);
  const toml = await (await fetch(`${new URL(gateway.url).origin}/.well-known/stellar.toml`)).text();
  const key = Keypair.fromPublicKey(/^URI_REQUEST_SIGNING_KEY="(.+)"$/m.exec(toml)?.[1] ?? '');
  assert.ok(key.verify(payload, Buffer.from(decodeURIComponent(signature), 'base64')), page);
  assert.ok(page.includes(`<dd class="mono memo">${id}</dd>`));
});

test('wallets find out who we are', async () => {
  const reply = await fetch(`${new URL(gateway.url).origin}/.well-known/stellar.toml`);
  assert.deepEqual([reply.status, reply.headers.get('access-control-allow-origin')], [200, '*']);
  assert.ok((await reply.text()).includes(`ACCOUNTS=["${gateway.env['STELLAR_ACCOUNT']}", `));
});

test('the payments of two checkouts in one ledger are told apart', async () => {
  const shop = await openShop(gateway);
  const [first, second] = [await shop.open('60.00 USD', 'STELLAR'), await shop.open('6.00 USD', 'STELLAR')];
  assert.equal(first.address, second.address);
  for (const { id, address } of [first, second]) gateway.stellar.pay(id, { address, units: 600_000_000n });
  gateway.stellar.close();
  await gateway.runUntilIdle();
  assert.deepEqual([await shop.state(first.id), await shop.state(second.id)], ['PENDING PARTIAL', 'COMPLETED']);
});

test('the other asset of the network is kept as a visible case', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  await pay(checkout, '60', { asset: usdc });
  assert.equal(await shop.state(checkout.id), 'PENDING WRONG_ASSET');
  assert.deepEqual(await shop.balances(), { 'suspense/USDC': '600000000' });
});

test('a token of another issuer is kept as a visible case too, though it is worth nothing to us', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.commit(await shop.create('60.00 USD'), 'STELLAR', 'USDC');
  const { network, forger } = await forgeDollars();
  const fake = new Asset('USDC', forger.publicKey());
  network.send(forger, [Operation.payment({ destination: checkout.address, asset: fake, amount: '60' })], {
    memo: Memo.text(checkout.id),
  });
  network.close();
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PENDING WRONG_ASSET');
  assert.deepEqual(await shop.balances(), {});
});

/** Somebody's own USDC, which our account was made to trust. */
async function forgeDollars() {
  const network = gateway.stellar;
  const forger = Keypair.random();
  network.openAccount(forger, '100');
  network.send(testStellarKey, [Operation.changeTrust({ asset: new Asset('USDC', forger.publicKey()) })]);
  gateway.takenByStory['XLM'] = 100n; // The fee.
  network.close();
  return { network, forger };
}

test('a payment to the muxed address of a checkout needs no memo', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  await pay({ ...checkout, address: muxedAddressOf(checkout.address, checkout.id) ?? '' }, '600', { memo: null });
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
});

test('a claimable balance is claimed, and pays the checkout that it names', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  const { stellar } = gateway;
  const claimants = [new Claimant(checkout.address)];
  const create = Operation.createClaimableBalance({ asset: Asset.native(), amount: '600', claimants });
  const hash = stellar.send(stellar.ledger.root, [create], { memo: Memo.text(checkout.id) });
  for (let round = 0; round < 6; round += 1) {
    stellar.close();
    gateway.clock.advance({ seconds: 61 });
    await gateway.runUntilIdle();
  }
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.equal((await shop.checkout(checkout.id)).blockchainTransactions[0].tx, hash);
});

test('a late payment is credited as late', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'EXPIRED');
  await pay(checkout, '600');
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
});

test('what arrives while the service is away is found afterwards', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  await gateway.restart(async () => {
    gateway.stellar.pay(checkout.id, { address: checkout.address, units: 6_000_000_000n });
    gateway.stellar.close(50);
  });
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
});

test('a checkout is paid in part on Bitcoin and the rest on Stellar', async () => {
  const shop = await openShop(gateway);
  const id = await shop.create('60.00 USD');
  const bitcoin = await shop.commit(id, 'BITCOIN');
  gateway.bitcoin.pay({ address: bitcoin.address, amount: '0.0005' });
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  const stellar = await shop.commit(id, 'STELLAR');
  await pay(stellar, '300');
  assert.equal(await shop.state(id), 'COMPLETED');
});

test('a forgotten memo leaves the money in suspense until the operator assigns it', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'STELLAR');
  const hash = await pay(checkout, '600', { memo: null });
  assert.equal(await shop.state(checkout.id), 'PENDING');
  assert.deepEqual(await balancesOf(gateway, 'operator/suspense/'), { XLM: '6000000000' });
  const [unmatched, ...others] = await listUnmatched(gateway.db);
  assert.ok(unmatched);
  assert.deepEqual([unmatched.txHash, unmatched.units, unmatched.memo, others], [hash, 6_000_000_000n, null, []]);

  const elsewhere = await shop.open('60.00 USD', 'BITCOIN');
  await assert.rejects(assignUnmatched(gateway, unmatched.id, elsewhere.id), /never committed on STELLAR/);
  gateway.clock.advance({ minutes: 120 });
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'EXPIRED');

  await assignUnmatched(gateway, unmatched.id, checkout.id);
  await assignUnmatched(gateway, unmatched.id, checkout.id);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED', 'it counts from the moment when it arrived');
  assert.deepEqual(await shop.balances(), { 'available/XLM': '5970000000' });
  assert.deepEqual(await balancesOf(gateway, 'operator/suspense/'), {});
  assert.deepEqual(await listUnmatched(gateway.db), []);
  await assert.rejects(assignUnmatched(gateway, unmatched.id, elsewhere.id), /was assigned to checkout/);
});

test('reading ledgers again books nothing twice, also what would match by now', async () => {
  const shop = await openShop(gateway);
  const id = await shop.create('60.00 USD');
  const address = gateway.env['STELLAR_ACCOUNT'] ?? '';
  gateway.stellar.pay(id, { address, units: 6_000_000_000n });
  gateway.stellar.close();
  await gateway.runUntilIdle();
  await shop.commit(id, 'STELLAR');
  const books = () => balancesOf(gateway, '');
  const before = await books();
  await rewindNetwork(gateway.db, 'STELLAR', 1_000);
  for (let look = 0; look < 3; look += 1) await gateway.runUntilIdle();
  assert.deepEqual(await books(), before);
  assert.equal(await shop.state(id), 'PENDING');
  const [unmatched] = await listUnmatched(gateway.db);
  await assignUnmatched(gateway, unmatched?.id ?? '', id);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(id), 'COMPLETED');
});
