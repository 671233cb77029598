/**
 * What ends or begins by a comparison in SQL, asked a millisecond before, in the very moment, and a millisecond after:
 * whoever counts back a day must neither forget what happened in its last moment nor count what happened before it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bridgeActivity } from '../src/bridge/bridge-store.ts';
import { listAll, listOfIds, listOfPrice, listOfStates } from '../src/checkouts/checkout-list-store.ts';
import { checkoutStates } from '../src/checkouts/checkout-state.ts';
import { startEmail } from '../src/checkouts/email-store.ts';
import { findAskedRefund } from '../src/checkouts/refund-store.ts';
import type { Query, Tx } from '../src/db/database.ts';
import { countOpenDeposits, listDepositKeys } from '../src/deposits/custom-deposit-store.ts';
import { forgetOldIdempotencyKeys } from '../src/http/idempotency.ts';
import { forgetFullBuckets, takeTokens } from '../src/http/rate-bucket-store.ts';
import { forgetUsedSignatures, isSignatureUsed, useUpSignature } from '../src/http/used-signature.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { listJobs, queueDepth } from '../src/jobs/job-store.ts';
import { addMs, hours, minutes } from '../src/lib/clock.ts';
import { ripeHeaps } from '../src/payments/crumb-store.ts';
import { recentTargetSums } from '../src/payments/payment-store.ts';
import { usesOf } from '../src/sending/outgoing-transaction-store.ts';
import { queuedPayouts } from '../src/sending/payout-store.ts';
import { unapprovedSince } from '../src/wallets/approval-store.ts';
import { findAskedSwap, findSwapQuote, forgetSwapQuotes, listSwapKeys } from '../src/wallets/swap-store.ts';
import { findTransferAskedBy, listTransferKeys } from '../src/wallets/transfer-store.ts';
import { urgentTargetSums } from '../src/watching/urgent-target-store.ts';
import { startTenants, type Tenants } from './tenant-world.ts';

const moment = new Date('2026-02-01T08:30:00.123Z');
const key = 'a-key-of-this-test';

let tenants: Tenants;
before(async () => {
  tenants = await startTenants();
});
after(() => tenants.world.gateway.stop());

/** What is said a millisecond before, at and after a time. Nothing of it stays. */
async function said<Answer>(
  at: Date,
  prepare: (tx: Tx) => Promise<unknown>,
  ask: (tx: Tx, now: Date) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const rollback = new Error('nothing of this stays');
  for (const ms of [-1, 0, 1])
    await tenants.world.gateway.db
      .begin(async (tx) => {
        await prepare(tx);
        answers.push(await ask(tx, addMs(at, ms)));
        throw rollback;
      })
      .catch((error: unknown) => assert.equal(error, rollback));
  return answers;
}

const inTheMoment = async (tx: Tx): Promise<void> => {
  const { merchant } = tenants.ids;
  await tx`update transfer set created_at = ${moment}, idempotency_key = ${key}, state = 'QUEUED', approved_by = null
            where merchant_id = ${merchant}`;
  await tx`update refund set requested_at = ${moment}, idempotency_key = ${key}, approved_by = null
            where merchant_id = ${merchant}`;
  await tx`update swap set created_at = ${moment}, idempotency_key = ${key} where merchant_id = ${merchant}`;
};

test('what a key was used for since a moment is what came after it', async () => {
  const { merchant } = tenants.ids;
  for (const find of [findTransferAskedBy, findAskedRefund, findAskedSwap]) {
    const isFound = async (query: Query, since: Date) => (await find(query, merchant, key, since)) !== undefined;
    assert.deepEqual(await said(moment, inTheMoment, isFound), [true, false, false], find.name);
  }
});

test('an order that needed nobody else counts for exactly a day', async () => {
  const { merchant } = tenants.ids;
  for (const kind of ['transfer', 'refund'] as const) {
    const counts = async (query: Query, now: Date) =>
      (await unapprovedSince(query, merchant, addMs(now, -hours(24)), [kind])).length > 0;
    assert.deepEqual(await said(addMs(moment, hours(24)), inTheMoment, counts), [true, false, false], kind);
  }
});

