/** What every connector must do whose network takes payments back, beside the conformance suite. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Connector } from '../../src/networks/port/connector.ts';
import type { Cursor, ObserveContext, Observed } from '../../src/networks/port/receiving.ts';

/** A network under the test's control, with a payment that has arrived. */
export type ReversalHarness = {
  /** A fresh connector on the same account: what a restart of the service makes. */
  createConnector(): Connector;
  readonly context: ObserveContext;
  /** Pays so much and gives the payment's name. */
  pay(units: bigint): Promise<{ readonly txHash: string; readonly index: string }>;
  takeBack(txHash: string, units: bigint): Promise<void>;
  /** The network takes a fee for itself. Left out: it tells of payments alone, and not of what lies there. */
  takeFee?(units: bigint): Promise<void>;
  /** Nothing happens for so long. */
  pass(days: number): void;
  stop?(): Promise<void>;
};

export function describeReversals(name: string, start: () => ReversalHarness | Promise<ReversalHarness>): void {
  /** What was told and stored. */
  const arrived = new Set<string>();

  async function startHarness(context: TestContext): Promise<ReversalHarness> {
    const harness = await start();
    context.after(() => harness.stop?.());
    const known = async (asked: readonly string[]) => new Set(asked.filter((each) => arrived.has(each)));
    return { ...harness, context: { ...harness.context, knownArrivals: known } };
  }

  /** Everything since the cursor, in as many answers as it takes. */
  async function readAll({ createConnector, context }: ReversalHarness, from: Cursor | null): Promise<Observed[]> {
    const answers: Observed[] = [];
    for (let cursor = from; answers.at(-1)?.isCaughtUp !== true; ) {
      assert.ok(answers.length < 100, 'it never catches up');
      const answer = await createConnector().observe(cursor, context);
      answers.push(answer);
      for (const { txHash, index } of answer.observations) arrived.add(`${txHash}:${index}`);
      cursor = JSON.parse(JSON.stringify(answer.cursor)) as Cursor;
    }
    return answers;
  }

  test(`${name}: what is taken back is told by its payment's name, each time under another name of its own`, async (context) => {
    const harness = await startHarness(context);
    const { txHash, index } = await harness.pay(1_000n);
    for (const units of [300n, 300n]) await harness.takeBack(txHash, units);
    const told = (await readAll(harness, null)).flatMap(({ reversals = [] }) => reversals);
    assert.deepEqual(
      told.map((each) => [each.txHash, each.index, each.units]),
      [300n, 300n].map((units) => [txHash, index, units]),
    );
    assert.equal(new Set(told.map(({ reversalId }) => reversalId)).size, 2);
  });

  test(`${name}: whoever asks again is told the same`, async (context) => {
    const harness = await startHarness(context);
    const { txHash } = await harness.pay(1_000n);
    await harness.takeBack(txHash, 1_000n);
    await harness.takeFee?.(5n);
    const parts = (answers: readonly Observed[]) => [
      answers.flatMap(({ reversals = [] }) => reversals),
      answers.flatMap(({ otherMovements = [] }) => otherMovements),
    ];
    const first = await readAll(harness, null);
    assert.deepEqual(parts(await readAll(harness, null)), parts(first));
    assert.deepEqual(parts(await readAll(harness, first.at(-1)?.cursor ?? null)), [[], []], 'and then nothing more');
  });

  test(`${name}: holdings are what came, less what was taken back and taken besides`, async (context) => {
    const harness = await startHarness(context);
    const { txHash } = await harness.pay(1_000n);
    await harness.takeBack(txHash, 400n);
    if (!harness.takeFee) {
      const { network, holdings } = harness.createConnector();
      assert.deepEqual([network.hidesHoldings, holdings], [true, undefined], 'and then nothing is compared with it');
      return;
    }
    await harness.takeFee(7n);
    const { tip, cursor } = (await readAll(harness, null)).at(-1) as Observed;
    const asked = { tip, cursor, highestIndex: 0, async *usedTargets() {} };
    const held = (await harness.createConnector().holdings?.(asked)) ?? [];
    assert.deepEqual(
      held.map(({ units }) => units),
      [593n],
    );
  });

  test(`${name}: positions only grow, none vanishes, and what is final stays so`, async (context) => {
    const harness = await startHarness(context);
    const heights: number[] = [];
    const finals: number[] = [];
    let cursor: Cursor | null = null;
    for (const days of [0, 1, 7, 200]) {
      harness.pass(days);
      const { txHash } = await harness.pay(100n);
      await harness.takeBack(txHash, 1n);
      for (const answer of await readAll(harness, cursor)) {
        assert.deepEqual(answer.vanishedBlocks, []);
        heights.push(answer.tip.height);
        finals.push(answer.finalHeight ?? -1);
        cursor = answer.cursor;
        assert.ok((answer.finalHeight ?? 0) <= answer.tip.height);
      }
    }
    assert.deepEqual(
      heights,
      heights.toSorted((a, b) => a - b),
    );
    assert.deepEqual(
      finals,
      finals.toSorted((a, b) => a - b),
    );
    assert.ok((finals.at(-1) ?? 0) > 0, 'in the end something is final');
  });
}
