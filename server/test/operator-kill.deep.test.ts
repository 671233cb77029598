/** Death at any point while the operator decides about money, and the operator who asks again. See die-everywhere. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newFormName } from '../src/account/frame/send-once.ts';
import type { App } from '../src/app.ts';
import type { Db, Tx } from '../src/db/database.ts';
import { personActor } from '../src/http/actor.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { present } from '../src/lib/assert.ts';
import type { Clock } from '../src/lib/clock.ts';
import { newId } from '../src/lib/ids.ts';
import { approveReturn, refuseReturn } from '../src/watching/approve-return.ts';
import { assignUnmatched } from '../src/watching/assign-unmatched.ts';
import { returnUnmatched } from '../src/watching/return-unmatched.ts';
import { findWaitingReturn } from '../src/watching/unmatched-return-store.ts';
import { listUnmatched } from '../src/watching/unmatched-store.ts';
import { accountsAt, type PageAnswer, signed, type Visitor } from './account-world.ts';
import { isEveryPointTried } from './depth.ts';
import { assertHappenedOnce, dieEverywhere, sendAll, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { returnDeps } from './return-deps.ts';
import { openShop, type Shop } from './shop.ts';
import { freshAddress, mine, openSender, receivedAt } from './transfer-story.ts';

let gateway: Gateway;
let shop: Shop;
before(async () => {
  gateway = await startGateway({ hasStellar: true, hasAccount: true, env: withoutLitecoin });
  shop = await openShop(gateway);
  for (const _ of ['channels', 'trust lines']) await closeLedgers(2);
});
after(() => gateway.stop());

async function closeLedgers(count: number): Promise<void> {
  for (let ledger = 0; ledger < count; ledger += 1) {
    await gateway.runUntilIdle();
    gateway.clock.advance({ seconds: 5 });
    gateway.stellar.close();
  }
  await gateway.runUntilIdle();
}

/** Nobody can say what it is for. */
async function payWithoutMemo(units: bigint): Promise<string> {
  gateway.stellar.pay(null, { address: String(gateway.env['STELLAR_ACCOUNT']), units });
  await closeLedgers(1);
  const [unmatched, ...others] = await listUnmatched(gateway.db);
  assert.deepEqual(others, []);
  return present(unmatched, 'the payment that named nobody').id;
}

const entriesOf = (kind: string) => gateway.db`select from ledger_entry where kind = ${kind}`;

test('what named nobody is sent back once', async () => {
  const order = { destination: null, feeUnits: 100n };
  let returned = 0;
  await dieEverywhere(
    gateway,
    {
      begin: () => payWithoutMemo(100_000_000n),
      live: [
        (_, id, process) => returnUnmatched({ ...returnDeps(gateway), ...process }, id, order),
        sendAll,
        () => gateway.stellar.close(),
        watchAll,
        workAll,
      ],
      async end(id) {
        await returnUnmatched(returnDeps(gateway), id, order).catch((error: Error) =>
          assert.match(error.message, /is already on its way back|was sent back before/),
        );
        await closeLedgers(4);
        returned += 1;
        assert.deepEqual(await listUnmatched(gateway.db), []);
        assert.equal((await entriesOf('unmatched_returned')).length, returned);
      },
    },
    { atLeast: 29 },
  );
});

test('what named nobody is assigned once', async () => {
  await dieEverywhere(
    gateway,
    {
      async begin() {
        const checkout = await shop.open('1.00 USD', 'STELLAR');
        return { checkoutId: checkout.id, id: await payWithoutMemo(100_000_000n) };
      },
      live: [(_, { id, checkoutId }, process) => assignUnmatched(process, id, checkoutId), workAll],
      async end({ id, checkoutId }) {
        await assignUnmatched(gateway, id, checkoutId);
        await gateway.runUntilIdle();
        assert.equal(await shop.state(checkoutId), 'COMPLETED');
        await assertHappenedOnce(gateway, checkoutId, {
          entries: ['unmatched_assigned', 'payment_received', 'settlement'],
          events: ['CHECKOUT_COMPLETED'],
        });
      },
    },
    { atLeast: 13 },
  );
});

