/** Every way in which money can reach our account on Stellar, and what only looks like it. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { testStellarKey } from '@quittance/sandbox/stellar/stellar-harness';
import {
  type StellarNetwork,
  sandboxPassphrase,
  sandboxUsdc,
  startStellarNetwork,
} from '@quittance/sandbox/stellar/stellar-network';
import { NetworkError } from '@quittance/server/networks/port/connector';
import type { Cursor, ObserveContext } from '@quittance/server/networks/port/receiving';
import { muxedAddressOf, muxedIdOf } from '@quittance/server/networks/stellar/muxed-address';
import { createStellarNetworkConnector } from '@quittance/server/networks/stellar/stellar';
import { Asset, Claimant, Keypair, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { Secret } from '../../src/lib/secret.ts';
import { deepTest } from '../depth.ts';
import { noDocuments } from './no-documents.ts';

const usdc = new Asset(sandboxUsdc.code, sandboxUsdc.issuer);
const usdcName = `${sandboxUsdc.code}:${sandboxUsdc.issuer}`;
const ours = testStellarKey.publicKey();
const checkoutId = 'abc123def456';
const memo = Memo.text(checkoutId);

let network: StellarNetwork;
let payer: Keypair;
let cursor: Cursor | null = null;

const settings = () => ({
  horizonUrl: new Secret(network.url),
  account: ours,
  passphrase: sandboxPassphrase,
  assets: ['XLM', 'USDC'] as const,
});

before(async () => {
  network = await startStellarNetwork({ user: 'owner', password: 'secret' });
  network.openAccount(testStellarKey, '100', usdcName);
});
after(() => network.stop());
beforeEach(async () => {
  payer = Keypair.random();
  network.openAccount(payer, '1000', usdcName);
  await arrived();
});

const context: ObserveContext = {
  knownTargets: async (keys) => new Set(keys.filter((key) => key === `${ours}:text:${checkoutId}`)),
  unconfirmed: async () => [],
  knownArrivals: async () => new Set(),
  arrivalsAt: async () => [],
  waitingUnmatched: async () => [],
  recentTargets: async () => [],
  urgentTargets: async () => [],
  outgoing: async () => [],
  orders: async () => [],
  toldBefore: async () => new Map(),
  declaredVoid: async () => [],
  documents: noDocuments,
};

/** What has arrived since the last look: asset and units, for the checkout or for nobody. */
async function arrived() {
  const observed = await createStellarNetworkConnector(settings()).observe(cursor, context);
  cursor = observed.cursor;
  const short = (each: { assetCode: string; units: bigint }) => `${each.units} ${each.assetCode}`;
  return { paid: observed.observations.map(short), unmatched: (observed.unmatched ?? []).map(short), observed };
}

const payOurs = (amount: string, asset = Asset.native()) => Operation.payment({ destination: ours, asset, amount });

test('a payment in either asset, and several in one transaction', async () => {
  network.send(payer, [payOurs('1'), payOurs('0.0000001')], { memo });
  network.close();
  network.pay(checkoutId, { address: ours, units: 5n, asset: usdcName });
  network.close();
  const { paid, observed } = await arrived();
  assert.deepEqual(paid, ['10000000 XLM', '1 XLM', '5 USDC']);
  assert.deepEqual(
    observed.observations.map(({ index }) => index),
    ['1', '2', '1'],
  );
});

test('path payments count with what arrives, not with what was sent', async () => {
  network.send(network.ledger.root, [
    Operation.manageSellOffer({ selling: usdc, buying: Asset.native(), amount: '100', price: '10' }),
  ]);
  network.close();
  const to = { sendAsset: Asset.native(), destination: ours, destAsset: usdc, path: [] };
  network.send(payer, [Operation.pathPaymentStrictReceive({ ...to, sendMax: '50', destAmount: '4' })], { memo });
  network.close();
  network.send(payer, [Operation.pathPaymentStrictSend({ ...to, sendAmount: '30', destMin: '1' })], { memo });
  network.close();
  assert.deepEqual((await arrived()).paid, ['40000000 USDC', '30000000 USDC']);
});

test('an account merged into ours brings all it had, also when somebody else pays the fee', async () => {
  const merge = Operation.accountMerge({ destination: ours });
  const plain = Keypair.random();
  network.openAccount(plain, '20');
  network.send(plain, [merge], { memo });
  network.close();
  const bumped = Keypair.random();
  network.openAccount(bumped, '30');
  const inner = network.build(bumped, [merge], { memo });
  const bump = TransactionBuilder.buildFeeBumpTransaction(payer, '200', inner, sandboxPassphrase);
  bump.sign(payer);
  network.ledger.submit(bump.toXdr());
  network.close();
  assert.deepEqual((await arrived()).paid, ['199999900 XLM', '300000000 XLM']);
});