test('a quote is kept until the moment before which all are forgotten', async () => {
  const { merchant, swapQuote } = tenants.ids;
  const isThere = async (tx: Tx, endedBefore: Date) => {
    await forgetSwapQuotes(tx, endedBefore);
    return (await findSwapQuote(tx, merchant, swapQuote)) !== undefined;
  };
  const ended = (tx: Tx) => tx`update swap_quote set valid_until = ${moment} where id = ${swapQuote}`;
  assert.deepEqual(await said(moment, ended, isThere), [true, true, false]);
});

test('an answer is kept under its key for exactly a day', async () => {
  const { merchant } = tenants.ids;
  const isThere = async (tx: Tx, now: Date) => {
    await forgetOldIdempotencyKeys(tx, now);
    return (await tx`select from idempotency_key where key = ${key}`).length > 0;
  };
  const kept = (tx: Tx) =>
    tx`insert into idempotency_key (merchant_id, key, request_hash, status, body, created_at)
       values (${merchant}, ${key}, ${Buffer.alloc(32)}, 200, '{}', ${moment})`;
  assert.deepEqual(await said(addMs(moment, hours(24)), kept, isThere), [true, false, false]);
});

test('a signature is remembered for exactly two minutes', async () => {
  const isUsed = async (tx: Tx, now: Date) => {
    await forgetUsedSignatures(tx, now);
    return isSignatureUsed(tx, 'a-signature');
  };
  const used = (tx: Tx) => useUpSignature(tx, 'a-signature', moment);
  assert.deepEqual(await said(addMs(moment, minutes(2)), used, isUsed), [true, false, false]);
});

test('whoever sends a message holds it until its time is over, and then somebody else does', async () => {
  const { merchant: merchantId, settled: checkoutId } = tenants.ids;
  const message = { merchantId, checkoutId, kind: 'receipt', generation: 7 } as const;
  const mail = { id: 'areceipt0000', addressHash: 'hash' };
  const starts = async (tx: Tx, now: Date) => (await startEmail(tx, message, mail, now, addMs(now, 1_000))).is;
  const started = (tx: Tx) => startEmail(tx, message, mail, addMs(moment, -1_000), moment);
  assert.deepEqual(await said(moment, started, starts), ['busy', 'ours', 'ours']);
});

test('what is held back can be sent from the moment on until which it was', async () => {
  const held = (tx: Tx) =>
    tx`insert into outgoing_transfer (id, network, asset, units, address, purpose, merchant_id, state, requested_at, held_until)
       values ('held', 'a-network', 'BTC:G', 1, 'somewhere', 'transfer', 'operator', 'QUEUED', ${addMs(moment, -1_000)}, ${moment})`;
  const isQueued = async (tx: Tx, now: Date) => (await queuedPayouts(tx, 'a-network', now, 9)).length > 0;
  assert.deepEqual(await said(moment, held, isQueued), [false, true, true]);
});

test('what a transaction used up is kept for whoever counts back to the moment of its end', async () => {
  const ended = async (tx: Tx): Promise<void> => {
    await tx`insert into outgoing_transaction (id, generation, network, tx_hash, raw, claims, trace, fee_asset, fee_units,
                                               confirmations_required, state, signed_at, ended_at)
             values ('ended', 0, 'a-network', 'hash', '', '{use 1}', '{}', 'BTC:G', 1, 1, 'FAILED', ${moment}, ${moment})`;
    await tx`insert into outgoing_claim (network, claim, transaction_id) values ('a-network', 'use 1', 'ended')`;
  };
  const isUsed = async (tx: Tx, since: Date) => (await usesOf(tx, 'a-network', 'use', since)).length > 0;
  assert.deepEqual(await said(moment, ended, isUsed), [true, true, false]);
});

