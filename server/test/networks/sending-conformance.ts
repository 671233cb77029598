/** What every connector that sends must do: one suite, through the port only. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { senderOf } from '../../src/networks/outgoing-memory.ts';
import type { Destination, Payout } from '../../src/networks/port/sending.ts';
import type { ConformanceHarness } from './conformance-harness.ts';
import { createWatched, type Watched } from './watched-connector.ts';

/** A network under the test's control that also sends. */
export type SendingHarness = ConformanceHarness & {
  /** Puts enough money for a dozen ordinary payments where the connector can send it from, as the service would see it. */
  fund(watched: Watched): Promise<void>;
  /** Somebody else, new each time, and what has arrived there for good. */
  recipient(): Promise<{ readonly destination: Destination; received(): Promise<bigint> }>;
  /** Nobody's: misspelt, of another network, of the test network on the real one. */
  readonly badAddresses: readonly string[];
  /** Keeps what is broadcast from ever being included by itself, because its fee is too low; undone by `unstick`. */
  stick?(): Promise<void>;
  unstick?(): Promise<void>;
  /** Blocks after which a transaction counts as settled in the test. Left out: as many as make it final. */
  readonly settledAfterBlocks?: number;
  /** How much later a stuck transaction is looked at. */
  readonly stuckAfterMs?: number;
};

export function describeSending(name: string, startHarness: () => Promise<SendingHarness>): void {
  void describe(`${name}, sending`, { concurrency: 1 }, () => {
    let harness: SendingHarness;
    let watched: Watched;
    let nextId = 0;
    before(async () => {
      harness = await startHarness();
      watched = createWatched(harness.createConnector());
      await watched.observe();
      await harness.fund(watched);
      await keepHouse();
    });
    after(() => harness?.stop());

    const transferTo = (destination: Destination, units = harness.ordinaryUnits): Payout => ({
      ...destination,
      id: `transfer-${nextId++}`,
      assetCode: harness.assetCode,
      units,
    });

    const prepare = async (...transfers: Payout[]) =>
      watched.outgoing.keep(await senderOf(watched.connector).prepare(transfers, watched.sendContext()));

    async function settle(): Promise<void> {
      await harness.mine(harness.settledAfterBlocks ?? watched.connector.network.finalityDepth);
      await watched.observe();
    }

    async function keepHouse(): Promise<void> {
      const sender = senderOf(watched.connector);
      for (let step = 0; step < 50; step += 1) {
        const signed = (await sender.housekeeping?.(watched.sendContext())) ?? [];
        if (signed.length === 0) return;
        for (const transaction of signed.map((each) => watched.outgoing.keep(each)))
          await sender.broadcast(transaction);
        await settle();
      }
      assert.fail('housekeeping never ends');
    }

    const outcomeOf = (txHash: string) => watched.outgoing.transactions.get(txHash)?.update?.outcome;

    test('nothing leaves before it is broadcast, and then it arrives once, however often it is broadcast', async () => {
      const { destination, received } = await harness.recipient();
      const signed = await prepare(transferTo(destination));
      await settle();
      assert.equal(await received(), 0n);
      const sender = senderOf(watched.connector);
      await sender.broadcast(signed);
      await sender.broadcast(signed);
      await settle();
      await sender.broadcast(signed);
      await settle();
      assert.equal(await received(), harness.ordinaryUnits);
      assert.equal(outcomeOf(signed.txHash), 'included');
    });

    test('what is sent is said to be included with a block and what it cost', async () => {
      const { destination } = await harness.recipient();
      const fee = await senderOf(watched.connector).estimateFee(transferTo(destination), watched.sendContext());
      assert.ok(fee.units >= 0n);
      const signed = await prepare(transferTo(destination));
      await senderOf(watched.connector).broadcast(signed);
      await settle();
      const { update, fee: most } = watched.outgoing.transactions.get(signed.txHash) ?? {};
      assert.ok(update?.block);
      assert.ok(update.fee.units <= (most?.units ?? -1n), `${update.fee.units} is more than ${most?.units}`);
    });

    test('a restart between signing and broadcasting loses nothing', async () => {
      const { destination, received } = await harness.recipient();
      const signed = await prepare(transferTo(destination));
      watched.restart(harness.createConnector());
      await senderOf(watched.connector).broadcast(signed);
      await settle();
      assert.equal(await received(), harness.ordinaryUnits);
    });

    test('transactions signed one after the other use up different things, and all happen', async () => {
      const recipients = await Promise.all([harness.recipient(), harness.recipient(), harness.recipient()]);
      const signed = [];
      for (const { destination } of recipients) signed.push(await prepare(transferTo(destination)));
      for (const transaction of signed) await senderOf(watched.connector).broadcast(transaction);
      await settle();
      for (const { received } of recipients) assert.equal(await received(), harness.ordinaryUnits);
    });

    test('what we send is no payment to us', async () => {
      const strangers = [...watched.payments.values()].filter(
        ({ observation }) =>
          watched.outgoing.isOurs(observation.txHash) && !watched.changeKeys.has(observation.targetKey),
      );
      assert.deepEqual(strangers, []);
    });

    test('an address that nobody has is refused with a sentence', async () => {
      const { destination } = await harness.recipient();
      const { connector } = watched;
      assert.equal(connector.addressProblem?.(destination), null);
      for (const address of harness.badAddresses) {
        const problem = connector.addressProblem?.({ address, memo: null, memoType: null });
        assert.match(problem ?? 'no problem', /^[A-Z].*\.$/, address);
      }
    });

    test('a stuck transaction is replaced, and only one of the two happens', async () => {
      if (!harness.stick || !harness.unstick) return;
      const { destination, received } = await harness.recipient();
      await harness.stick();
      const stuck = await prepare(transferTo(destination));
      await senderOf(watched.connector).broadcast(stuck);
      await settle();
      assert.equal(await received(), 0n);
      const later = new Date(Date.now() + (harness.stuckAfterMs ?? 3_600_000));
      watched.outgoing.setClock(() => later);
      const replacement = await senderOf(watched.connector).replace?.(stuck, watched.sendContext());
      assert.ok(replacement, 'it was not replaced');
      const again = watched.outgoing.keep(replacement, stuck.txHash);
      await senderOf(watched.connector).broadcast(again);
      await harness.unstick();
      await settle();
      assert.equal(await received(), harness.ordinaryUnits);
      assert.equal([stuck, again].filter(({ txHash }) => outcomeOf(txHash) === 'included').length, 1);
    });
  });
}