test('a claimable balance counts once we claim it, for the checkout that the payer named', async () => {
  const claimants = [new Claimant(ours)];
  const create = network.build(payer, [Operation.createClaimableBalance({ asset: usdc, amount: '1', claimants })], {
    memo,
  });
  network.pay(null, { address: payer.publicKey(), units: 50_000_000n, asset: usdcName });
  network.close();
  network.ledger.submit(create.toXdr());
  network.close();
  assert.deepEqual((await arrived()).paid, []);
  network.send(testStellarKey, [Operation.claimClaimableBalance({ balanceId: create.getClaimableBalanceId(0) })]);
  network.close();
  assert.deepEqual((await arrived()).paid, ['10000000 USDC']);
});

test('the number of a muxed address stands for the memo', async () => {
  const muxed = muxedAddressOf(ours, checkoutId) ?? '';
  network.send(payer, [Operation.payment({ destination: muxed, asset: Asset.native(), amount: '2' })]);
  network.close();
  assert.deepEqual((await arrived()).paid, ['20000000 XLM']);
  const split = Memo.id(muxedIdOf(checkoutId) ?? '');
  network.send(payer, [payOurs('3')], { memo: split });
  network.close();
  assert.deepEqual((await arrived()).paid, ['30000000 XLM'], 'and so does a memo with that number');
});

test('without a memo, or with a wrong one, it is kept for the operator', async () => {
  network.send(payer, [payOurs('1')]);
  network.close();
  network.send(payer, [payOurs('2')], { memo: Memo.text('somebody else') });
  network.close();
  network.send(payer, [payOurs('3')], { memo: Memo.id('123') });
  network.close();
  const { paid, unmatched, observed } = await arrived();
  assert.deepEqual([paid, unmatched], [[], ['10000000 XLM', '20000000 XLM', '30000000 XLM']]);
  assert.deepEqual(
    observed.unmatched?.map(({ sender }) => sender),
    [payer, payer, payer].map((each) => each.publicKey()),
  );
  assert.deepEqual(
    observed.unmatched?.map((each) => each.memo),
    [null, 'text:somebody else', 'id:123'],
  );
});

test('a failed payment, our own payments and a token of the same name are not income', async () => {
  const forger = Keypair.random();
  network.openAccount(forger, '100');
  const fake = new Asset('USDC', forger.publicKey());
  network.send(testStellarKey, [Operation.changeTrust({ asset: fake })]);
  network.close();
  network.send(forger, [payOurs('1000', fake)], { memo });
  network.send(payer, [payOurs('5'), payOurs('5000')], { memo });
  network.send(testStellarKey, [Operation.payment({ destination: ours, asset: Asset.native(), amount: '1' })], {
    memo,
  });
  network.close();
  network.send(
    testStellarKey,
    [Operation.payment({ destination: payer.publicKey(), asset: Asset.native(), amount: '1' })],
    { memo },
  );
  network.close();
  const { paid, unmatched, observed } = await arrived();
  assert.deepEqual([paid, unmatched], [[], []]);
  // What was paid for the checkout in another token is somebody's money all the same.
  assert.deepEqual(
    observed.strays?.map(({ targetKey, what, units }) => [targetKey, what, units]),
    [[`${ours}:text:${checkoutId}`, `USDC:${forger.publicKey()}`, 10_000_000_000n]],
  );
});

deepTest('a watcher that was away for a thousand payments reads them in bounded steps', async () => {
  for (let ledger = 0; ledger < 11; ledger += 1) {
    network.send(
      payer,
      Array.from({ length: 100 }, () => payOurs('0.1')),
      { memo },
    );
    network.close();
  }
  const first = await arrived();
  assert.deepEqual([first.paid.length, first.observed.isCaughtUp], [1_000, false]);
  assert.ok(first.observed.blocksBehind > 0);
  const second = await arrived();
  assert.deepEqual([second.paid.length, second.observed.isCaughtUp, second.observed.blocksBehind], [100, true, 0]);
});

test('a wrong network, a missing trustline and a missing account need the operator', async () => {
  const fails = async (change: object, sentence: RegExp) =>
    assert.rejects(
      createStellarNetworkConnector({ ...settings(), ...change }).observe(null, context),
      (error) => error instanceof NetworkError && !error.isRetryable && sentence.test(error.message),
    );
  const bare = Keypair.random();
  network.openAccount(bare, '10');
  await fails({ passphrase: 'Public Global Stellar Network ; September 2015' }, /is on "Quittance Sandbox/);
  await fails({ account: bare.publicKey() }, /no trustline to USDC/);
  await fails({ account: Keypair.random().publicKey() }, /does not exist/);
  await createStellarNetworkConnector({ ...settings(), account: bare.publicKey(), assets: ['XLM'] }).observe(
    null,
    context,
  );
});
