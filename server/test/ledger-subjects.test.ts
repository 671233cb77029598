/** Every entry of the ledger says what it is about, and what was posted about one thing adds up. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { findFundingTarget } from '../src/deposits/deposit-target-store.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import type { Subject } from '../src/ledger/entry.ts';
import { entriesAbout } from '../src/ledger/ledger-store.ts';
import { present } from '../src/lib/assert.ts';
import { newId } from '../src/lib/ids.ts';
import { assignUnmatched } from '../src/watching/assign-unmatched.ts';
import { returnUnmatched } from '../src/watching/return-unmatched.ts';
import { listUnmatched } from '../src/watching/unmatched-store.ts';
import { testIssuer } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import { returnDeps } from './return-deps.ts';
import type { Shop } from './shop.ts';
import { stockTreasury } from './stock-treasury.ts';
import { subjectProblems } from './subject-problems.ts';

let world: RefundWorld;
let shop: Shop;
before(async () => {
  world = await startRefundWorld({ hasStellar: true, env: { TREASURY_LIMITS: '*=0' } });
  await stockTreasury(world.gateway, `LTC:${testIssuer}`, 100_000_000n);
  shop = await world.shop();
});
after(() => world.gateway.stop());

const kindsAbout = async (
  subject: Subject,
  merchantId: string | null = shop.merchant.merchantId,
): Promise<string[]> => {
  const entries = await entriesAbout(world.gateway.db, merchantId, [subject]);
  for (const entry of entries) assert.deepEqual(entry.subject, subject);
  return entries.map(({ kind }) => kind).toSorted();
};

/** What all entries about some subjects together have left in the accounts whose names contain this. */
async function leftIn(account: string, merchantId: string | null, subjects: readonly Subject[]): Promise<bigint> {
  const entries = await entriesAbout(world.gateway.db, merchantId, subjects);
  assert.notEqual(entries.length, 0, 'something was posted');
  const lines = entries.flatMap((entry) => entry.lines).filter((line) => line.account.includes(account));
  return lines.reduce((sum, { units }) => sum + units, 0n);
}

const operators = (job: Parameters<typeof enqueue>[1][number]) =>
  world.gateway.db.begin((tx) => enqueue(tx, [job])).then(() => world.gateway.runUntilIdle());

test('a checkout and its refund have entries of their own, and nothing is left waiting after both', async () => {
  const checkout = await world.underpaid(shop, '0.0006');
  const about = { kind: 'checkout', id: checkout.id } as const;
  assert.deepEqual(await kindsAbout(about), ['moved_to_suspense', 'payment_received']);
  assert.equal(await leftIn('/suspense/', shop.merchant.merchantId, [about]), 60_000n);

  const { refund } = await shop.post('/refund', { checkoutId: checkout.id, address: aBitcoinAddress() });
  await world.send();
  assert.equal(await shop.state(checkout.id), 'REFUNDED PARTIAL');
  const refunded = { kind: 'refund', id: refund.id } as const;
  assert.deepEqual(await kindsAbout(refunded), ['refund_held', 'refund_sent']);
  assert.deepEqual(await kindsAbout(about), ['moved_to_suspense', 'payment_received']);
  assert.equal(await leftIn('/reserved/', shop.merchant.merchantId, [refunded]), 0n);
  assert.equal(await leftIn(`merchant/${shop.merchant.merchantId}/`, shop.merchant.merchantId, [about, refunded]), 0n);
  assert.deepEqual(await kindsAbout(about, null), [], 'of nobody else');
});

