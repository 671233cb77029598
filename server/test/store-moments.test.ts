/**
 * What ends or begins by a comparison in SQL, asked a millisecond before, in the very moment, and a millisecond after:
 * whoever counts back a day must neither forget what happened in its last moment nor count what happened before it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Query, Tx } from '../src/db/database.ts';
import { claimEmail } from '../src/emails/email-store.ts';
import { forgetOldIdempotencyKeys } from '../src/http/idempotency.ts';
import { forgetUsedSignatures, isSignatureUsed, useUpSignature } from '../src/http/used-signature.ts';
import { addMs, hours, minutes } from '../src/lib/clock.ts';
import { queuedTransfers } from '../src/sending/outgoing-store.ts';
import { claimsOf } from '../src/sending/outgoing-transaction-store.ts';
import { findAskedRefund } from '../src/settlements/refund-store.ts';
import { unapprovedSince } from '../src/wallets/approval-store.ts';
import { findAskedSwap, findSwapQuote, forgetSwapQuotes } from '../src/wallets/swap-store.ts';
import { findTransferAskedBy } from '../src/wallets/transfer-store.ts';
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
  const claims = async (tx: Tx, now: Date) => (await claimEmail(tx, message, now, addMs(now, 1_000))).is;
  const claimed = (tx: Tx) => claimEmail(tx, message, addMs(moment, -1_000), moment);
  assert.deepEqual(await said(moment, claimed, claims), ['busy', 'ours', 'ours']);
});

test('what is held back can be sent from the moment on until which it was', async () => {
  const held = (tx: Tx) =>
    tx`insert into outgoing_transfer (id, network, asset, units, address, purpose, merchant_id, state, requested_at, held_until)
       values ('held', 'a-network', 'BTC:G', 1, 'somewhere', 'transfer', 'operator', 'QUEUED', ${addMs(moment, -1_000)}, ${moment})`;
  const isQueued = async (tx: Tx, now: Date) => (await queuedTransfers(tx, 'a-network', now, 9)).length > 0;
  assert.deepEqual(await said(moment, held, isQueued), [false, true, true]);
});

test('what a transaction claimed is kept for whoever counts back to the moment of its end', async () => {
  const ended = async (tx: Tx): Promise<void> => {
    await tx`insert into outgoing_transaction (id, generation, network, tx_hash, raw, claims, trace, fee_asset, fee_units,
                                               confirmations_required, state, signed_at, ended_at)
             values ('ended', 0, 'a-network', 'hash', '', '{claim 1}', '{}', 'BTC:G', 1, 1, 'FAILED', ${moment}, ${moment})`;
    await tx`insert into outgoing_claim (network, claim, transaction_id) values ('a-network', 'claim 1', 'ended')`;
  };
  const isClaimed = async (tx: Tx, since: Date) => (await claimsOf(tx, 'a-network', 'claim', since)).length > 0;
  assert.deepEqual(await said(moment, ended, isClaimed), [true, true, false]);
});
