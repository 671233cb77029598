/**
 * A database that was restored from a backup has forgotten what was signed since: another version of a transaction, with
 * another fee, or signed anew after its time was over. It happened, so what it paid must not be paid again.
 */
import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { testStellarKey } from '@quittance/sandbox/stellar/stellar-harness';
import {
  type StellarNetwork,
  sandboxPassphrase,
  startStellarNetwork,
} from '@quittance/sandbox/stellar/stellar-network';
import { Secret } from '@quittance/server/lib/secret';
import { senderOf } from '@quittance/server/networks/outgoing-memory';
import type { OutgoingTransaction, Payout, SignedTransaction } from '@quittance/server/networks/port/sending';
import { createStellarNetworkConnector } from '@quittance/server/networks/stellar/stellar';
import { createWatched, type Watched } from '@quittance/server/test/networks/watched-connector';
import { Keypair } from '@stellar/stellar-sdk';
import { describeOnEvmNodes } from './evm-nodes.ts';
import { dollar, type EvmWorld, startEvmWorld, stranger, whole } from './evm-world.ts';
import { startSendingWallet } from './sending-wallet.ts';

test('on Bitcoin another version with the same payments is no rival, however deep it is', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const [one, other] = [await wallet.recipient(), await wallet.recipient()];
  const first = await wallet.keep(
    wallet.transferTo(one.destination, 100_000n),
    wallet.transferTo(other.destination, 5_000n),
  );
  const later = new Date(first.signedAt.getTime() + 31 * 60_000);
  const forgotten = await wallet.sender().replace?.(first, { ...wallet.watched.sendContext(), now: later });
  assert.ok(forgotten);
  await wallet.rpc.call('sendrawtransaction', forgotten.raw);
  for (const blocks of [1, 99, 1, 100]) {
    await wallet.mineAndObserve(blocks);
    assert.equal(wallet.updateOf(first.txHash), null, 'it is left for people to look at');
  }
  wallet.restart();
  await wallet.mineAndObserve(1);
  assert.equal(wallet.updateOf(first.txHash), null, 'also at the first look after a restart');
  assert.deepEqual([await one.received(), await other.received()], [100_000n, 5_000n]);
});

test('on Bitcoin a transaction that pays only one of them keeps the others from being paid blindly, too', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const [one, other] = [await wallet.recipient(), await wallet.recipient()];
  const paid = wallet.transferTo(one.destination, 100_000n);
  const forgotten = await wallet.prepare(paid);
  const both = await wallet.keep(paid, wallet.transferTo(other.destination, 5_000n));
  assert.deepEqual(both.uses, forgotten.uses);
  await wallet.rpc.call('sendrawtransaction', forgotten.raw);
  for (const blocks of [1, 100]) await wallet.mineAndObserve(blocks);
  assert.equal(wallet.updateOf(both.txHash), null);
});

test('on Bitcoin what takes the same coins elsewhere, or pays another amount, is a rival', async (t) => {
  for (const units of [100_000n, 100_001n]) {
    const wallet = await startSendingWallet(t, [1_000_000n]);
    const { destination } = await wallet.recipient();
    const elsewhere = units === 100_000n ? (await wallet.recipient()).destination : destination;
    const rival = await wallet.prepare(wallet.transferTo(elsewhere, units));
    const ours = await wallet.keep(wallet.transferTo(destination, 100_000n));
    await wallet.rpc.call('sendrawtransaction', rival.raw);
    for (const blocks of [1, 100]) await wallet.mineAndObserve(blocks);
    assert.equal(wallet.updateOf(ours.txHash)?.outcome, 'expired');
  }
});

describeOnEvmNodes('a restored database and Ethereum', ({ startChain }) => {
  let world: EvmWorld;
  beforeEach(async () => {
    await world?.chain.stop();
    world = await startEvmWorld(startChain);
  });
  after(() => world?.chain.stop());

  for (const assetCode of ['ETH', 'USDC'])
    test(`a version of ${assetCode} with our number and the same deed is not taken for somebody else's`, async () => {
      await world.fund(whole);
      await world.payTokens(world.wallet(), 'USDC', 100n * dollar);
      await world.mine(1);
      const first = await world.prepare(world.transfer(stranger('1'), assetCode, 5n));
      const later = new Date(first.signedAt.getTime() + 11 * 60_000);
      const context = { ...world.watched.sendContext(), now: later };
      const forgotten = await world.sender().replace?.(first, context);
      assert.ok(forgotten && forgotten.txHash !== first.txHash);
      await world.chain.submit(forgotten.raw as `0x${string}`);
      for (const blocks of [1, 63, 2, 10]) {
        await world.mine(blocks);
        assert.equal(world.updateOf(first), null, 'it is left for people to look at');
      }
      world.restart();
      await world.mine(1);
      assert.equal(world.updateOf(first), null, 'also at the first look after a restart');
      const next = await world.prepare(world.transfer(stranger('2'), 'ETH', 5n));
      assert.equal(next.uses[0], `nonce:${world.wallet().toLowerCase()}:1`, 'and keeps nobody waiting');
    });
});

