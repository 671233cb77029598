/**
 * Every action on a refund and on a transfer in every state: allowed or refused, and what becomes of it. What was signed
 * may be broadcast by anybody at any time, so from then on nothing takes it back. 60.00 USD are 0.001 BTC.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sampleOf } from './depth.ts';
import { type TestMerchant, withoutLitecoin } from './gateway.ts';
import { type NodeProxy, startNodeProxy } from './node-proxy.ts';
import { aBitcoinAddress, type RefundWorld, received, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';
import { openSender, type Sender } from './transfer-story.ts';

let world: RefundWorld;
let proxy: NodeProxy;
before(async () => {
  [world, proxy] = await Promise.all([startRefundWorld({ env: withoutLitecoin }), startNodeProxy()]);
  proxy.passTo(world.gateway.bitcoin.chain.url);
  await world.gateway.restart(undefined, { BITCOIN_RPC_URL: proxy.urlFor('sandbox:sandbox') });
});
after(async () => {
  try {
    await world.gateway.stop();
  } finally {
    await proxy.close();
  }
});

/** A status, and the state afterwards. */
type Outcome = readonly [number, string];

/** Signed and stored, and the node went silent before it heard of it. */
async function signOnly(): Promise<void> {
  proxy.cutAt({ request: 'sendrawtransaction', moment: 'before' });
  for (const sender of world.gateway.app.senders) await sender.tick();
}

/** The node is there again in any case: a story that fails takes the others nothing away. */
const mended = (story: () => Promise<void>) => async (): Promise<void> => {
  try {
    await story();
  } finally {
    proxy.mend();
  }
};

/** The node is there again, and what was signed goes out. */
async function mend(): Promise<void> {
  assert.equal(proxy.mend(), 'sendrawtransaction', 'it was signed, and not sent');
  world.gateway.clock.advance({ minutes: 2 }); // What may not have arrived is broadcast again after a minute.
  await world.send();
}

/** As if the rules of the network had changed since they were asked for. */
async function spoil(all: readonly { readonly id: string }[]): Promise<void> {
  await world.gateway.db`
    update outgoing_transfer set address = 'bcrt1qnothing' where id = any(${all.map(({ id }) => id)})`;
  await world.gateway.runUntilIdle();
}

type RefundInState = { readonly id: string; readonly address: string; readonly claimUrl?: string };

const refundActions = ['cancel', 'approve', 'approve with the key that asked', 'claim'] as const;
type RefundAction = (typeof refundActions)[number];

const refused = (state: string): Outcome => [409, state];
/** The page behind a link always leads back to itself, where the state is shown. */
const leftAlone = (state: string): Outcome => [303, state];

/** An action that is missing is impossible: there is no link to claim by. */
const refundTable: Readonly<Record<string, Readonly<Partial<Record<RefundAction, Outcome>>>>> = {
  'awaiting approval': {
    cancel: [200, 'CANCELED'],
    approve: [200, 'SENDING'],
    'approve with the key that asked': [403, 'AWAITING_APPROVAL'],
  },
  claimable: {
    cancel: [200, 'CANCELED'],
    approve: refused('CLAIMABLE'),
    'approve with the key that asked': refused('CLAIMABLE'),
    claim: [303, 'SENDING'],
  },
  queued: {
    cancel: [200, 'CANCELED'],
    approve: refused('SENDING'),
    'approve with the key that asked': refused('SENDING'),
  },
  'signed, not broadcast': {
    cancel: refused('SENDING'),
    approve: refused('SENDING'),
    'approve with the key that asked': refused('SENDING'),
  },
  broadcast: {
    cancel: refused('SENDING'),
    approve: refused('SENDING'),
    'approve with the key that asked': refused('SENDING'),
  },
  completed: {
    cancel: refused('COMPLETED'),
    approve: refused('COMPLETED'),
    'approve with the key that asked': refused('COMPLETED'),
    claim: leftAlone('COMPLETED'),
  },
  failed: {
    cancel: refused('FAILED'),
    approve: refused('FAILED'),
    'approve with the key that asked': refused('FAILED'),
  },
  canceled: {
    cancel: [200, 'CANCELED'], // A client retries.
    approve: refused('CANCELED'),
    'approve with the key that asked': refused('CANCELED'),
    claim: leftAlone('CANCELED'),
  },
  expired: {
    cancel: refused('EXPIRED'),
    approve: refused('EXPIRED'),
    'approve with the key that asked': refused('EXPIRED'),
    claim: leftAlone('EXPIRED'),
  },
};

/** Checkouts of which nothing was refunded yet, all made at once. */
async function underpaidCheckouts(shop: Shop, count: number): Promise<string[]> {
  const checkouts = [];
  for (let made = 0; made < count; made += 1) checkouts.push(await shop.open('60.00 USD', 'BITCOIN'));
  for (const { address } of checkouts) world.gateway.bitcoin.pay({ address, amount: '0.0006' });
  await world.mine(6);
  await world.pass({ minutes: 61 });
  return checkouts.map(({ id }) => id);
}

async function claim({ claimUrl = '' }: RefundInState): Promise<number> {
  const url = new URL(claimUrl.replace('https://pay.test', new URL(world.gateway.url).origin));
  const body = new URLSearchParams({ token: url.searchParams.get('token') ?? '', address: aBitcoinAddress() });
  url.search = '';
  return (await fetch(url, { method: 'POST', body, redirect: 'manual' })).status;
}

