/**
 * Death at any point while staff say what becomes of money at a bank that nobody can explain: it goes back by a payment file, it is
 * our own, or what left was a fee, a payout of ours or what the bank took back. See die-everywhere.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Tx } from '../src/db/database.ts';
import { personActor } from '../src/http/actor.ts';
import { present } from '../src/lib/assert.ts';
import { listOpenMovements } from '../src/payments/movement-store.ts';
import { adoptCrumbs, approveCrumbs, type CrumbsWish } from '../src/watching/adopt-crumbs.ts';
import { adoptUnmatched, approveAdoption } from '../src/watching/adopt-unmatched.ts';
import { assignMovement, type MovementMeaning } from '../src/watching/assign-movement.ts';
import { returnUnmatched } from '../src/watching/return-unmatched.ts';
import { unmatchedCrumbs } from '../src/watching/unmatched-crumb-store.ts';
import { listUnmatched } from '../src/watching/unmatched-store.ts';
import { assertHappenedOnce, dieEverywhere, watchAll, workAll } from './die-everywhere.ts';
import { ada, type Hands, openPaymentWorld, type PaymentWorld } from './payment-file-world.ts';
import { returnDeps } from './return-deps.ts';
import { balancesOf } from './shop.ts';
import type { Sender } from './transfer-story.ts';

let world: PaymentWorld;
let shop: Sender;
before(async () => {
  world = await openPaymentWorld();
  shop = await world.paidShop(500_000n);
});
after(() => world.stop());

async function settle(): Promise<void> {
  world.gateway.clock.advance({ minutes: 2 }); // What a dead worker was doing is begun again.
  await world.gateway.runUntilIdle();
}

/** In ten-millionths of a euro. */
const operatorHas = async (purpose: string): Promise<bigint> =>
  BigInt((await balancesOf(world.gateway, 'operator/'))[`${purpose}/EUR`] ?? 0);
const cent = 100_000n;

/** Somebody pays, and the text names nobody. */
async function arrived(units: bigint): Promise<string> {
  await world.untilBanksWork();
  world.bank.pay({ units, from: ada, text: 'for nobody' });
  await world.bringStatement();
  const [unmatched, ...others] = await unmatchedIds();
  assert.deepEqual(others, []);
  return present(unmatched, 'what named nobody');
}

/** But for what the operator had brought in before. */
async function unmatchedIds(): Promise<string[]> {
  const waiting = await listUnmatched(world.gateway.db);
  return waiting.filter(({ memo }) => memo?.includes('for nobody')).map(({ id }) => id);
}

test('what named nobody goes back to its payer once, in a file', async () => {
  const nowhere = { street: null, postCode: null, town: null, country: null, bic: null };
  const holder = { name: ada.name, ...nowhere };
  const destination = { address: ada.iban ?? '', memo: null, memoType: null, holder };
  const sendBack = ({ db, clock }: Hands, id: string) =>
    returnUnmatched({ ...returnDeps(world.gateway), db, clock }, id, { destination, feeUnits: 0n });
  const made = (): number => [...world.bank.ledger.orders.values()].filter(({ status }) => status === 'ACSC').length;
  let returned = 0;
  await dieEverywhere(
    world.gateway,
    {
      async begin() {
        const waits = await operatorHas('suspense');
        return { id: await arrived(1_100n), file: '', told: [] as (readonly Uint8Array[])[], waits };
      },
      live: [
        (_, { id }, process) => sendBack(process, id),
        async (_, told, process) => {
          told.file = await world.fileBy(process);
        },
        (_, { file }, process) => world.handOverBy(process, file),
        (_, { told }, process) => {
          told.push(world.statement());
          return world.importBy(process, told.flat());
        },
        watchAll,
        workAll,
        () => world.gateway.clock.advance({ hours: 24 * 14 }),
        watchAll,
        workAll,
      ],
      async end({ id, told, waits }) {
        await sendBack(world.gateway, id).catch((error: Error) =>
          assert.match(error.message, /already on its way back|sent back before/),
        );
        await settle();
        const [order] = await world.gateway.db<{ file: string }>`
          select trace ->> 'file' as file from outgoing_transaction
           where trace ->> 'payout' = (select return_id from unmatched_payment where id = ${id})`;
        await world.untilBanksWork();
        const file = order?.file ?? (await world.fileBy(world.gateway));
        if (made() === returned) await world.handOverBy(world.gateway, file, true);
        await world.importBy(world.gateway, [...told.flat(), ...world.statement()]);
        await settle();
        await world.later(14);
        await world.bringStatement();
        await settle();
        returned += 1;
        assert.equal(made(), returned, 'the bank made it once');
        const entries = await world.gateway.db`select from ledger_entry where kind = 'unmatched_returned'`;
        assert.equal(entries.length, returned);
        assert.deepEqual([await unmatchedIds(), await operatorHas('suspense')], [[], waits]);
      },
    },
    { atLeast: 16 },
  );
});

