/**
 * What every connector must do that is sent from by files which a person hands over: one suite, through the port only. The
 * twin of `sending-conformance` for networks that sign nothing.
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Connector } from '../../src/networks/port/connector.ts';
import { isFiling, type OrderFate, type OrderFiles } from '../../src/networks/port/orders.ts';
import type { ObserveContext } from '../../src/networks/port/receiving.ts';
import type { Destination, Payout, SignedTransaction } from '../../src/networks/port/sending.ts';
import { createWatched, type Watched } from './watched-connector.ts';

/** A bank under the test's control, to which files are handed over. */
export type FilingHarness = {
  readonly assetCode: string;
  readonly ordinaryUnits: bigint;
  createConnector(): Connector;
  readonly documents: ObserveContext['documents'];
  now(): Date;
  /** Somebody who can be paid. */
  readonly payee: Destination;
  /** Misspelt, our own, of nobody. */
  readonly nobody: readonly Pick<Destination, 'address' | 'holder'>[];
  /** Puts so much there, and tells of it. */
  fund(units: bigint): Promise<void>;
  /** Gives the file to the bank; false: it does not take it. Signed, it is carried out. */
  handOver(bytes: Uint8Array, options?: { readonly isSigned?: boolean }): boolean;
  sign(bytes: Uint8Array): void;
  /** One payment of a file that is not signed yet, by the name that the connector gave it. */
  reject(order: string): void;
  /** One that was made comes back, less what a bank on the way keeps. */
  giveBack(order: string, options?: { readonly fee?: bigint }): void;
  /** The bank says what became of a file. */
  answer(bytes: Uint8Array): Promise<void>;
  /** So many days pass, and the bank tells of each. */
  mine(days: number): Promise<void>;
  /** What the bank says lies there. */
  balance(): bigint;
};

/** After so many days nothing comes back any more, on any network: two weeks, and what holidays there are. */
const safeDays = 25;

