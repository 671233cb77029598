/**
 * Nodes count in thousandths of a satoshi, the books in whole ones. However invoices are overpaid and whatever the ways
 * cost, what the books say and what the node holds stay the same: who is rounded is remembered.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openInvoiceBook } from '@quittance/sandbox/lightning/invoice-book';
import { serveLnd } from '@quittance/sandbox/lightning/lnd-facade';
import { openPaymentBook } from '@quittance/sandbox/lightning/payment-book';
import { Secret } from '@quittance/server/lib/secret';
import { createLightningConnector } from '@quittance/server/networks/lightning/lightning';
import { rewindLightningCursor } from '@quittance/server/networks/lightning/lightning-cursor';
import { writeOrder } from '@quittance/server/networks/lightning/lightning-order';
import type { Observed } from '@quittance/server/networks/port/receiving';
import { createWatched } from '@quittance/server/test/networks/watched-connector';
import fc from 'fast-check';

const macaroon = '0201036c6e64';
const nodeId = '02aa';

/** A node that holds so much to begin with, and books that begin with what is whole of it. */
async function startWorld(heldMsat: bigint) {
  const invoices = openInvoiceBook({ now: () => new Date('2026-03-01T12:00:00Z') });
  const payments = openPaymentBook();
  let made = 0;
  let held = heldMsat;
  const never = (): never => assert.fail('nobody asks for this');
  const node = await serveLnd({
    macaroon,
    password: 'sandbox',
    port: undefined,
    nodeId,
    book: invoices,
    channels: () => [],
    heldMsat: () => held,
    addInvoice: never,
    pay: never,
    router: { nodeId, book: payments, send: never, estimateFee: never },
  });
  const connect = () =>
    createLightningConnector({
      restUrl: node.restUrl,
      macaroon: new Secret(macaroon),
      tlsCertificate: null,
      chain: 'regtest',
    });
  const watched = createWatched(connect());
  const look = async (): Promise<Observed> => (await watched.observe()).at(-1) ?? assert.fail('nothing was observed');
  let last = await look();
  const hash = (name: string) => createHash('sha256').update(name).digest('hex');

  return {
    /** Somebody pays an invoice, or more than it asks for. */
    async receive(msat: bigint): Promise<void> {
      const preimage = hash(`preimage ${made++}`);
      const paid = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex');
      watched.targets.add(paid);
      const more = { memo: '', valueSat: '1', expirySeconds: 3_600, paymentRequest: 'lnbcrt1' };
      invoices.add({ hash: paid, preimage, ...more });
      invoices.settle(paid, msat);
      held += msat;
      last = await look();
    },
    /** Payments that arrive between two looks, with what each of their ways costs. */
    async send(units: bigint, feesMsat: readonly bigint[]): Promise<void> {
      for (const feeMsat of feesMsat) {
        const txHash = hash(`payment ${made++}`);
        const order = { paymentHash: txHash, invoice: 'lnbcrt1', units: String(units), isAmountOpen: false };
        const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
        const raw = writeOrder({ ...order, feeLimit: '10', timeoutSeconds: 60, expiresAt, nodeId });
        watched.outgoing.keep({
          txHash,
          raw,
          uses: [txHash],
          trace: {},
          fee: { assetCode: 'BTCLN', units: 0n },
        } as never);
        payments.begin({ hash: txHash, invoice: 'lnbcrt1', msat: String(1_000n * units) });
        payments.succeed(txHash, '00', feeMsat);
        held -= 1_000n * units + feeMsat;
      }
      last = await look();
    },
    async readAgain(count: number): Promise<void> {
      watched.resumeAt(rewindLightningCursor(last.cursor, count).cursor);
      last = await look();
    },
    async restart(): Promise<void> {
      watched.restart(connect());
      last = await look();
    },
    /** What the books make of all that was told. */
    booked(): bigint {
      const received = [...watched.payments.values()].reduce((sum, { observation }) => sum + observation.units, 0n);
      const sent = [...watched.outgoing.transactions.values()].reduce((sum, { raw, update }) => {
        assert.equal(update?.outcome, 'included');
        return sum + BigInt(JSON.parse(raw).units) + (update?.fee.units ?? 0n);
      }, 0n);
      return heldMsat / 1_000n + received - sent;
    },
    async counted(): Promise<bigint> {
      const context = { tip: last.tip, cursor: last.cursor, highestIndex: 0, usedTargets: () => assert.fail() };
      const [holding] = (await watched.connector.holdings?.(context)) ?? [];
      return holding?.units ?? assert.fail('nothing was counted');
    },
    fees: () => [...watched.outgoing.transactions.values()].map(({ update }) => update?.fee.units),
    isWhole: () => held % 1_000n === 0n,
    stop: () => node.close(),
  };
}

test('fees of a part of a satoshi are paid from what the ones before were rounded up by', async (t) => {
  const world = await startWorld(1_000_000_000n);
  t.after(() => world.stop());
  await world.send(1_000n, [400n, 400n, 400n, 1_800n]);
  assert.deepEqual(world.fees(), [1n, 0n, 1n, 1n]);
  assert.equal(await world.counted(), world.booked());
  assert.ok(world.isWhole());
});

test('what is paid above whole satoshis pays the next fees, and is no difference until then', async (t) => {
  const world = await startWorld(1_000_000_000n);
  t.after(() => world.stop());
  for (const msat of [10_999n, 10_999n, 10_999n]) await world.receive(msat);
  assert.equal(await world.counted(), world.booked());
  await world.readAgain(2);
  assert.equal(await world.counted(), world.booked(), 'what is read again is not counted again');
  await world.send(5n, [2_000n, 1_500n]);
  assert.deepEqual(world.fees(), [0n, 1n]);
  assert.equal(await world.counted(), world.booked());
});

test('whatever comes and goes, the node holds what the books say', async () => {
  const msat = fc.bigInt({ min: 1_000n, max: 4_999n });
  const steps = fc.array(
    fc.oneof(
      msat.map((each) => ({ receive: each })),
      fc.array(fc.bigInt({ min: 0n, max: 2_500n }), { minLength: 1, maxLength: 3 }).map((fees) => ({ send: fees })),
      fc.integer({ min: 1, max: 3 }).map((count) => ({ readAgain: count })),
      fc.constant({ restart: true }),
    ),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: 0n, max: 999n }), steps, async (fraction, all) => {
      const world = await startWorld(1_000_000_000n + fraction);
      try {
        for (const step of all) {
          if ('receive' in step) await world.receive(step.receive);
          else if ('send' in step) await world.send(3n, step.send);
          else if ('readAgain' in step) await world.readAgain(step.readAgain);
          else await world.restart();
          assert.equal(await world.counted(), world.booked());
        }
      } finally {
        await world.stop();
      }
    }),
    { numRuns: 25, seed: 7 },
  );
});
