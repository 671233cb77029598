/**
 * Whatever happens between signing and the end, and in whatever order: no transfer happens twice, and we know in which
 * transaction and block each happens. Blocks vanish, nodes forget, fees are raised, we restart and lose answers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RpcBlock } from '@quittance/server/networks/families/utxo/utxo-block';
import { unitsOf } from '@quittance/server/networks/families/utxo/utxo-block';
import { NetworkError } from '@quittance/server/networks/port/connector';
import { NotEnoughFunds, type OutgoingTransaction } from '@quittance/server/networks/port/sending';
import fc from 'fast-check';
import { startSendingWallet } from './sending-wallet.ts';

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      count: fc.integer({ min: 1, max: 3 }),
      isHeld: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('broadcast' as const), which: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('replace' as const), which: fc.nat(9), isHeld: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('mine' as const), count: fc.constantFrom(1, 1, 2, 20) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('reorganise' as const),
      depth: fc.constantFrom(1, 1, 2, 4),
      keepTransactions: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), which: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('observe' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ask and lose the answer' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

type Wallet = Awaited<ReturnType<typeof startSendingWallet>>;

/** Every payment to a stranger on the chain: the amount, which is different for each transfer, and where it is. */
async function paymentsOnChain({ rpc }: Wallet, amounts: ReadonlySet<bigint>) {
  const found: { units: bigint; txHash: string; block: string }[] = [];
  const last = await rpc.call<number>('getblockcount');
  const heights = Array.from({ length: last - 118 }, (_, at) => 119 + at);
  const hashes = await rpc.batch<string>(heights.map((height) => ({ method: 'getblockhash', params: [height] })));
  const blocks = await rpc.batch<RpcBlock>(hashes.map((hash) => ({ method: 'getblock', params: [hash, 2] })));
  for (const block of blocks as RpcBlock[]) {
    for (const { txid, vout } of block.tx) {
      for (const units of vout.map(({ value = 0 }) => unitsOf(value))) {
        if (amounts.has(units)) found.push({ units, txHash: txid, block: block.hash });
      }
    }
  }
  return found;
}

async function play(wallet: Wallet, steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) {
  const { chain, watched, sender } = wallet;
  const unitsById = new Map<string, bigint>();
  const idsByHash = new Map<string, readonly string[]>();
  const latest = new Map<string, OutgoingTransaction>(); // by the transaction that it began with
  let units = 10_001n;
  let minutes = 0;

  /** What has no effect now is tried again later. */
  const tryTo = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      if (!(error instanceof NetworkError || error instanceof NotEnoughFunds)) throw error;
    });
  async function send(count: number, isHeld: boolean) {
    const people = await Promise.all(Array.from({ length: count }, () => wallet.recipient()));
    const transfers = people.map(({ destination }) => wallet.transferTo(destination, units++));
    const signed = await wallet.prepare(...transfers);
    for (const { id, units: amount } of transfers) {
      if (signed.payoutIds.includes(id)) unitsById.set(id, amount);
    }
    idsByHash.set(signed.txHash, signed.payoutIds);
    const kept = watched.outgoing.keep(signed);
    latest.set(kept.txHash, kept);
    if (!isHeld) await sender().broadcast(kept);
  }
  async function replace(which: number, isHeld: boolean) {
    const open = [...latest.entries()].filter(([, { txHash }]) => !wallet.updateOf(txHash));
    const [first, current] = open[which % Math.max(1, open.length)] ?? [];
    if (first === undefined || current === undefined) return;
    minutes += 31;
    const now = new Date(Date.now() + minutes * 60_000);
    watched.outgoing.setClock(() => now);
    const signed = await sender().replace?.(watched.outgoing.asOutgoing(current.txHash), watched.sendContext());
    if (!signed) return;
    idsByHash.set(signed.txHash, signed.payoutIds);
    const kept = watched.outgoing.keep(signed, current.txHash);
    latest.set(first, kept);
    if (!isHeld) await sender().broadcast(kept);
  }

  for (const next of steps) {
    if (next.do === 'send') await tryTo(send(next.count, next.isHeld));
    else if (next.do === 'replace') await tryTo(replace(next.which, next.isHeld));
    else if (next.do === 'mine') chain.mine(next.count);
    else if (next.do === 'reorganise') chain.reorganise(next.depth, next);
    else if (next.do === 'observe') await watched.observe();
    else if (next.do === 'ask and lose the answer') await watched.ask();
    else if (next.do === 'restart') wallet.restart();
    else {
      const kept = [...watched.outgoing.transactions.keys()];
      const txHash = kept[next.which % Math.max(1, kept.length)];
      if (txHash === undefined) continue;
      if (next.do === 'drop') chain.drop(txHash);
      else await tryTo(sender().broadcast(watched.outgoing.asOutgoing(txHash)));
    }
  }
  return { unitsById, idsByHash };
}

/** What the service does with whatever is open: broadcast it, in the order in which it was signed, and look. */
async function settle({ watched, sender, chain }: Wallet): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    for (const transaction of watched.outgoing.open())
      await sender()
        .broadcast(transaction)
        .catch(() => undefined);
    chain.mine(40);
    await watched.observe();
  }
}

test('after any history, the transfers that happened are those we say, where we say, and none twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const undo: (() => unknown)[] = [];
      try {
        const coins = [500_000n, 40_000n, 30_000n, 200_000n, 15_000n];
        const wallet = await startSendingWallet({ after: (fn) => void undo.push(fn as () => unknown) }, coins);
        await wallet.mineAndObserve(5);
        const { unitsById, idsByHash } = await play(wallet, steps);
        await settle(wallet);

        const onChain = await paymentsOnChain(wallet, new Set(unitsById.values()));
        const included = [...wallet.watched.outgoing.transactions.values()].filter(
          ({ update }) => update?.outcome === 'included',
        );
        const known = included.flatMap(({ txHash, update }) =>
          (idsByHash.get(txHash) ?? []).map((id) => ({
            units: unitsById.get(id) ?? 0n,
            txHash,
            block: update?.block?.hash ?? '',
          })),
        );
        const inOrder = (payments: typeof known) => payments.toSorted((a, b) => Number(a.units - b.units));
        assert.deepEqual(inOrder(known), inOrder(onChain));
        const once = new Set(known.map((payment) => payment.units));
        assert.equal(once.size, known.length, 'a transfer has happened twice');
      } finally {
        for (const work of undo) await work();
      }
    }),
    { numRuns: 12 },
  );
});