test('what is the operator’s own is taken out once', async () => {
  await openSender(gateway, '1'); // Of which the operator earned half a percent.
  let taken = 0;
  await dieEverywhere(
    gateway,
    {
      async begin() {
        const address = freshAddress();
        const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0001', address, memo: null, memoType: null };
        const payload = { ...order, transferId: newId() };
        const job = { name: 'withdrawal.request' as const, payload, runAt: gateway.clock.now() };
        await gateway.db.begin((tx) => enqueue(tx, [job]));
        return address;
      },
      live: [workAll, sendAll, () => gateway.bitcoin.mine(1), watchAll, workAll],
      async end(address) {
        gateway.clock.advance({ minutes: 2 }); // What may not have arrived is broadcast again after a minute.
        await gateway.runUntilIdle();
        await mine(gateway, 3);
        taken += 1;
        assert.equal(await receivedAt(gateway, address), 10_000n);
        assert.equal((await entriesOf('withdrawal_sent')).length, taken);
      },
    },
    { atLeast: 33 },
  );
});

/** Two of the staff who move money, and not since yesterday. */
async function twoHands(): Promise<{ readonly ines: Visitor; readonly tom: Visitor }> {
  const world = accountsAt(gateway);
  const hands = {
    ines: await world.staff('operator', 'ines@operator.example'),
    tom: await world.staff('treasury', 'tom@operator.example'),
  };
  await gateway.db`update staff set role_since = role_since - interval '2 days'`;
  return hands;
}

/** Through the process that dies. What it answers, if anything, is lost. */
async function through(app: App, who: Visitor, act: () => Promise<unknown>): Promise<void> {
  who.goThrough(await app.server.listen({ host: '127.0.0.1', port: 0 }));
  try {
    await act();
  } finally {
    who.goThrough(null);
    await app.server.close();
  }
}

test('what one asks for and another approves is taken out once, whenever who dies', async () => {
  await openSender(gateway, '5'); // Of which the operator earned enough for every death.
  const { ines, tom } = await twoHands();
  type Asked = { readonly address: string; readonly form: string };
  let taken = (await entriesOf('withdrawal_sent')).length;
  const ask = (who: Visitor, { address, form }: Asked) =>
    signed(who, '/operator/money/withdraw', { network: 'BITCOIN', asset: 'BTC', amount: '0.0001', address, form });
  const ofAddress = (address: string) =>
    gateway.db<{ id: string; state: string }>`select id, state from withdrawal where address = ${address}`;
  const decide = async (who: Visitor, { address }: Asked, decision: 'approve' | 'refuse'): Promise<PageAnswer> =>
    signed(who, `/operator/money/withdrawals/${(await ofAddress(address))[0]?.id}/${decision}`, {});
  /** How far the process came that died. */
  const reached = new Set<string>();
  let tellings = 0;
  await dieEverywhere(
    gateway,
    {
      async begin(): Promise<Asked> {
        await gateway.runUntilIdle();
        for (const each of [ines, tom]) await each.signInWithPasskey();
        return { address: freshAddress(), form: newFormName(gateway.clock.now()) };
      },
      live: [
        (app, asked) => through(app, tom, () => ask(tom, asked)),
        (app, asked) => through(app, ines, () => decide(ines, asked, 'approve')),
        sendAll,
        () => gateway.bitcoin.mine(1),
        watchAll,
        workAll,
      ],
      async end(asked) {
        // Neither knows what became of it: both sign in again and do the same once more.
        for (const each of [ines, tom]) await each.signInWithPasskey();
        reached.add((await ofAddress(asked.address))[0]?.state ?? 'NOT_ASKED_FOR');
        const again = await ask(tom, asked);
        assert.equal(again.location, '/operator/money?did=waiting', again.text);
        const [withdrawal, ...others] = await ofAddress(asked.address);
        assert.deepEqual(others, [], 'a form that is sent again asks for nothing more');
        const isDecided = withdrawal?.state === 'APPROVED';
        tellings += 1;
        const isRefused = !isDecided && tellings % 2 === 0;
        const decided = await decide(isRefused ? tom : ines, asked, isRefused ? 'refuse' : 'approve');
        assert.equal(decided.status, isDecided ? 409 : 303, decided.text);
        gateway.clock.advance({ minutes: 2 }); // What may not have arrived is broadcast again after a minute.
        await gateway.runUntilIdle();
        await mine(gateway, 3);
        if (!isRefused) taken += 1;
        assert.equal(await receivedAt(gateway, asked.address), isRefused ? 0n : 10_000n);
        assert.equal((await entriesOf('withdrawal_sent')).length, taken);
      },
    },
    // Whoever was let in by one process is let in by another at the same address only.
    { atLeast: 40, env: { ACCOUNT_URL: accountsAt(gateway).accountUrl } },
  );
  if (isEveryPointTried())
    assert.deepEqual([...reached].toSorted(), ['APPROVED', 'AWAITING_APPROVAL', 'NOT_ASKED_FOR']);
});