test('a list begins with the moment from which it is asked for, and ends before the one to which it is', async () => {
  const { merchant, deposit, settled, swap, transfer } = tenants.ids;
  const all = { state: null, from: null, to: null, before: null, limit: 99 };
  const [{ price } = { price: '' }] = await tenants.world.gateway.db<{ price: string }>`
    select total::text as price from checkout where id = ${settled}`;
  type Range = { from?: Date; to?: Date; before?: { id: string; createdAt: Date } };
  const lists: [id: string, table: string, list: (tx: Tx, range: Range) => Promise<{ id: string }[]>][] = [
    [settled, 'checkout', (tx, range) => listAll(tx, merchant, { ...all, ...range })],
    [settled, 'checkout', (tx, range) => listOfStates(tx, merchant, checkoutStates, { ...all, ...range })],
    [settled, 'checkout', (tx, range) => listOfPrice(tx, merchant, price, { ...all, ...range })],
    [settled, 'checkout', (tx, range) => listOfIds(tx, merchant, [settled], { ...all, ...range })],
    [deposit, 'deposit', (tx, range) => listDepositKeys(tx, merchant, { ...all, ...range, network: null })],
    [swap, 'swap', (tx, range) => listSwapKeys(tx, merchant, { ...all, ...range })],
    [
      ...[transfer, 'transfer'],
      (tx, range) => listTransferKeys(tx, { ...all, ...range, merchantId: merchant, network: null, asset: null }),
    ] as const,
  ];
  for (const [id, table, list] of lists) {
    const made = async (tx: Tx): Promise<void> => {
      if (table === 'checkout') await tx`update checkout set created_at = ${moment} where id = ${id}`;
      if (table === 'deposit') await tx`update deposit set created_at = ${moment} where id = ${id}`;
      if (table === 'swap') await tx`update swap set created_at = ${moment} where id = ${id}`;
      if (table === 'transfer') await tx`update transfer set created_at = ${moment} where id = ${id}`;
    };
    const isListed = (range: (at: Date) => Range) => (tx: Tx, at: Date) =>
      list(tx, range(at)).then((found) => found.some((each) => each.id === id));
    assert.deepEqual(
      await said(
        moment,
        made,
        isListed((from) => ({ from })),
      ),
      [true, true, false],
      `${table} from`,
    );
    assert.deepEqual(
      await said(
        moment,
        made,
        isListed((to) => ({ to })),
      ),
      [false, false, true],
      `${table} to`,
    );
    const before = (createdAt: Date): Range => ({ before: { id, createdAt } });
    assert.deepEqual(await said(moment, made, isListed(before)), [false, false, true], `${table} after a page`);
  }
});

test('a deposit is waited for up to the very moment before which it is not any more', async () => {
  const { merchant } = tenants.ids;
  const opened = (tx: Tx) =>
    tx`update deposit set created_at = ${moment}, is_reusable = false, state = 'CREATED' where merchant_id = ${merchant}`;
  const isOpen = async (tx: Tx, since: Date) => (await countOpenDeposits(tx, merchant, since)) > 0;
  assert.deepEqual(await said(moment, opened, isOpen), [true, true, false]);
});

test('where money may arrive unannounced is looked at up to the very moment of its commitment or opening', async () => {
  const request = { asset: 'BTC:G', limit: 99, afterKey: '', round: 0 };
  const nobody = addMs(moment, hours(24 * 365));
  const isLookedAt = (keys: readonly unknown[]): boolean => keys.length > 0;
  const kinds = {
    commitment: (tx: Tx) => tx`update commitment set committed_at = ${moment}, network = 'a-network'`,
    deposit: (tx: Tx) => tx`update deposit set created_at = ${moment}, network = 'a-network', is_reusable = false,
                                              closed_at = null`,
  };
  for (const [kind, made] of Object.entries(kinds)) {
    const isRecent = async (tx: Tx, since: Date) =>
      isLookedAt(await recentTargetSums(tx, 'a-network', { ...request, since }));
    assert.deepEqual(await said(moment, made, isRecent), [true, true, false], `${kind}, recent`);
    const isUrgent = async (tx: Tx, at: Date) => {
      const window = kind === 'deposit' ? { since: at, openSince: nobody } : { since: nobody, openSince: at };
      return isLookedAt(await urgentTargetSums(tx, 'a-network', { ...request, ...window }));
    };
    assert.deepEqual(await said(moment, made, isUrgent), [true, true, false], `${kind}, urgent`);
  }
});