test('what named nobody is our own once', () =>
  dieEverywhere(
    world.gateway,
    {
      begin: async () => ({ equity: await operatorHas('equity'), id: await arrived(700n) }),
      live: [(_, { id }, process) => adoptUnmatched(process, id, 'a top-up'), workAll],
      async end({ id, equity }) {
        await adoptUnmatched(world.gateway, id, 'a top-up').catch((error: Error) =>
          assert.match(error.message, /was taken as the operator's own before/),
        );
        await settle();
        assert.equal(await operatorHas('equity'), equity + 700n * cent);
        assert.deepEqual(await unmatchedIds(), []);
      },
    },
    { atLeast: 1 },
  ));

/** What left without a word, or with too many. */
async function left(): Promise<string> {
  await world.bringStatement();
  const [movement, ...others] = await listOpenMovements(world.gateway.db);
  assert.deepEqual(others, []);
  return present(movement, 'what left').id;
}
const explain = ({ db, clock }: Hands, id: string, meaning: MovementMeaning) =>
  assignMovement({ clock }, id, meaning, { actor: 'operator', begin: db.begin });
const explainAgain = (id: string, meaning: MovementMeaning) =>
  explain(world.gateway, id, meaning).catch((error: Error) =>
    assert.match(error.message, /is explained already|nothing is left|There is no payout/),
  );

test('what left was a fee, once', () =>
  dieEverywhere(
    world.gateway,
    {
      async begin() {
        await world.untilBanksWork();
        const costs = await operatorHas('costs');
        world.bank.debit(390n);
        return { id: await left(), costs };
      },
      live: [(_, { id }, process) => explain(process, id, { as: 'FEE', of: null }), workAll],
      async end({ id, costs }) {
        await explainAgain(id, { as: 'FEE', of: null });
        await settle();
        assert.equal(await operatorHas('costs'), costs - 390n * cent);
      },
    },
    { atLeast: 1 },
  ));

test('what left was a payment that the bank took back: the merchant has it no more, once', () =>
  dieEverywhere(
    world.gateway,
    {
      async begin() {
        await world.untilBanksWork();
        const paid = await world.paidShop(2_000n);
        const [payment] = await world.gateway.db<{ name: string }>`
          select tx_hash as name from payment where owner_id = ${paid.checkoutId}`;
        world.bank.debit(2_000n);
        return { id: await left(), paid, meaning: { as: 'REVERSAL', of: payment?.name ?? '' } as const };
      },
      live: [(_, { id, meaning }, process) => explain(process, id, meaning), workAll],
      async end({ id, paid, meaning }) {
        await explainAgain(id, meaning);
        await settle();
        assert.deepEqual(await paid.balances(), {});
        await assertHappenedOnce(world.gateway, paid.checkoutId, {
          entries: ['payment_received', 'settlement', 'settlement_reversed', 'payment_reversed'],
          events: ['CHECKOUT_COMPLETED', 'CHECKOUT_REVERSED'],
        });
      },
    },
    { atLeast: 4 },
  ));

test('what left was a payout of ours and more: it is done once, and the rest is a fee once', () =>
  dieEverywhere(
    world.gateway,
    {
      async begin() {
        await world.untilBanksWork();
        const costs = await operatorHas('costs');
        const payoutId = await world.pay(shop, '8');
        const text = (await world.download(await world.make())).toString();
        // The bank books its fee with it.
        const more = text.replace('<InstdAmt Ccy="EUR">8.00<', '<InstdAmt Ccy="EUR">8.90<');
        assert.ok(world.bank.takeFile(Buffer.from(more.replaceAll('<CtrlSum>8.00<', '<CtrlSum>8.90<'))).isTaken);
        return { id: await left(), payoutId, costs };
      },
      live: [
        (_, { id, payoutId }, process) => explain(process, id, { as: 'PAYOUT', of: payoutId }),
        watchAll,
        workAll,
        (_, { id }, process) => explain(process, id, { as: 'FEE', of: null }),
      ],
      async end({ id, payoutId, costs }) {
        await explainAgain(id, { as: 'PAYOUT', of: payoutId });
        await explainAgain(id, { as: 'FEE', of: null });
        await settle();
        await world.later(14);
        await world.bringStatement();
        assert.equal((await shop.transfer(payoutId)).state, 'COMPLETED');
        assert.deepEqual(await listOpenMovements(world.gateway.db), []);
        assert.equal(await operatorHas('costs'), costs - 90n * cent);
        await assertHappenedOnce(world.gateway, payoutId, {
          entries: ['transfer_reserved', 'transfer_sent'],
          events: ['TRANSFER_COMPLETED'],
        });
      },
    },
    { atLeast: 4 },
  ));

const crumbs = 3;

/** What to say to take all that wait: so many cents came, each by itself, and name nobody. */
async function crumbsArrived(): Promise<CrumbsWish> {
  await world.untilBanksWork();
  for (let count = 1; count <= crumbs; count += 1)
    world.bank.pay({ units: 1n, from: ada, text: `a cent for nobody ${count}` });
  await world.bringStatement();
  const [sum] = await unmatchedCrumbs(world.gateway.db);
  const { network, asset, count } = present(sum, 'small payments');
  assert.equal(count, crumbs);
  return { network, asset, upTo: null, reason: 'cents of strangers', signed: null };
}

async function assertCrumbsTaken(equity: bigint, adoptions: number): Promise<void> {
  assert.equal(await operatorHas('equity'), equity + BigInt(crumbs) * cent);
  assert.deepEqual(await unmatchedCrumbs(world.gateway.db), []);
  const states = await world.gateway.db`select state, count(*)::integer as count from crumb_adoption group by state`;
  assert.deepEqual(states, [{ state: 'APPROVED', count: adoptions }]);
}

test('small payments that named nobody are our own once, together', () => {
  let adoptions = 0;
  return dieEverywhere(
    world.gateway,
    {
      begin: async () => ({ equity: await operatorHas('equity'), wish: await crumbsArrived() }),
      live: [(_, { wish }, process) => adoptCrumbs(process, wish), workAll],
      async end({ wish, equity }) {
        await adoptCrumbs(world.gateway, wish).catch((error: Error) =>
          assert.match(error.message, /No small payments wait/),
        );
        await settle();
        adoptions += 1;
        await assertCrumbsTaken(equity, adoptions);
      },
    },
    { atLeast: 1 },
  );
});

/** From here on nobody takes money as the operator's own alone. */
async function twoHands() {
  const { db } = world.gateway;
  const hands = () => db<{ id: string }>`
    select person_id as id from staff where role in ('treasury', 'operator') order by role desc`;
  if ((await hands()).length < 2) await world.world.staff('treasury', 'vic@operator.example');
  await db`update staff set role_since = role_since - interval '2 days'`;
  const [asker, approver] = await hands();
  const by = <Result>(process: Hands, who: { readonly id: string } | undefined) => ({
    actor: personActor(who?.id ?? ''),
    begin: (work: (tx: Tx) => Promise<Result>) => process.db.begin(work),
  });
  return { asker, approver, by };
}

test('what named nobody is our own once, with the yes of two', async () => {
  const { gateway } = world;
  const { asker, approver, by } = await twoHands();
  const ask = (process: Hands, id: string) => adoptUnmatched(process, id, 'a top-up', by(process, asker));
  async function approve(process: Hands, id: string): Promise<void> {
    const [waiting] = await process.db<{ id: string }>`
      select id from unmatched_adoption where unmatched_id = ${id} and state = 'AWAITING_APPROVAL'`;
    if (waiting) await approveAdoption(process, waiting.id, by(process, approver));
  }
  await dieEverywhere(
    gateway,
    {
      begin: async () => ({ equity: await operatorHas('equity'), id: await arrived(700n) }),
      live: [(_, { id }, process) => ask(process, id), (_, { id }, process) => approve(process, id), workAll],
      async end({ id, equity }) {
        await ask(gateway, id).catch((error: Error) =>
          assert.match(error.message, /was taken as the operator's own before|waits for a second signature/),
        );
        await approve(gateway, id);
        await settle();
        assert.equal(await operatorHas('equity'), equity + 700n * cent);
        const adoptions = await gateway.db`select state from unmatched_adoption where unmatched_id = ${id}`;
        assert.deepEqual(adoptions, [{ state: 'APPROVED' }]);
      },
    },
    { atLeast: 2 },
  );
});

test('small payments that named nobody are our own once, together, with the yes of two', async () => {
  const { gateway } = world;
  const { asker, approver, by } = await twoHands();
  const ask = (process: Hands, wish: CrumbsWish) => adoptCrumbs(process, wish, by(process, asker));
  async function approve(process: Hands): Promise<void> {
    const [waiting] = await process.db<{ id: string }>`select id from crumb_adoption where state = 'AWAITING_APPROVAL'`;
    if (waiting) await approveCrumbs(process, waiting.id, by(process, approver));
  }
  let adoptions = (await gateway.db`select from crumb_adoption`).length;
  await dieEverywhere(
    gateway,
    {
      begin: async () => ({ equity: await operatorHas('equity'), wish: await crumbsArrived() }),
      live: [(_, { wish }, process) => ask(process, wish), (_, _told, process) => approve(process), workAll],
      async end({ wish, equity }) {
        await ask(gateway, wish).catch((error: Error) =>
          assert.match(error.message, /No small payments wait|waits for a second signature/),
        );
        await approve(gateway);
        await settle();
        adoptions += 1;
        await assertCrumbsTaken(equity, adoptions);
      },
    },
    { atLeast: 2 },
  );
});
