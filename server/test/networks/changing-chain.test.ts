/**
 * What is searched in many questions is true of one chain only. When the node changes to another one meanwhile, nothing
 * of what was found is told: what is taken for unsent is paid again, and what is taken for sent is not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cursorAtTip } from '@quittance/server/networks/utxo/follow-chain';
import { createOutgoingFollower } from '@quittance/server/networks/utxo/follow-outgoing';
import type { RpcCall, UtxoRpc } from '@quittance/server/networks/utxo/utxo-rpc';
import { startSendingWallet } from './sending-wallet.ts';

const finalityDepth = 3;

type Wallet = Awaited<ReturnType<typeof startSendingWallet>>;

/** Follows one transaction by what the node says, and lets something happen after the answer to one question. */
function followWith({ rpc, watched }: Wallet, txHash: string) {
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
  const follower = createOutgoingFollower(changing, 'BTC', finalityDepth);
  return {
    after(isAfter: (call: RpcCall) => boolean, happen: () => void): void {
      happening = { isAfter, happen };
    },
    hasHappened: () => happening === null,
    /** What the chain as it is now tells, to somebody who has read it to its end. */
    async look() {
      const hash = await rpc.call<string>('getbestblockhash');
      const { height } = await rpc.call<{ height: number }>('getblockheader', hash);
      const cursor = await cursorAtTip(rpc, { hash, height }, finalityDepth);
      const view = follower.follow([watched.outgoing.asOutgoing(txHash)], []);
      const updates = await view.updates(cursor, new Set(await rpc.call<string[]>('getrawmempool')));
      return updates.map(({ outcome, block }) => [outcome, block?.hash]);
    },
  };
}

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