test('what is left of a heap becomes a payment exactly a day after the last one, or when it is worth a tenth', async () => {
  const heap = (waiting: number, least: number) => (tx: Tx) =>
    tx`insert into crumb_heap (id, merchant_id, owner_id, purpose, network, asset, least_units, waiting_count,
                               waiting_units, gathered_units, gathered_at)
       values ('heap', 'm', 'o', 'checkout', 'a-network', 'BTC:G', ${least}, 1, ${waiting}, 100, ${moment})`;
  const isRipe = async (tx: Tx, now: Date) => (await ripeHeaps(tx, 'a-network', addMs(now, -hours(24)), 9)).length > 0;
  const dayLater = addMs(moment, hours(24));
  assert.deepEqual(await said(dayLater, heap(9, 9), isRipe), [false, true, true], 'a day later');
  assert.deepEqual(await said(moment, heap(10, 9), isRipe), [true, true, true], 'a tenth at once');
  assert.deepEqual(await said(dayLater, heap(9, 10), isRipe), [false, false, false], 'less than the minimum never');
});

test('a movement of the bridge is looked for up to an hour before the newest one', async () => {
  const ask = (tx: Tx, id: string, state: string, at: Date) =>
    tx`insert into outgoing_transfer (id, network, asset, units, address, purpose, merchant_id, state, requested_at)
       values (${id}, 'STELLAR', 'BTC:G', 1, 'somewhere', 'bridge', 'operator', ${state}, ${at})`;
  const isSeen = async (tx: Tx, now: Date) => {
    await ask(tx, 'newest', 'FAILED', now);
    return (await bridgeActivity(tx, ['BTC:G']))[0]?.movement?.id === 'at work';
  };
  const atWork = (tx: Tx) => ask(tx, 'at work', 'QUEUED', moment);
  assert.deepEqual(await said(addMs(moment, hours(1)), atWork, isSeen), [true, true, false]);
});

test('a job is said to be due from its moment on', async () => {
  const job = { name: 'funding.book' as const, payload: { network: 'a-network' }, runAt: moment };
  const planned = async (tx: Tx): Promise<void> => {
    await tx`delete from job`;
    await enqueue(tx, [job]);
  };
  const state = async (tx: Tx, now: Date) => {
    const { due, waiting } = await queueDepth(tx, now);
    const [listed] = await listJobs(tx, now, 1);
    return [due, waiting, listed?.state];
  };
  assert.deepEqual(await said(moment, planned, state), [
    [0, 1, 'waiting'],
    [1, 0, 'due'],
    [1, 0, 'due'],
  ]);
});

test('a bucket is forgotten when it is exactly full, and a clock that is ahead takes nothing from it', async () => {
  const { db } = tenants.world.gateway;
  const rate = { capacity: 5, perSecond: 0 }; // Nothing comes back while the test runs.
  const bucket = (id: string, tokens: number, aheadSeconds: number) =>
    db`insert into rate_bucket (id, tokens, granted, capacity, per_second, at)
       values (${id}, ${tokens}, 0, 5, 0, clock_timestamp() + ${aheadSeconds} * interval '1 second')`;
  await bucket('moments full', 5, 0);
  await bucket('moments almost', 4.999, 0);
  await forgetFullBuckets(db);
  assert.deepEqual(await db`select id from rate_bucket where id like 'moments %'`, [{ id: 'moments almost' }]);

  const at = async (id: string) =>
    (await db<{ ahead: boolean }>`select at > clock_timestamp() as ahead from rate_bucket where id = ${id}`)[0]?.ahead;
  const take = (id: string, perSecond: number) =>
    takeTokens(db, [{ bucket: id, wanted: 1, rate: { ...rate, perSecond } }]);
  await bucket('moments ahead', 3, 55);
  assert.deepEqual(await take('moments ahead', 1), [{ granted: 1, left: 2 }]);
  assert.equal(await at('moments ahead'), true, 'who asked first is served last: the later time stays');
  await bucket('moments set back', 3, 3_600);
  await take('moments set back', 0);
  assert.equal(await at('moments set back'), false, 'the clock was set back: nobody waits until it is where it was');
  await db`delete from rate_bucket where id like 'moments %'`;
});