test('what named nobody is sent back once with the yes of two, whenever who dies', async () => {
  const order = { destination: null, feeUnits: 0n };
  const [asker, approver] = await gateway.db<{ id: string }>`
    select person_id as id from staff where role in ('treasury', 'operator') order by role desc`;
  const by = <Result>({ db }: { readonly db: Db }, who: { readonly id: string } | undefined) => ({
    actor: personActor(who?.id ?? ''),
    begin: (work: (tx: Tx) => Promise<Result>) => db.begin(work),
  });
  let returned = (await entriesOf('unmatched_returned')).length;
  type Process = { readonly db: Db; readonly clock: Clock };
  const deps = returnDeps(gateway);
  const depsIn = ({ db, clock }: Process) => ({ ...deps, db, clock });
  const ask = (process: Process, id: string) => returnUnmatched(depsIn(process), id, order, by(process, asker));
  const approve = async (process: Process, id: string): Promise<void> => {
    const waiting = await findWaitingReturn(process.db, id);
    const holdFee = async (): Promise<void> => undefined;
    if (waiting) await approveReturn(depsIn(process), waiting.id, { ...by(process, approver), holdFee });
  };
  const reached = new Set<string>();
  let tellings = 0;
  /** What waits for the second is refused now and then: nothing leaves, and it can be asked for anew. */
  async function refuseAndAskAnew(id: string): Promise<void> {
    const waiting = present(await findWaitingReturn(gateway.db, id), 'the return that waits');
    await refuseReturn(gateway, waiting.id, by(gateway, asker));
    await closeLedgers(2);
    assert.equal((await listUnmatched(gateway.db)).length, 1);
    await ask(gateway, id);
  }
  await dieEverywhere(
    gateway,
    {
      begin: () => payWithoutMemo(100_000_000n),
      live: [
        (_, id, process) => ask(process, id),
        (_, id, process) => approve(process, id),
        sendAll,
        () => gateway.stellar.close(),
        watchAll,
        workAll,
      ],
      async end(id) {
        const [before] = await gateway.db<{ state: string }>`
          select state from unmatched_return where unmatched_id = ${id}`;
        reached.add(before?.state ?? 'NOT_ASKED_FOR');
        await ask(gateway, id).catch((error: Error) =>
          assert.match(error.message, /already on its way back|sent back before|waits for a second signature/),
        );
        tellings += 1;
        if (before?.state !== 'APPROVED' && tellings % 2 === 0) await refuseAndAskAnew(id);
        await approve(gateway, id);
        await closeLedgers(4);
        returned += 1;
        assert.deepEqual(await listUnmatched(gateway.db), []);
        assert.equal((await entriesOf('unmatched_returned')).length, returned);
      },
    },
    { atLeast: 30 },
  );
  if (isEveryPointTried())
    assert.deepEqual([...reached].toSorted(), ['APPROVED', 'AWAITING_APPROVAL', 'NOT_ASKED_FOR']);
});