const lumen = 10_000_000n;

void describe('a restored database and Stellar', { concurrency: 1 }, () => {
  let network: StellarNetwork;
  let watched: Watched;
  let now: Date;
  let count = 0;
  beforeEach(async () => {
    now = new Date('2026-03-01T12:00:00Z');
    network = await startStellarNetwork({ user: 'owner', password: 'secret', now: () => now });
    network.openAccount(testStellarKey, '1000');
    network.close();
    const [account, secret] = [testStellarKey.publicKey(), new Secret(testStellarKey.secret())];
    const settings = { horizonUrl: new Secret(network.url), account, secret, passphrase: sandboxPassphrase };
    watched = createWatched(createStellarNetworkConnector({ ...settings, assets: ['XLM'], channels: 1 }));
    watched.outgoing.setClock(() => now);
    await watched.observe();
    for (const signed of (await sender().housekeeping?.(watched.sendContext())) ?? []) await send(keep(signed));
  });
  afterEach(() => network.stop());

  const sender = () => senderOf(watched.connector);
  const keep = (signed: SignedTransaction, replaced?: string) => watched.outgoing.keep(signed, replaced);
  const updateOf = ({ txHash }: { txHash: string }) => watched.outgoing.transactions.get(txHash)?.update;
  const transferTo = (to: Keypair): Payout => ({
    id: `transfer-${count++}`,
    address: to.publicKey(),
    memo: null,
    memoType: null,
    holder: null,
    assetCode: 'XLM',
    units: 3n * lumen,
  });

  function newcomer(): Keypair {
    const keypair = Keypair.random();
    network.openAccount(keypair, '10');
    return keypair;
  }

  async function send(signed: SignedTransaction | OutgoingTransaction): Promise<void> {
    await sender().broadcast({ ...signed, signedAt: now, block: null });
    network.close();
    await watched.observe();
  }

  async function replaced(stuck: OutgoingTransaction): Promise<SignedTransaction> {
    now = new Date(now.getTime() + 61_000);
    return (await sender().replace?.(stuck, watched.sendContext())) ?? assert.fail('it was not replaced');
  }

  /** Signed by whoever does not know what was signed before, some time later. */
  async function signAnew(transfer: Payout): Promise<SignedTransaction> {
    now = new Date(now.getTime() + 601_000);
    network.close();
    return sender().prepare([transfer], { ...watched.sendContext(), used: async () => [] });
  }

  test('at a fee that was forgotten it happened as the newest version that is known, and nothing is given back', async () => {
    const first = keep(await sender().prepare([transferTo(newcomer())], watched.sendContext()));
    const second = keep(await replaced(first), first.txHash);
    const forgotten = await replaced(second);
    network.ledger.demand(5_000n);
    await send(forgotten);
    assert.deepEqual(
      [first, second].map((each) => [updateOf(each)?.outcome, updateOf(each)?.fee.units]),
      [
        ['failed', 0n],
        ['included', 10_000n],
      ],
    );
  });

  test('what was signed anew after its time was over is not given up, so it is not paid once more', async () => {
    const transfer = transferTo(newcomer());
    const first = keep(await sender().prepare([transfer], watched.sendContext()));
    const forgotten = await signAnew(transfer);
    assert.equal(forgotten.uses[0], first.uses[0]);
    assert.notEqual(forgotten.trace['innerHash'], first.trace['innerHash']);
    await send(forgotten);
    assert.equal(updateOf(first), null, 'it is left for people to look at');
  });

  test('what was signed anew and failed has paid nobody', async () => {
    const to = newcomer();
    const transfer = transferTo(to);
    const first = keep(await sender().prepare([transfer], watched.sendContext()));
    const forgotten = await signAnew(transfer);
    network.ledger.entries.accounts.delete(to.publicKey());
    await send(forgotten);
    assert.equal(updateOf(first)?.outcome, 'expired');
  });
});
