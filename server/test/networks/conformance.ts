/**
 * What every connector must do, whatever its network: one suite, run through the port only, against a real node or
 * the sandbox's.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Connector, NetworkError } from '../../src/networks/port/connector.ts';
import type { DepositTarget } from '../../src/networks/port/receiving.ts';
import { isSample } from '../depth.ts';
import type { Capability, ConformanceHarness } from './conformance-harness.ts';
import { createWatched, type Watched } from './watched-connector.ts';

export type { Capability, ConformanceHarness, ConformancePayment } from './conformance-harness.ts';

/** More blocks than a connector may read in one go. */
const farBehindBlocks = 40;
/** More payments than look-ups are allowed; all of them fill more than a page of any node. */
const crowdedBlock = (): number => (isSample() ? 60 : 300);

export function describeConformance(
  name: string,
  startHarness: () => Promise<ConformanceHarness>,
  cannot: readonly Capability[] = [],
): void {
  void describe(name, { concurrency: 1 }, () => {
    let harness: ConformanceHarness;
    let nextIndex = 0;
    before(async () => {
      harness = await startHarness();
    });
    after(() => harness?.stop());

    const can = (capability: Capability) => !cannot.includes(capability);

    async function createTarget(
      connector: Connector,
      index = nextIndex++,
      units = harness.ordinaryUnits,
    ): Promise<DepositTarget> {
      return connector.createTarget({
        targetId: `target-${index}`,
        index,
        reference: `checkout${String(index).padStart(4, '0')}`,
        amount: { asset: harness.asset, units },
        assetCode: harness.assetCode,
        requestedAt: new Date(),
        expiresAt: new Date(Date.now() + 3_600_000),
      });
    }

    /** A target of its own for each test, watched from now on. */
    async function watchOne(units?: bigint): Promise<{ watched: Watched; target: DepositTarget }> {
      const watched = createWatched(harness.createConnector(), harness.documents);
      const target = await createTarget(watched.connector, nextIndex++, units);
      watched.targets.add(target.key);
      await watched.observe();
      return { watched, target };
    }

    /** The same target for another payment, or one more where a target is paid only once. */
    async function again(watched: Watched, target: DepositTarget): Promise<DepositTarget> {
      if (can('pay a target again')) return target;
      const other = await createTarget(watched.connector);
      watched.targets.add(other.key);
      return other;
    }

    const ordinary = (target: DepositTarget) => ({ target, units: harness.ordinaryUnits });

    test('a target is the same each time it is asked for, and unlike every other', async () => {
      const first = await createTarget(harness.createConnector(), 1_000);
      const again = await createTarget(harness.createConnector(), 1_000);
      const other = await createTarget(harness.createConnector(), 1_001);
      assert.deepEqual(again, first);
      assert.notEqual(other.key, first.key);
    });

    if (can('show unconfirmed transfers')) {
      test('a payment is seen before it is in a block', async () => {
        const { watched, target } = await watchOne();
        const txHash = await harness.pay(ordinary(target));
        await watched.observe();
        const [payment] = watched.paymentsTo(target);
        assert.equal(payment?.observation.txHash, txHash);
        assert.equal(payment?.observation.units, harness.ordinaryUnits);
        assert.equal(payment?.observation.assetCode, harness.assetCode);
        assert.equal(payment?.fate, 'waiting');
        await harness.mine(1);
      });
    }

    if (can('wait for blocks')) {
      test('a payment is reported with its block and grows confirmations', async () => {
        const { watched, target } = await watchOne();
        const txHash = await harness.pay(ordinary(target));
        await watched.observe();
        await harness.mine(1);
        await watched.observe();
        assert.deepEqual(watched.summary(target), [[txHash, harness.ordinaryUnits, 'in a block']]);
        assert.equal(watched.confirmations(target), 1);
        await harness.mine(3);
        await watched.observe();
        assert.equal(watched.confirmations(target), 4);
      });
    } else {
      test('a payment is final at once', async () => {
        const { watched, target } = await watchOne();
        const txHash = await harness.pay(ordinary(target));
        await watched.observe();
        assert.deepEqual(watched.summary(target), [[txHash, harness.ordinaryUnits, 'in a block']]);
        assert.ok(watched.confirmations(target) >= watched.connector.network.finalityDepth);
      });
    }

    test('a payment that was never seen waiting is found in its block', async () => {
      const { watched, target } = await watchOne();
      const txHash = await harness.pay(ordinary(target));
      await harness.mine(1);
      await watched.observe();
      assert.deepEqual(watched.summary(target), [[txHash, harness.ordinaryUnits, 'in a block']]);
    });

    test('what is paid to others is not reported', async () => {
      const { watched } = await watchOne();
      const stranger = await createTarget(watched.connector);
      await harness.pay(ordinary(stranger));
      await watched.observe();
      await harness.mine(1);
      await watched.observe();
      assert.equal(watched.payments.size, 0);
    });

    if (can('pay a target again')) {
      test('two payments to one target are two payments', async () => {
        const { watched, target } = await watchOne();
        const first = await harness.pay(ordinary(target));
        const second = await harness.pay({ target, units: harness.ordinaryUnits * 2n });
        await watched.observe();
        await harness.mine(1);
        await watched.observe();
        const expected = [
          [first, harness.ordinaryUnits, 'in a block'],
          [second, harness.ordinaryUnits * 2n, 'in a block'],
        ];
        assert.deepEqual(new Set(watched.summary(target)), new Set(expected));
      });
    }

    if (can('pay several targets at once')) {
      test('one transaction can pay two targets, and one target twice', async () => {
        const { watched, target } = await watchOne();
        const other = await createTarget(watched.connector);
        watched.targets.add(other.key);
        await harness.pay(ordinary(target), ordinary(other), { target, units: harness.ordinaryUnits * 3n });
        await watched.observe();
        await harness.mine(1);
        await watched.observe();
        const units = (paid: DepositTarget) => watched.summary(paid).map(([, paidUnits]) => paidUnits);
        assert.deepEqual(new Set(units(target)), new Set([harness.ordinaryUnits, harness.ordinaryUnits * 3n]));
        assert.deepEqual(units(other), [harness.ordinaryUnits]);
      });
    }

    test('the smallest payment that the network carries is reported to the unit', async () => {
      const { watched, target } = await watchOne(harness.smallestUnits);
      await harness.pay({ target, units: harness.smallestUnits });
      await harness.mine(1);
      await watched.observe();
      assert.deepEqual(
        watched.summary(target).map(([, units]) => units),
        [harness.smallestUnits],
      );
    });

    test('after a restart nothing is missed and nothing is new', async () => {
      const { watched, target } = await watchOne();
      const before = await harness.pay(ordinary(target));
      await watched.observe();
      const meanwhile = await harness.pay(ordinary(await again(watched, target)));
      await harness.mine(1);
      const late = await harness.pay(ordinary(await again(watched, target)));
      watched.restart(harness.createConnector());
      await watched.observe();
      await harness.mine(1);
      await watched.observe();
      const hashes = [...watched.payments.values()].map(({ observation, fate }) => [observation.txHash, fate]);
      assert.deepEqual(new Set(hashes), new Set([before, meanwhile, late].map((txHash) => [txHash, 'in a block'])));
    });

    test('asking twice with the same cursor gives the same answer, also when the first was lost', async () => {
      const { watched, target } = await watchOne();
      await harness.pay(ordinary(target));
      await harness.mine(1);
      if (can('show unconfirmed transfers')) await harness.pay(ordinary(target));
      const lost = await watched.ask();
      const again = await watched.ask();
      assert.deepEqual(again.observations, lost.observations);
      assert.deepEqual(again.cursor, lost.cursor);
      await watched.observe();
      assert.equal(watched.paymentsTo(target).length, can('show unconfirmed transfers') ? 2 : 1);
      await harness.mine(1);
    });

    test('what is stored and unchanged is not reported again', async () => {
      const { watched, target } = await watchOne();
      await harness.pay(ordinary(target));
      await watched.observe();
      const { observations, vanishedArrivals } = await watched.ask();
      assert.deepEqual([observations, vanishedArrivals], [[], []]);
      await harness.mine(1);
    });

    test('a cursor survives being stored as JSON', async () => {
      const { watched } = await watchOne();
      const { cursor } = await watched.ask();
      assert.deepEqual(JSON.parse(JSON.stringify(cursor)), cursor);
    });

    test('a watcher far behind catches up in steps', async () => {
      const { watched, target } = await watchOne();
      const early = await harness.pay(ordinary(target));
      await harness.mine(farBehindBlocks);
      const recent = await harness.pay(ordinary(await again(watched, target)));
      await harness.mine(1);
      const rounds = await watched.observe();
      assert.deepEqual(
        rounds.map(({ isCaughtUp }) => isCaughtUp),
        rounds.map((_, at) => at === rounds.length - 1),
      );
      assert.equal(rounds.at(-1)?.blocksBehind, 0);
      const hashes = [...watched.payments.values()].map(({ observation }) => observation.txHash);
      assert.deepEqual(new Set(hashes), new Set([early, recent]));
      if (!can('wait for blocks')) return;
      // Documents that announced a payment count as well.
      if (harness.documents) assert.ok(watched.confirmations(target) > farBehindBlocks);
      else assert.equal(watched.confirmations(target), farBehindBlocks + 1);
    });

    if (can('fill a block')) {
      test('every payment in a crowded block is found, with one look-up for the block', async () => {
        const { watched, target } = await watchOne();
        const payments = Array.from({ length: crowdedBlock() }, (_, at) => ({
          target,
          units: harness.ordinaryUnits + BigInt(at),
        }));
        await harness.payEach?.(payments);
        await harness.mine(1);
        await watched.observe();
        const lookUps = watched.lookUps;
        const paid = watched.summary(target).filter(([, , fate]) => fate === 'in a block');
        assert.deepEqual(new Set(paid.map(([, units]) => units)), new Set(payments.map(({ units }) => units)));
        assert.ok(lookUps < 20, `${lookUps} look-ups`);
      });
    }

    if (can('reorganise')) {
      test('a payment whose block is given up waits again, and is confirmed in another block', async () => {
        const { watched, target } = await watchOne();
        const txHash = await harness.pay(ordinary(target));
        await harness.mine(2);
        await watched.observe();
        const firstBlock = watched.paymentsTo(target)[0]?.observation.block?.hash;
        await harness.reorganise?.(2, { keepTransactions: true });
        const rounds = await watched.observe();
        assert.ok(rounds.flatMap(({ vanishedBlocks }) => vanishedBlocks).includes(firstBlock ?? ''));
        assert.deepEqual(watched.summary(target), [[txHash, harness.ordinaryUnits, 'waiting']]);
        await watched.observe();
        assert.deepEqual(watched.summary(target), [[txHash, harness.ordinaryUnits, 'waiting']]);
        await harness.mine(1);
        await watched.observe();
        assert.deepEqual(watched.summary(target), [[txHash, harness.ordinaryUnits, 'in a block']]);
        assert.notEqual(watched.paymentsTo(target)[0]?.observation.block?.hash, firstBlock);
        assert.equal(watched.confirmations(target), 1);
      });

      test('a reorganisation during a restart is noticed', async () => {
        const { watched, target } = await watchOne();
        await harness.pay(ordinary(target));
        await harness.mine(3);
        await watched.observe();
        watched.restart(harness.createConnector());
        await harness.reorganise?.(3, { keepTransactions: true });
        await harness.mine(1);
        await watched.observe();
        assert.equal(watched.confirmations(target), 1);
      });

      test('a payment that a reorganisation took away for good is gone', async () => {
        const { watched, target } = await watchOne();
        await harness.pay(ordinary(target));
        await harness.mine(1);
        await watched.observe();
        await harness.reorganise?.(1, { keepTransactions: false });
        await watched.observe();
        await watched.observe();
        assert.deepEqual(
          watched.summary(target).map(([, , fate]) => fate),
          ['dropped'],
        );
      });
    }

    if (can('replace')) {
      test('a payment replaced by one with a higher fee is followed to its replacement', async () => {
        const { watched, target } = await watchOne();
        const first = await harness.pay(ordinary(target));
        await watched.observe();
        const second = (await harness.replace?.(first, ordinary(target))) as string;
        await watched.observe();
        assert.equal(watched.fateOf(first), `replaced by ${second}`);
        assert.equal(watched.fateOf(second), 'waiting');
        await harness.mine(1);
        await watched.observe();
        assert.equal(watched.fateOf(second), 'in a block');
      });

      test('a payment that the payer redirects to himself is replaced, though nothing of ours is in the other', async () => {
        const { watched, target } = await watchOne();
        const stranger = await createTarget(watched.connector);
        const first = await harness.pay(ordinary(target));
        await watched.observe();
        const second = (await harness.replace?.(first, ordinary(stranger))) as string;
        await harness.mine(1);
        await watched.observe();
        assert.equal(watched.fateOf(first), `replaced by ${second}`);
      });

      if (can('reorganise')) {
        test('a confirmed payment that a reorganisation lets the payer spend elsewhere is replaced', async () => {
          const { watched, target } = await watchOne();
          const stranger = await createTarget(watched.connector);
          const first = await harness.pay(ordinary(target));
          await harness.mine(1);
          await watched.observe();
          await harness.reorganise?.(1, { keepTransactions: true });
          const second = (await harness.replace?.(first, ordinary(stranger))) as string;
          await harness.mine(1);
          await watched.observe();
          await watched.observe();
          assert.equal(watched.fateOf(first), `replaced by ${second}`);
        });

        test('a double spend that still waits after a reorganisation is named too', async () => {
          const { watched, target } = await watchOne();
          const stranger = await createTarget(watched.connector);
          const first = await harness.pay(ordinary(target));
          await harness.mine(1);
          await watched.observe();
          await harness.reorganise?.(1, { keepTransactions: true });
          const second = (await harness.replace?.(first, ordinary(stranger))) as string;
          await watched.observe();
          await watched.observe();
          assert.equal(watched.fateOf(first), `replaced by ${second}`);
          await harness.mine(1);
        });
      }
    }

    if (can('drop')) {
      test('a payment that the network forgets is dropped', async () => {
        const { watched, target } = await watchOne();
        const txHash = await harness.pay(ordinary(target));
        await watched.observe();
        await harness.drop?.(txHash);
        await watched.observe();
        assert.equal(watched.fateOf(txHash), 'dropped');
      });
    }

    if (can('lose its node')) {
      test('while the node is away the connector says so, and afterwards nothing was missed', async () => {
        const { watched, target } = await watchOne();
        const before = await harness.pay(ordinary(target));
        await watched.observe();
        await harness.stopNode?.();
        await assert.rejects(watched.ask(), (error) => error instanceof NetworkError && error.isRetryable);
        await harness.startNode?.();
        const afterwards = await harness.pay(ordinary(await again(watched, target)));
        await watched.observe();
        await harness.mine(1);
        await watched.observe();
        assert.deepEqual(
          [before, afterwards].map((txHash) => watched.fateOf(txHash)),
          ['in a block', 'in a block'],
        );
      });
    }
  });
}
