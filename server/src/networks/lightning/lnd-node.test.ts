/** How much can be sent, and how many payments at once, by what LND says of its channels. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLndNode } from './lnd-node.ts';
import type { LndRest } from './lnd-rest.ts';

type Sides = { readonly local: number; readonly slots?: number; readonly ours?: number; readonly theirs?: number };

const channel = ({ local, slots, ours = 0, theirs = 0 }: Sides) => ({
  local_balance: String(local + 10),
  remote_balance: '510',
  local_constraints: { chan_reserve_sat: '10', ...(slots !== undefined && { max_accepted_htlcs: slots }) },
  remote_constraints: { chan_reserve_sat: '10', max_accepted_htlcs: 483 },
  pending_htlcs: [
    ...Array.from({ length: ours }, () => ({ incoming: false })),
    ...Array.from({ length: theirs }, () => ({ incoming: true })),
  ],
});

async function capacityOf(channels: readonly Sides[]) {
  const never = () => assert.fail('nothing else is asked');
  const get = async <Reply>() => ({ channels: channels.map(channel) }) as Reply;
  const lnd: LndRest = { get, post: never, first: never, subscribe: never };
  return createLndNode(lnd, 'main').capacity({ identity_pubkey: '02aa', synced_to_chain: true });
}

const slotsIn = async (...channels: readonly Sides[]) => (await capacityOf(channels)).slots;

test('what goes out takes slots, and what comes in takes none of ours', async () => {
  assert.deepEqual(await slotsIn({ local: 900, slots: 50 }), { total: 50, free: 50 });
  assert.deepEqual(await slotsIn({ local: 900, slots: 50, ours: 20, theirs: 30 }), { total: 50, free: 30 });
  assert.deepEqual(await slotsIn({ local: 900, ours: 1 }), { total: 30, free: 29 }, 'a node that does not say');
});

test('the slots of the channel by which most can be sent count', async () => {
  const large = { local: 900, slots: 50, ours: 5 };
  const ofStranger = { local: 0, slots: 1 };
  const small = { local: 899, slots: 483 };
  assert.deepEqual(await slotsIn(ofStranger, small, large), { total: 50, free: 45 });
  assert.deepEqual(
    await slotsIn({ local: 900, slots: 50, ours: 40 }, large),
    { total: 50, free: 45 },
    'of equals the freer',
  );
});

test('nothing goes out by a channel whose slots are all taken', async () => {
  const full = { local: 900, slots: 50, ours: 50 };
  assert.equal((await capacityOf([full, { local: 300, slots: 10, ours: 9 }])).sendable, 300n);
  assert.deepEqual(await slotsIn(full, { local: 300, slots: 10, ours: 9 }), { total: 10, free: 1 });
  assert.deepEqual(await slotsIn(full), { total: 0, free: 0 });
  assert.equal((await capacityOf([full])).receivable, 500n);
});
