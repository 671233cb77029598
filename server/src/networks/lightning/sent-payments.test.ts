/** What the node's word on a payment becomes, to the satoshi and to the second. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { addMs } from '../../lib/clock.ts';
import type { OutgoingTransaction } from '../port/sending.ts';
import { feeLimitOf, isWhole, satoshisOf, writeOrder } from './lightning-order.ts';
import { createLightningSender } from './lightning-sender.ts';
import type { LndPayment } from './lnd-payment.ts';
import { LndRefusal, type LndRest, notFoundCode } from './lnd-rest.ts';
import { createSentPayments } from './sent-payments.ts';

const { valid } = JSON.parse(readFileSync(new URL('../../../test/vectors/bolt11.json', import.meta.url), 'utf8')) as {
  valid: { invoice: string; msat: string | null; chain: string }[];
};
const openInvoice = valid.find(({ msat, chain }) => msat === null && chain === 'main')?.invoice ?? '';

const expiresAt = new Date('2026-03-01T12:00:00Z');
const at = { nodeId: 'ours', height: 7, fraction: { msat: 0, settleIndex: 7 } };

/** A node that says this of every payment; null: it has never heard of it. */
function lndSaying(payment: Partial<LndPayment> | null): LndRest {
  const never = () => assert.fail('nothing else is asked');
  return {
    get: never,
    post: never,
    subscribe: never,
    first: async <Reply>(_method: string, path: string): Promise<Reply> => {
      if (payment === null) throw new LndRefusal(path, 404, { code: notFoundCode, reason: "payment isn't initiated" });
      return { creation_time_ns: '1', value_msat: '0', fee_msat: '0', ...payment } as Reply;
    },
  };
}

function anOrder(units: bigint): OutgoingTransaction {
  const order = { paymentHash: 'aa', invoice: 'lnbc1', units: String(units), isAmountOpen: false, feeLimit: '10' };
  const raw = writeOrder({ ...order, timeoutSeconds: 60, expiresAt: expiresAt.toISOString(), nodeId: at.nodeId });
  return { txHash: 'aa', raw, uses: [], trace: {}, signedAt: expiresAt, block: null };
}

async function outcomeOf(payment: Partial<LndPayment> | null, { units = 1_000n, now = expiresAt } = {}) {
  const sent = createSentPayments(lndSaying(payment), { assetCode: 'BTCLN', quietMs: 0, now: () => now });
  const [update] = (await sent.updates([anOrder(units)], at)).updates;
  return update && ([update.outcome, update.fee.units] as const);
}

test('what it cost beyond its amount is told in whole satoshis, rounded up: the books never say less than is gone', async () => {
  const cost = async (valueMsat: bigint, feeMsat: bigint) =>
    outcomeOf({ status: 'SUCCEEDED', value_msat: String(valueMsat), fee_msat: String(feeMsat) });
  assert.deepEqual(await cost(1_000_000n, 0n), ['included', 0n]);
  assert.deepEqual(await cost(1_000_000n, 1n), ['included', 1n]);
  assert.deepEqual(await cost(1_000_000n, 1_000n), ['included', 1n]);
  assert.deepEqual(await cost(1_000_000n, 1_001n), ['included', 2n]);
  assert.deepEqual(await cost(999_500n, 500n), ['included', 0n], 'of an order of old, over a part of a satoshi');
});

test('what the node has not heard of is over a minute after the invoice is, because its clock may be behind', async () => {
  for (const [ms, outcome] of [
    [-1, undefined],
    [0, undefined],
    [1, undefined],
    [59_999, undefined],
    [60_000, undefined],
    [60_001, 'failed'],
  ] as const)
    assert.equal((await outcomeOf(null, { now: addMs(expiresAt, ms) }))?.[0], outcome, `${ms} ms`);
});

test('what the node is still at is not over, however late it is', async () => {
  for (const status of ['INITIATED', 'IN_FLIGHT'] as const)
    assert.equal(await outcomeOf({ status }, { now: addMs(expiresAt, 86_400_000) }), undefined);
});