export function describeFiling(name: string, startHarness: () => FilingHarness): void {
  void describe(`${name}, sending by files`, { concurrency: 1 }, () => {
    let harness: FilingHarness;
    let watched: Watched;
    let files = 0;
    let payouts = 0;
    beforeEach(async () => {
      harness = startHarness();
      watched = createWatched(harness.createConnector(), harness.documents);
      await harness.fund(harness.ordinaryUnits * 100n);
      await watched.observe();
    });

    const filesOf = (connector = watched.connector): OrderFiles => {
      const { sender } = connector;
      assert.ok(sender && isFiling(sender));
      return sender.files;
    };
    const payout = (units = harness.ordinaryUnits): Payout => ({
      ...harness.payee,
      id: `payout${String((payouts += 1)).padStart(6, '0')}`,
      assetCode: harness.assetCode,
      units,
    });
    const newFile = (): string => `file${String((files += 1)).padStart(8, '0')}`;

    type Made = { readonly id: string; readonly bytes: Uint8Array; readonly orders: readonly SignedTransaction[] };
    /** As the service does it: what is in the file is stored before anybody has it. */
    function make(...wanted: readonly Payout[]): Made {
      for (const each of wanted) assert.equal(filesOf().problem(each), null);
      const id = newFile();
      const { bytes, orders } = filesOf().write({ id, createdAt: harness.now(), payouts: wanted });
      watched.outgoing.setClock(harness.now);
      for (const order of orders) watched.outgoing.keep(order);
      return { id, bytes, orders };
    }
    const nameOf = ({ orders }: Made, place = 0): string => orders[place]?.txHash ?? '';
    const fatesOf = (...made: readonly Made[]): OrderFate[] =>
      watched.outgoing.orders({ hashes: [], fileIds: made.map(({ id }) => id) }).map(({ fate }) => fate);

    /** The bank tells of today, and the service hears of it. */
    async function tell(days = 1) {
      await harness.mine(days);
      const rounds = await watched.observe();
      return {
        rounds,
        comebacks: rounds.flatMap((round) => round.comebacks ?? []),
        strange: rounds.flatMap(({ observations, unmatched = [], otherMovements = [] }) => [
          ...observations,
          ...unmatched,
          ...otherMovements.filter(({ kind }) => kind !== 'FEE'),
        ]),
      };
    }

    test('a file that is not handed over sends nothing; handed over twice it is paid once', async () => {
      const before = harness.balance();
      const made = make(payout());
      await tell();
      assert.deepEqual([fatesOf(made), harness.balance()], [['open'], before]);
      assert.equal(harness.handOver(made.bytes), true);
      assert.equal(harness.handOver(made.bytes), false, 'the bank knows it by its name');
      await harness.answer(made.bytes);
      const { strange } = await tell();
      assert.deepEqual(
        [fatesOf(made), strange],
        [['booked'], []],
        'and what it says of the second time decides nothing',
      );
      const left = before - harness.balance();
      assert.ok(left >= harness.ordinaryUnits && left < harness.ordinaryUnits * 2n, `${left} left`);
    });

    test('the same request gives the same bytes, and every payment has a name of its own that says in which file it is', () => {
      const wanted = [payout(), payout()];
      const made = make(...wanted);
      const request = { id: made.id, createdAt: harness.now(), payouts: wanted };
      const again = filesOf(harness.createConnector()).write(request);
      assert.deepEqual([again.bytes, again.orders], [made.bytes, made.orders]);
      const other = filesOf().write({ ...request, id: newFile() });
      const names = [...made.orders, ...other.orders].map(({ txHash }) => txHash);
      assert.equal(new Set(names).size, 4);
      assert.deepEqual(
        made.orders.map(({ payoutIds, trace }) => [payoutIds, trace['file'], trace['payout']]),
        wanted.map(({ id }) => [[id], made.id, id]),
      );
      assert.deepEqual(
        JSON.parse(JSON.stringify(made.orders.map(({ trace }) => trace))),
        made.orders.map((each) => each.trace),
      );
    });

    test('what is booked is said so with a block, may come back for some time, and is done then', async () => {
      const made = make(payout());
      assert.ok(harness.handOver(made.bytes));
      const { rounds } = await tell();
      const [update, ...others] = rounds.flatMap(({ sent = [] }) => sent);
      assert.deepEqual([update?.txHash, update?.outcome, others], [nameOf(made), 'included', []]);
      assert.ok(update?.block);
      assert.deepEqual(fatesOf(made), ['booked']);
      await tell(2);
      assert.deepEqual(fatesOf(made), ['booked'], 'not the next day');
      await tell(safeDays);
      assert.deepEqual(fatesOf(made), ['done']);
    });

    test('a restart between making and booking loses nothing, and asking again is told the same', async () => {
      const made = make(payout(), payout());
      assert.ok(harness.handOver(made.bytes));
      watched.restart(harness.createConnector());
      await harness.mine(1);
      const lost = await watched.ask();
      const again = await watched.ask();
      assert.deepEqual([again.sent, again.otherMovements], [lost.sent, lost.otherMovements]);
      await watched.observe();
      assert.deepEqual(fatesOf(made), ['booked', 'booked']);
      const { rounds } = await tell();
      assert.deepEqual(
        rounds.flatMap(({ sent = [] }) => sent),
        [],
        'and then nothing more',
      );
    });

    test('payments of several files have each their own fate, whenever their files are handed over', async () => {
      const [first, second, third] = [make(payout(), payout()), make(payout()), make(payout())];
      assert.ok(harness.handOver(second.bytes));
      await tell();
      assert.ok(harness.handOver(first.bytes));
      const { strange } = await tell();
      assert.deepEqual(fatesOf(first, second, third), ['booked', 'booked', 'booked', 'open']);
      assert.deepEqual(strange, []);
    });

    test('what the bank refuses has failed, for a reason, and only that', async () => {
      const made = make(payout(), payout());
      assert.ok(harness.handOver(made.bytes, { isSigned: false }));
      harness.reject(nameOf(made));
      harness.sign(made.bytes);
      await harness.answer(made.bytes);
      const rounds = await watched.observe();
      const [update, ...others] = rounds.flatMap(({ sent = [] }) => sent);
      assert.deepEqual([update?.txHash, update?.outcome, update?.block, others], [nameOf(made), 'failed', null, []]);
      assert.match(update?.reason ?? '', /^The bank refused it: \w/);
      const { strange } = await tell();
      assert.deepEqual([fatesOf(made), strange], [['failed', 'booked'], []]);
    });

    test('what comes back before it is done has failed; later, or in part, it is told as what came back', async () => {
      const made = make(payout(), payout(), payout());
      assert.ok(harness.handOver(made.bytes));
      await tell();
      harness.giveBack(nameOf(made));
      harness.giveBack(nameOf(made, 1), { fee: harness.ordinaryUnits / 10n });
      const soon = await tell();
      assert.deepEqual(fatesOf(made), ['failed', 'booked', 'booked']);
      await tell(safeDays);
      assert.deepEqual(fatesOf(made), ['failed', 'done', 'done']);
      harness.giveBack(nameOf(made, 2));
      const late = await tell();
      assert.deepEqual(
        [...soon.comebacks, ...late.comebacks].map(({ txHash, units }) => [txHash, units]),
        [
          [nameOf(made, 1), harness.ordinaryUnits - harness.ordinaryUnits / 10n],
          [nameOf(made, 2), harness.ordinaryUnits],
        ],
      );
      assert.deepEqual([...soon.strange, ...late.strange], [], 'and nobody else has paid it');
      assert.deepEqual(fatesOf(made), ['failed', 'done', 'done']);
    });

    test('what was declared void is free when the bank has told of the days on which it could be booked', async () => {
      const [kept, signed] = [make(payout()), make(payout())];
      for (const { id } of [kept, signed]) watched.outgoing.declareVoid(id, harness.now());
      assert.ok(harness.handOver(signed.bytes), 'somebody signed it all the same');
      await tell();
      assert.deepEqual(fatesOf(kept, signed), ['open', 'booked'], 'today says nothing about tomorrow');
      await tell(2); // It is Friday then.
      assert.deepEqual(fatesOf(kept, signed), ['void', 'booked']);
      assert.ok(harness.handOver(kept.bytes), 'a file that was lost is found and signed');
      const { strange } = await tell();
      assert.equal(strange.length, 1, 'it left, and nothing here explains it: a person must');
      const about = strange.flatMap((each) => ('about' in each ? (each.about ?? []) : []));
      assert.deepEqual(about, [kept.orders[0]?.payoutIds[0]]);
    });

    test('what left, what came back and what it cost come to what the bank says lies there', async () => {
      const made = make(payout(), payout(7n));
      const before = harness.balance();
      assert.ok(harness.handOver(made.bytes));
      const first = await tell();
      harness.giveBack(nameOf(made), { fee: 1n });
      const second = await tell();
      const cursor = second.rounds.at(-1)?.cursor ?? {};
      const asked = { tip: { hash: '', height: 0 }, cursor, highestIndex: 0, async *usedTargets() {} };
      const held = (await watched.connector.holdings?.(asked)) ?? [];
      assert.deepEqual(held, [{ assetCode: harness.assetCode, units: harness.balance() }]);
      const fees = [...first.rounds, ...second.rounds].flatMap(({ otherMovements = [] }) => otherMovements);
      const cost = fees.reduce((sum, { units }) => sum + units, 0n);
      const back = second.comebacks.reduce((sum, { units }) => sum + units, 0n);
      assert.equal(before - harness.ordinaryUnits - 7n + cost + back, harness.balance());
    });

    test('whoever cannot be paid is refused with a sentence, before there is a file', () => {
      const { connector } = watched;
      assert.equal(connector.addressProblem?.({ ...harness.payee }), null);
      for (const { address, holder } of harness.nobody) {
        const destination = { address, memo: null, memoType: null, holder };
        const problem =
          connector.addressProblem?.(destination) ?? filesOf().problem({ ...payout(), ...destination })?.sentence;
        assert.match(problem ?? 'no problem', /^[A-Z].*\.$/, address);
      }
      for (const wrong of [{ units: 0n }, { units: -1n }, { holder: null }])
        assert.match(filesOf().problem({ ...payout(), ...wrong })?.sentence ?? 'no problem', /^[A-Z].*\.$/);
    });
  });
}