test('a paid checkout, a deposit, a swap and a transfer each have theirs', async () => {
  const { merchantId } = shop.merchant;
  const checkout = await world.paid(shop, '0.001');
  const paid = { kind: 'checkout', id: checkout.id } as const;
  assert.deepEqual(await kindsAbout(paid), ['payment_received', 'settlement']);
  assert.equal(await leftIn('/pending/', merchantId, [paid]), 0n);
  assert.equal(await leftIn('/available/', merchantId, [paid]), 99_500n);

  const opened = await shop.post('/deposit-address', { network: 'BITCOIN' });
  await world.pay(opened.depositInstructions, '0.01');
  await world.mine(6);
  const deposit = { kind: 'deposit', id: opened.id ?? opened.depositId } as const;
  assert.deepEqual(await kindsAbout(deposit), ['deposit_credited', 'payment_received']);
  assert.equal(await leftIn('/pending/', merchantId, [deposit]), 0n);

  const swapped = await shop.post('/swap', { sourceAsset: 'BTC', targetAsset: 'LTC', sourceAmount: '0.0001' });
  assert.deepEqual(await kindsAbout({ kind: 'swap', id: swapped.id }), ['swap']);

  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.001', address: aBitcoinAddress() };
  const { transfer } = await shop.post('/transfer', order);
  await world.send();
  const sent = { kind: 'transfer', id: transfer.id } as const;
  assert.deepEqual(await kindsAbout(sent), ['transfer_reserved', 'transfer_sent']);
  assert.equal(await leftIn('/reserved/', merchantId, [sent]), 0n);
  const { transfer: done } = await shop.get(`/transfer?id=${transfer.id}`);
  assert.deepEqual(await kindsAbout({ kind: 'outgoing_transaction', id: `BITCOIN/${done.txHash}` }, null), [
    'network_fee',
  ]);
});

test('so has what the operator brings in and takes out', async () => {
  const { gateway } = world;
  const [targetId, transferId, runAt] = [newId(), newId(), gateway.clock.now()];
  await operators({ name: 'funding.address', payload: { network: 'BITCOIN', targetId, amount: null }, runAt });
  await world.pay(present(await findFundingTarget(gateway.db, 'BITCOIN', targetId), 'the target'), '0.005');
  await world.mine(6);
  const [payment] = await gateway.db<{ id: string }>`select id from payment where purpose = 'funding'`;
  assert.deepEqual(await kindsAbout({ kind: 'funding', id: payment?.id ?? '' }, null), ['funding_received']);

  const payload = {
    transferId,
    network: 'BITCOIN',
    asset: 'BTC',
    amount: '0.004',
    address: aBitcoinAddress(),
    memo: null,
    memoType: null,
  };
  await operators({ name: 'withdrawal.request', payload, runAt });
  await world.mine(1);
  const withdrawal = { kind: 'withdrawal', id: transferId } as const;
  assert.deepEqual(await kindsAbout(withdrawal, null), ['withdrawal_reserved', 'withdrawal_sent']);
  assert.equal(await leftIn('/reserved/', null, [withdrawal]), 0n);
});

test('what named nobody is about itself until it is given to a checkout', async () => {
  const { gateway } = world;
  const checkout = await shop.open('1.00 USD', 'STELLAR');
  const ids: string[] = [];
  for (const _ of ['to be sent back', 'to be assigned']) {
    gateway.stellar.pay(null, { address: checkout.address, units: 100_000_000n });
    gateway.stellar.close();
    await gateway.runUntilIdle();
    ids.push(
      present(
        (await listUnmatched(gateway.db)).find(({ id }) => !ids.includes(id)),
        'the payment',
      ).id,
    );
  }
  const [back = '', assigned = ''] = ids;
  await returnUnmatched(returnDeps(gateway), back, { destination: null, feeUnits: 100n });
  await assignUnmatched(gateway, assigned, checkout.id);
  for (let ledger = 0; ledger < 8; ledger += 1) {
    await gateway.runUntilIdle();
    gateway.stellar.close();
  }
  await gateway.runUntilIdle();
  const returned = { kind: 'unmatched_payment', id: back } as const;
  assert.deepEqual(await kindsAbout(returned, null), ['unmatched_received', 'unmatched_returned']);
  assert.equal(await leftIn('/suspense/', null, [returned]), 0n);
  assert.deepEqual(await kindsAbout({ kind: 'unmatched_payment', id: assigned }, null), ['unmatched_received']);
  assert.ok((await kindsAbout({ kind: 'checkout', id: checkout.id })).includes('unmatched_assigned'));
});

test('an entry about something that there is not is noticed', async () => {
  const { db } = world.gateway;
  const undone = new Error('undone');
  const problems = await db
    .begin(async (tx) => {
      await tx`insert into ledger_entry (reference, kind, merchant_id, subject_kind, subject_id, posted_at)
               select 'lost', 'settlement', merchant_id, 'refund', id, now() from checkout limit 1`;
      throw Object.assign(undone, { problems: await subjectProblems(tx) });
    })
    .catch((error: { problems?: string[] }) => error.problems);
  assert.equal(problems?.length, 1);
  assert.match(String(problems), /^lost is about refund /);
});

