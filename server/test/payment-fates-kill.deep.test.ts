/**
 * Death at any point while a bank tells what became of payments of ours: that they were booked, refused or came back, that one was
 * given up, and that a refund has gone (see die-everywhere). What differs between SEPA and SWIFT is told of both.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { refusePayment } from '../src/bank-files/refuse-payment.ts';
import { voidPaymentFile } from '../src/bank-files/void-payment-file.ts';
import { present } from '../src/lib/assert.ts';
import { assertHappenedOnce, dieEverywhere, type Step, watchAll, workAll } from './die-everywhere.ts';
import { type Hands, openPaymentWorld, type PaymentWorld } from './payment-file-world.ts';
import type { Sender } from './transfer-story.ts';

/** After so many days nothing comes back any more, by SWIFT and across every holiday. */
const safeDays = 21;

void describe('SEPA', () => tellStories('SEPA'));
void describe('SWIFT', () => tellStories('SWIFT'));

function tellStories(network: 'SEPA' | 'SWIFT'): void {
  let world: PaymentWorld;
  let shop: Sender & { readonly checkoutId: string };
  before(async () => {
    world = await openPaymentWorld({ network });
    shop = await world.paidShop(500_000n);
  });
  after(() => world.stop());

  /** A transfer in a file that the bank has carried out, and nobody here has heard of it. */
  async function handedOver() {
    await world.untilBanksWork();
    const id = await world.pay(shop, '10');
    const bytes = await world.download(await world.make());
    assert.ok(world.bank.takeFile(bytes).isTaken);
    const orderId = present(/<EndToEndId>([^<]+)</.exec(bytes.toString())?.[1], 'the name of the payment');
    return { id, orderId };
  }

  async function settle(): Promise<void> {
    world.gateway.clock.advance({ minutes: 2 }); // What a dead worker was doing is begun again.
    await world.gateway.runUntilIdle();
  }

  /** What the bank tells next, read by the process that dies and by whoever goes on. */
  type Told = { readonly id: string; readonly files: readonly Uint8Array[] };
  const reads: readonly Step<Told>[] = [(_, { files }, process) => world.importBy(process, files), watchAll, workAll];
  const bringAgain = async ({ files }: Told): Promise<void> => {
    await world.importBy(world.gateway, files);
    await settle();
  };

  const isPaid = async (id: string): Promise<void> => {
    assert.equal(await world.payoutState(id), 'SIGNED');
    await world.later(safeDays);
    await world.bringStatement();
    assert.equal((await shop.transfer(id)).state, 'COMPLETED');
  };
  const sentOnce = (id: string): Promise<void> =>
    assertHappenedOnce(world.gateway, id, {
      entries: ['transfer_reserved', 'transfer_sent'],
      events: ['TRANSFER_COMPLETED'],
    });
  const failedOnce = async (id: string): Promise<void> => {
    assert.equal((await shop.transfer(id)).state, 'FAILED');
    await assertHappenedOnce(world.gateway, id, {
      entries: ['transfer_reserved', 'transfer_released'],
      events: ['TRANSFER_FAILED'],
    });
  };
  /** By the bank, of which payments of ours it made. */
  const madeBy = (id: string): string[] =>
    [...world.bank.ledger.orders.values()]
      .filter(({ endToEndId }) => endToEndId.startsWith(id.toUpperCase()))
      .map(({ units, status }) => `${units} ${status}`);

  test('what a statement books is booked once, and done once', () =>
    dieEverywhere(
      world.gateway,
      {
        async begin() {
          const { id } = await handedOver();
          return { id, files: world.statement() };
        },
        live: reads,
        async end(told) {
          await bringAgain(told);
          await isPaid(told.id);
          await sentOnce(told.id);
        },
      },
      { atLeast: 4 },
    ));

  type Refund = {
    readonly id: string;
    /** How many events its checkout had before. */
    readonly before: number;
    file: string | null;
    readonly told: (readonly Uint8Array[])[];
  };
  /** The bank writes a statement whenever somebody asks for one; who goes on brings all that were written. */
  async function tell(process: Hands, { told }: Refund): Promise<void> {
    told.push(world.statement());
    for (const files of told) await world.importBy(process, files);
  }
  const eventsOf = (id: string) =>
    world.gateway.db<{ type: string }>`select type from event where subject = ${id} order by sequence`;
  const file = async (process: Hands, refund: Refund): Promise<void> => {
    refund.file = await world.fileBy(process);
  };

  test('a refund goes back to its payer once: made, handed over, booked and done', () =>
    dieEverywhere(
      world.gateway,
      {
        async begin(): Promise<Refund> {
          await world.untilBanksWork();
          const before = (await eventsOf(shop.checkoutId)).length;
          const { refund } = await shop.post('/refund', { checkoutId: shop.checkoutId, amount: '10' });
          await world.gateway.runUntilIdle();
          return { id: refund.id, before, file: null, told: [] };
        },
        live: [
          (_, refund, process) => file(process, refund),
          (_, refund, process) => world.handOverBy(process, refund.file ?? ''),
          (_, refund, process) => tell(process, refund),
          watchAll,
          workAll,
          () => world.gateway.clock.advance({ hours: 24 * safeDays }),
          (_, refund, process) => tell(process, refund),
          watchAll,
          workAll,
        ],
        async end(refund) {
          const { id, before } = refund;
          await settle();
          const [made] = await world.gateway.db<{ file: string }>`
            select trace ->> 'file' as file from outgoing_transaction where trace ->> 'payout' = ${id}`;
          refund.file = made?.file ?? (await world.fileBy(world.gateway));
          await world.untilBanksWork();
          if (madeBy(id).length === 0) await world.handOverBy(world.gateway, refund.file, true);
          await tell(world.gateway, refund);
          await world.later(safeDays);
          await world.bringStatement();
          await settle();
          assert.equal((await shop.get(`/refund?id=${id}`)).refund.state, 'COMPLETED');
          assert.deepEqual(madeBy(id), ['1000 ACSC']);
          await assertHappenedOnce(world.gateway, id, { entries: ['refund_held', 'refund_sent'], events: [] });
          assert.deepEqual((await eventsOf(shop.checkoutId)).slice(before), [{ type: 'REFUND_PARTIAL' }]);
        },
      },
      { atLeast: 16 },
    ));

  if (network === 'SWIFT') return; // What follows is the same code, and the same words of a bank.

  test('what can no longer come back is done once', () =>
    dieEverywhere(
      world.gateway,
      {
        async begin() {
          const { id } = await handedOver();
          await world.bringStatement();
          world.gateway.clock.advance({ hours: 24 * safeDays });
          return { id, files: world.statement() };
        },
        live: reads,
        async end(told) {
          await bringAgain(told);
          assert.equal((await shop.transfer(told.id)).state, 'COMPLETED');
          await sentOnce(told.id);
        },
      },
      { atLeast: 8 },
    ));

  test('what comes back after it was done is the merchant’s again, once', () =>
    dieEverywhere(
      world.gateway,
      {
        async begin() {
          const before = await shop.balances();
          const { id, orderId } = await handedOver();
          await world.bringStatement();
          await isPaid(id);
          await world.untilBanksWork();
          world.bank.giveBack(orderId);
          return { id, files: world.statement(), before };
        },
        live: reads,
        async end(told) {
          await bringAgain(told);
          const { state, cameBack } = await shop.transfer(told.id);
          assert.deepEqual([state, cameBack], ['FAILED', '10']);
          assert.deepEqual(await shop.balances(), told.before);
          await assertHappenedOnce(world.gateway, told.id, {
            entries: ['transfer_reserved', 'transfer_sent', 'transfer_came_back'],
            events: ['TRANSFER_COMPLETED', 'TRANSFER_FAILED'],
          });
        },
      },
      { atLeast: 8 },
    ));

  test('what the bank refuses in its answer is the merchant’s again, once, and the rest is paid', () =>
    dieEverywhere(
      world.gateway,
      {
        async begin() {
          await world.untilBanksWork();
          const [id, paid] = [await world.pay(shop, '3'), await world.pay(shop, '4')];
          const bytes = await world.download(await world.make());
          const { messageId } = world.bank.takeFile(bytes, { isSigned: false });
          const name = new RegExp(`<EndToEndId>(${id.toUpperCase()}-[A-Z0-9]+)<`).exec(bytes.toString())?.[1];
          world.bank.reject(name ?? '', 'AC04');
          world.bank.sign(messageId ?? '');
          return { id, paid, files: [world.bank.report(messageId ?? ''), ...world.statement()] };
        },
        live: reads,
        async end(told) {
          await bringAgain(told);
          await failedOnce(told.id);
          await isPaid(told.paid);
          assert.deepEqual([madeBy(told.id), madeBy(told.paid)], [['300 RJCT'], ['400 ACSC']]);
        },
      },
      { atLeast: 8 },
    ));

  const refuse = ({ db, clock }: Hands, payoutId: string) =>
    refusePayment({ clock }, { payoutId, why: 'The bank knows no such account.', actor: 'operator', begin: db.begin });

  test('what a person refuses is the merchant’s again, once', () =>
    dieEverywhere(
      world.gateway,
      {
        begin: () => world.pay(shop, '5'),
        live: [(_, payoutId, process) => refuse(process, payoutId), workAll],
        async end(payoutId) {
          await refuse(world.gateway, payoutId).catch((error: Error) => assert.match(error.message, /waits no longer/));
          await settle();
          await failedOnce(payoutId);
        },
      },
      { atLeast: 4 },
    ));

  const giveUp = ({ db, clock }: Hands, id: string) =>
    voidPaymentFile({ clock }, { id, isDeclared: true, actor: 'operator', begin: db.begin });

  test('what was declared void waits for another file when statements show nothing, and is paid once', () =>
    dieEverywhere(
      world.gateway,
      {
        async begin() {
          const id = await world.pay(shop, '6');
          const lost = await world.make();
          await world.download(lost);
          return { id, lost, files: [] as (readonly Uint8Array[])[] };
        },
        live: [
          (_, { lost }, process) => giveUp(process, lost),
          () => world.gateway.clock.advance({ hours: 24 * 7 }),
          (_, { files }, process) => {
            files.push(world.statement());
            return world.importBy(process, files.flat());
          },
          watchAll,
          workAll,
        ],
        async end({ id, lost, files }) {
          await giveUp(world.gateway, lost).catch((error: Error) => assert.match(error.message, /is void|decided/));
          await world.importBy(world.gateway, files.flat());
          await world.later(7);
          await world.bringStatement();
          assert.equal(await world.payoutState(id), 'QUEUED');
          await world.untilBanksWork();
          assert.ok(world.bank.takeFile(await world.download(await world.make())).isTaken);
          await world.bringStatement();
          await isPaid(id);
          assert.deepEqual(madeBy(id), ['600 ACSC']);
          await sentOnce(id);
        },
      },
      { atLeast: 6 },
    ));
}
