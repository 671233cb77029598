/**
 * What is searched in many questions is true of one chain only. When the node changes to another one meanwhile, nothing
 * of what was found is told: what is taken for unsent is paid again, and what is taken for sent is not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchOutpoints } from '@quittance/server/networks/families/utxo/arrival-fate';
import { cursorAtTip } from '@quittance/server/networks/families/utxo/follow-chain';
import { createOutgoingFollower } from '@quittance/server/networks/families/utxo/follow-outgoing';
import { createMempoolReader } from '@quittance/server/networks/families/utxo/read-mempool';
import { readWaiting } from '@quittance/server/networks/families/utxo/read-waiting';
import { type RpcTransaction, spentOutpoints } from '@quittance/server/networks/families/utxo/utxo-block';
import type { UtxoCursor } from '@quittance/server/networks/families/utxo/utxo-cursor';
import type { RpcCall, UtxoRpc } from '@quittance/server/networks/families/utxo/utxo-rpc';
import type { ObserveContext } from '@quittance/server/networks/port/receiving';
import { startSendingWallet } from './sending-wallet.ts';

const finalityDepth = 3;

type Wallet = Awaited<ReturnType<typeof startSendingWallet>>;

/** A node to which something happens after its answer to one question. */
function createChanging(rpc: UtxoRpc) {
  let happening: { isAfter(call: RpcCall): boolean; happen(): void } | null = null;
  function passed(calls: readonly RpcCall[]): void {
    if (happening === null || !calls.some(happening.isAfter)) return;
    happening.happen();
    happening = null;
  }
  const changing: UtxoRpc = {
    async call<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
      const result = await rpc.call<Result>(method, ...params);
      passed([{ method, params }]);
      return result;
    },
    async batch<Result>(calls: readonly RpcCall[]) {
      const results = await rpc.batch<Result>(calls);
      passed(calls);
      return results;
    },
  };
  return {
    changing,
    after(isAfter: (call: RpcCall) => boolean, happen: () => void): void {
      happening = { isAfter, happen };
    },
    hasHappened: () => happening === null,
  };
}

/** Of somebody who has read the chain as it is now to its end. */
async function cursorNow(rpc: UtxoRpc): Promise<UtxoCursor> {
  const hash = await rpc.call<string>('getbestblockhash');
  const { height } = await rpc.call<{ height: number }>('getblockheader', hash);
  return cursorAtTip(rpc, { hash, height }, finalityDepth);
}

/** Follows one transaction by what the node says. */
function followWith({ rpc, watched }: Wallet, txHash: string) {
  const { changing, after, hasHappened } = createChanging(rpc);
  const follower = createOutgoingFollower(changing, 'BTC', finalityDepth);
  return {
    after,
    hasHappened,
    async look() {
      const view = follower.follow([watched.outgoing.asOutgoing(txHash)], []);
      const updates = await view.updates(await cursorNow(rpc), new Set(await rpc.call<string[]>('getrawmempool')));
      return updates.map(({ outcome, block }) => [outcome, block?.hash]);
    },
  };
}

test('what a block took from the mempool while that was read has not vanished', async (t) => {
  const { chain, rpc, watched } = await startSendingWallet(t, []);
  const { address } = await watched.createOwnTarget(1);
  const txHash = chain.pay({ address, units: 100_000n });
  const transaction = await rpc.call<RpcTransaction>('getrawtransaction', txHash, true);
  const { changing, after, hasHappened } = createChanging(rpc);
  const mempool = createMempoolReader(changing, 'p2wpkh');
  const nobodyAsks = (): never => assert.fail('nothing else is asked');
  const context: ObserveContext = {
    knownTargets: async (keys) => new Set(keys.filter((key) => key === address)),
    unconfirmed: nobodyAsks,
    knownArrivals: nobodyAsks,
    arrivalsAt: nobodyAsks,
    waitingUnmatched: nobodyAsks,
    recentTargets: nobodyAsks,
    urgentTargets: nobodyAsks,
    outgoing: nobodyAsks,
    orders: nobodyAsks,
    toldBefore: nobodyAsks,
    declaredVoid: nobodyAsks,
    documents: nobodyAsks,
  };
  const undecided = [{ txHash, inputs: spentOutpoints(transaction) }];
  const look = async () => {
    const position = { undecided, watched: watchOutpoints(undecided), cursor: await cursorNow(rpc) };
    const { vanished, isSettled } = await readWaiting(changing, mempool, context, position);
    return { vanished, isSettled };
  };

  after(
    ({ method }) => method === 'getmempoolinfo',
    () => chain.mine(1),
  );
  assert.deepEqual(await look(), { vanished: [], isSettled: false });
  assert.ok(hasHappened());
  chain.reorganise(1, { keepTransactions: false });
  assert.deepEqual(await look(), { vanished: [{ txHash, replacedBy: null }], isSettled: true });
});

test('a block that was given up while a transaction was searched for has not included it', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const { destination } = await wallet.recipient();
  const payment = await wallet.keep(wallet.transferTo(destination, 100_000n));
  await wallet.sender().broadcast(payment);
  const [block] = wallet.chain.mine(1);

  const following = followWith(wallet, payment.txHash);
  following.after(
    ({ method, params }) => method === 'getblockheader' && params[0] === block,
    () => wallet.chain.reorganise(1, { keepTransactions: false }),
  );
  assert.deepEqual(await following.look(), []);
  assert.ok(following.hasHappened());
  await wallet.sender().broadcast(payment);
  const [other] = wallet.chain.mine(1);
  assert.deepEqual(await following.look(), [['included', other]]);
});

test('a transaction is not given up for a rival that lost its blocks while they were counted', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const { destination } = await wallet.recipient();
  const elsewhere = (await wallet.recipient()).destination;
  const rival = await wallet.prepare(wallet.transferTo(elsewhere, 100_000n));
  const payment = await wallet.keep(wallet.transferTo(destination, 100_000n));
  await wallet.rpc.call('sendrawtransaction', rival.raw);
  const tip = wallet.chain.mine(finalityDepth).at(-1);

  const following = followWith(wallet, payment.txHash);
  following.after(
    ({ method, params }) => method === 'getblock' && params[0] === tip && params[1] === 2,
    () => wallet.chain.reorganise(finalityDepth, { keepTransactions: false }),
  );
  assert.deepEqual(await following.look(), []);
  assert.ok(following.hasHappened());
  await wallet.sender().broadcast(payment);
  const [block] = wallet.chain.mine(1);
  assert.deepEqual(await following.look(), [['included', block]]);
});

test('a transaction is given up for a rival that is exactly deep enough, and not a block earlier', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const { destination } = await wallet.recipient();
  const elsewhere = (await wallet.recipient()).destination;
  const rival = await wallet.prepare(wallet.transferTo(elsewhere, 100_000n));
  const payment = await wallet.keep(wallet.transferTo(destination, 100_000n));
  await wallet.rpc.call('sendrawtransaction', rival.raw);
  for (const [blocks, told] of [
    [finalityDepth - 1, []],
    [1, [['expired', undefined]]],
  ] as const) {
    wallet.chain.mine(blocks);
    assert.deepEqual(await followWith(wallet, payment.txHash).look(), told);
  }
});