test('a limit for the fee is rounded up, and at least the least', () => {
  const limit = (units: bigint, partsPerMillion: bigint, minimumUnits = 0n) =>
    feeLimitOf(units, { partsPerMillion, minimumUnits });
  assert.deepEqual([limit(1_000n, 1_000n), limit(1_001n, 1_000n), limit(1n, 1n), limit(0n, 1n)], [1n, 2n, 1n, 0n]);
  assert.deepEqual(
    [limit(9_000n, 1_000n, 10n), limit(10_000n, 1_000n, 10n), limit(10_001n, 1_000n, 10n)],
    [10n, 10n, 11n],
  );
});

test('an estimate of the way is rounded up before it is doubled', async () => {
  const estimate = async (msat: string) => {
    const lnd = { ...lndSaying(null), post: async <Reply>() => ({ routing_fee_msat: msat }) as Reply };
    const node = {
      info: async () => ({ identity_pubkey: 'ours', synced_to_chain: true }),
      capacity: () => assert.fail(),
      heldWithout: () => assert.fail(),
    };
    const feeLimit = { partsPerMillion: 1_000_000n, minimumUnits: 0n };
    const sender = createLightningSender({
      lnd,
      node,
      limits: { chain: 'main', holdBlocksMax: 432 },
      assetCode: 'BTCLN',
      feeLimit,
      staleMs: 1,
    });
    const payout = {
      id: 't',
      assetCode: 'BTCLN',
      units: 500n,
      address: openInvoice,
      memo: null,
      memoType: null,
      holder: null,
    };
    return (await sender.estimateFee(payout, { unspent: async () => [] })).units;
  };
  assert.deepEqual(
    [await estimate('0'), await estimate('1'), await estimate('1000'), await estimate('1001')],
    [0n, 2n, 2n, 4n],
  );
});

test('only whole satoshis are satoshis', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 18n), (msat) => {
      if (isWhole(msat)) assert.equal(satoshisOf(msat) * 1_000n, msat);
      else assert.throws(() => satoshisOf(msat));
    }),
  );
  assert.deepEqual([999n, 1_000n, 1_001n, 1_500n].map(isWhole), [false, true, false, false]);
});

test('the node is asked to cut no further and to hold no longer than was stored', async () => {
  const asked: unknown[] = [];
  const lnd: LndRest = {
    ...lndSaying(null),
    first: async <Reply>(method: string, path: string, body?: unknown): Promise<Reply> => {
      if (method === 'POST') return void asked.push(body) as Reply;
      throw new LndRefusal(path, 404, { code: notFoundCode, reason: "payment isn't initiated" });
    },
  };
  const node = {
    info: async () => ({ identity_pubkey: at.nodeId, synced_to_chain: true }),
    capacity: async () => ({ receivable: 0n, sendable: 10n ** 9n, slots: { total: 50, free: 50 } }),
    heldWithout: () => assert.fail(),
  };
  const sender = createLightningSender({
    lnd,
    node,
    limits: { chain: 'main', holdBlocksMax: 200 },
    assetCode: 'BTCLN',
    feeLimit: { partsPerMillion: 0n, minimumUnits: 0n },
    staleMs: 60_000,
  });
  const payout = { id: 't', assetCode: 'BTCLN', address: openInvoice, memo: null, memoType: null, holder: null };
  const context = {
    unspent: async () => [],
    used: async () => [],
    changeTarget: () => assert.fail(),
    now: new Date(0),
  };
  for (const more of [{ units: 400n }, { units: 450_000n }, { units: 450_000n, slotsMax: 3 }]) {
    const signed = await sender.prepare([{ ...payout, ...more }], context);
    await sender.broadcast({ ...signed, signedAt: new Date(0), block: null });
    assert.equal(signed.slots, (asked.at(-1) as { max_parts: number }).max_parts);
  }
  await sender.broadcast(anOrder(450_000n));
  const limits = asked.map((body) => {
    const { max_parts: parts, cltv_limit: blocks, timeout_seconds: seconds } = body as Record<string, number>;
    return [parts, blocks, seconds];
  });
  assert.deepEqual(
    limits,
    [
      [1, 200, 60],
      [5, 200, 60],
      [3, 200, 60],
      [5, 200, 60],
    ],
    'the last is of an earlier release',
  );
});