/** Rarer ones than those above, as the release before this one wrote them. */
const rarer: Readonly<Record<string, { kind: string; about: string; id?: string }>> = {
  'adopted/BITCOIN/BTC:G/2026-01-01T00:00:00.000Z': { kind: 'difference_adopted', about: 'holding BITCOIN/BTC:G' },
  'network-fee/ETHEREUM/0xa/2/reversed': { kind: 'network_fee_reversed', about: 'outgoing_transaction ETHEREUM/0xa' },
  'token-fee/ETHEREUM/0xa': { kind: 'token_fee', about: 'outgoing_transaction ETHEREUM/0xa' },
  issuedOnStellar: { kind: 'bridge_issued', about: 'bridge_payout issuedOnStellar' },
  'payment:gone:2': { kind: 'funding_reversed', about: 'funding gone' },
  'withdrawal:refused:released': { kind: 'withdrawal_released', about: 'withdrawal refused' },
  'refund:refused:returned': { kind: 'refund_returned', about: 'refund refused' },
  'exchange:order': { kind: 'exchange', about: 'swap someSwap', id: 'someSwap' },
};

const subjects = async (): Promise<Record<string, string>> => {
  const rows = await world.gateway.db<{ reference: string; about: string }>`
    select reference, subject_kind || ' ' || subject_id as about from ledger_entry`;
  return Object.fromEntries(rows.map(({ reference, about }) => [reference, about]));
};

async function postAsBefore(): Promise<void> {
  for (const [reference, { kind, id = null }] of Object.entries(rarer))
    await world.gateway.db`
      insert into ledger_entry (reference, kind, checkout_id, posted_at) values (${reference}, ${kind}, ${id}, now())`;
}

/** What the ledger refuses, done by somebody who switches its defences off. */
const force = (statements: string): Promise<unknown> =>
  world.gateway.db.script(`begin; alter table ledger_entry disable trigger ledger_entry_append_only;
    ${statements}; alter table ledger_entry enable trigger ledger_entry_append_only; commit;`);
const forgetRarer = () => force(`delete from ledger_entry where reference in ('${Object.keys(rarer).join("', '")}')`);

const migration = (name: string): Promise<string> =>
  readFile(new URL(`../src/db/migrations/${name}.sql`, import.meta.url), 'utf8');

test('entries of the previous release, earlier or later ones, get the subjects that this release gives them', async () => {
  const { db } = world.gateway;
  const posted = await subjects();
  const expected = { ...posted, ...Object.fromEntries(Object.entries(rarer).map(([key, { about }]) => [key, about])) };
  // It wrote the checkout of a refund, and nothing beside what is the operator's own.
  await force(`
    alter table ledger_entry drop constraint ledger_entry_has_subject;
    drop trigger ledger_entry_find_subject on ledger_entry;
    drop function ledger_entry_find_subject, ledger_subject_of;
    update ledger_entry set checkout_id = case
      when subject_kind = 'refund' then (select checkout_id from refund where id = subject_id)
      when merchant_id is not null then subject_id end;
    alter table ledger_entry drop column subject_kind, drop column subject_id`);
  await db`
    insert into venue_order (id, reference, purpose, merchant_id, owner_id, attempt, source_asset, source_units,
                             target_asset, least_units, state, created_at)
    values ('order', 'someSwap', 'swap', ${shop.merchant.merchantId}, 'someSwap', 1, 'XLM', 1, 'USDC', 1, 'FAILED', now())`;
  await postAsBefore();
  await db.script(`begin; ${await migration('0035_subject_of_an_entry')}; commit;`);
  await db.script(`begin; ${await migration('0039_subjects_of_earlier_entries')}; commit;`);
  assert.deepEqual(await subjects(), expected);
  await assert.rejects(db`update ledger_entry set subject_id = 'other'`, /append-only/);

  await forgetRarer();
  await postAsBefore();
  assert.deepEqual(await subjects(), expected);
  await forgetRarer();
});