// In a sample every other state, of refunds and of transfers alike.
for (const [state, actions] of sampleOf(Object.entries(refundTable), (_, at) => at % 2 === 0))
  test(
    `a refund that is ${state}`,
    mended(async () => {
      const { gateway } = world;
      const shop = await world.shop(state === 'awaiting approval' ? { refundApprovalAbove: '0' } : {});
      const chief = await gateway.createKey(shop.merchant);
      const entries = Object.entries(actions) as [RefundAction, Outcome][];
      const checkouts = await underpaidCheckouts(shop, entries.length);
      const isClaimed = actions.claim !== undefined;
      const stateOf = async (id: string) => (await shop.get(`/refund?id=${id}`)).refund.state;

      const all: RefundInState[] = [];
      for (const checkoutId of checkouts) {
        const address = aBitcoinAddress();
        const { refund, claimUrl } = await shop.post('/refund', { checkoutId, ...(isClaimed ? {} : { address }) });
        all.push({ id: refund.id, address, ...(isClaimed && { claimUrl }) });
      }
      if (state === 'signed, not broadcast') await signOnly();
      if (state === 'broadcast') await gateway.runUntilIdle();
      if (state === 'failed') await spoil(all);
      if (state === 'canceled') for (const { id } of all) await shop.post('/refund/cancel', { id });
      if (state === 'expired') await world.pass({ hours: 24 * 30 });
      if (state === 'completed') {
        for (const each of all) assert.equal(await claim(each), 303);
        await world.send();
      }
      gateway.clock.advance({ seconds: 1 });

      const act: Record<RefundAction, (it: RefundInState) => Promise<number>> = {
        cancel: async ({ id }) => (await shop.request('POST', '/refund/cancel', { id })).status,
        approve: async ({ id }) => (await shop.request('POST', '/refund/approve', { id }, { as: chief })).status,
        'approve with the key that asked': async ({ id }) =>
          (await shop.request('POST', '/refund/approve', { id })).status,
        claim,
      };
      const outcomes: Partial<Record<RefundAction, Outcome>> = {};
      for (const [position, [action]] of entries.entries()) {
        const it = all[position] as RefundInState;
        outcomes[action] = [await act[action](it), await stateOf(it.id)];
      }
      assert.deepEqual(outcomes, actions);

      // Whatever was refused has changed nothing: the customer gets the money, or the shop keeps it, never both.
      if (state === 'signed, not broadcast') await mend();
      await world.send();
      for (const [position, [action, [, then]]] of entries.entries()) {
        const { id, address } = all[position] as RefundInState;
        const isSent = then === 'SENDING' || then === 'COMPLETED';
        assert.equal(await stateOf(id), isSent ? 'COMPLETED' : then, action);
        if (!isClaimed) assert.equal((await received(gateway, address)) > 0n, isSent, action);
      }
    }),
  );

const transferActions = ['cancel', 'approve', 'approve with the key that asked'] as const;
const unapprovable = (state: string): Record<(typeof transferActions)[number], Outcome> => ({
  cancel: refused(state),
  approve: refused(state),
  'approve with the key that asked': refused(state),
});

const transferTable: Readonly<Record<string, Readonly<Record<(typeof transferActions)[number], Outcome>>>> = {
  'awaiting approval': {
    cancel: [200, 'CANCELED'],
    approve: [200, 'QUEUED'],
    'approve with the key that asked': [403, 'AWAITING_APPROVAL'],
  },
  waiting: { ...unapprovable('WAITING'), cancel: [200, 'CANCELED'] },
  queued: { ...unapprovable('QUEUED'), cancel: [200, 'CANCELED'] },
  'signed, not broadcast': unapprovable('SENT'),
  broadcast: unapprovable('SENT'),
  completed: unapprovable('COMPLETED'),
  failed: unapprovable('FAILED'),
  canceled: unapprovable('CANCELED'),
};

const settingsOf = (state: string) => {
  if (state === 'awaiting approval') return { transferApprovalAbove: '0' };
  return state === 'waiting' ? { destinationWaitMinutes: 60 } : {};
};

for (const [state, actions] of sampleOf(Object.entries(transferTable), (_, at) => at % 2 === 0))
  test(
    `a transfer that is ${state}`,
    mended(async () => {
      const { gateway } = world;
      const shop: Sender = await openSender(gateway, '0.01', settingsOf(state));
      const chief: TestMerchant = await gateway.createKey(shop.merchant);
      const all: { id: string; address: string }[] = [];
      for (const _ of transferActions) {
        const address = aBitcoinAddress();
        all.push({ id: (await shop.send({ amount: '0.001', address })).id, address });
      }
      if (state === 'signed, not broadcast') await signOnly();
      if (state === 'broadcast') await gateway.runUntilIdle();
      if (state === 'completed') await world.send();
      if (state === 'failed') await spoil(all);
      if (state === 'canceled') for (const { id } of all) await shop.post('/transfer/cancel', { id });
      gateway.clock.advance({ seconds: 1 });

      const outcomes: Record<string, Outcome> = {};
      for (const [position, action] of transferActions.entries()) {
        const { id } = all[position] as { id: string };
        const path = action === 'cancel' ? '/transfer/cancel' : '/transfer/approve';
        const as = action === 'approve' ? chief : shop.merchant;
        const { status } = await shop.request('POST', path, { id }, { as });
        outcomes[action] = [status, (await shop.transfer(id)).state];
      }
      assert.deepEqual(outcomes, actions);

      if (state === 'signed, not broadcast') await mend();
      await world.send();
      for (const [position, action] of transferActions.entries()) {
        const { id, address } = all[position] as { id: string; address: string };
        const then = actions[action][1];
        const isSent = ['QUEUED', 'SENT', 'COMPLETED'].includes(then);
        assert.equal((await shop.transfer(id)).state, isSent ? 'COMPLETED' : then, action);
        assert.equal(await received(gateway, address), isSent ? 100_000n : 0n, action);
      }
    }),
  );
