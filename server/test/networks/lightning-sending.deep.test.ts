/** Paying invoices, with real nodes: what is refused, what fails on its way, and what never happens twice. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, request as requestHttp, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LightningSandbox, startLightningSandbox } from '@quittance/sandbox/lightning/lightning-sandbox';
import { bech32 } from '@scure/base';
import { Secret } from '../../src/lib/secret.ts';
import { decodeBolt11 } from '../../src/networks/lightning/bolt11.ts';
import { createLightningConnector, type LightningSettings } from '../../src/networks/lightning/lightning.ts';
import { senderOf } from '../../src/networks/outgoing-memory.ts';
import { type Connector, NetworkError } from '../../src/networks/port/connector.ts';
import { NotEnoughFunds, type OutgoingTransaction, type Payout, SendRefused } from '../../src/networks/port/sending.ts';
import { until } from '../until.ts';
import { createWatched, type Watched } from './watched-connector.ts';

let node: LightningSandbox;
let proxy: Server;
/** What the connection does to the next request whose path has `path`. */
let accident: { path: string; kind: 'never arrives' | 'no reply' | 'half a reply' } | null = null;
let watched: Watched;

before(async () => {
  const sizes = { channelSat: 10_000_000n, pushSat: 5_000_000n, distantSat: 1_000_000n };
  node = await startLightningSandbox({ seed: Buffer.alloc(32, 9), password: 'sandbox', ...sizes });
  proxy = await startProxy(node.restUrl);
});
after(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await node.stop();
});
beforeEach(async () => {
  watched = createWatched(connect());
  await watched.observe();
});

const connect = (more: Partial<LightningSettings> = {}): Connector =>
  createLightningConnector({
    restUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    macaroon: new Secret(node.macaroon),
    tlsCertificate: null,
    chain: 'regtest',
    timeoutMs: 60_000,
    quietMs: 0,
    staleMs: 60_000, // A busy machine may take so long, and nobody here asks again.
    feeLimit: { partsPerMillion: 10_000n, minimumUnits: 10n },
    ...more,
  });

let transfers = 0;
const transferTo = (address: string, units: bigint): Payout => ({
  address,
  units,
  id: `transfer-${transfers++}`,
  assetCode: 'BTCLN',
  memo: null,
  memoType: null,
  holder: null,
});

const prepare = async (address: string, units: bigint): Promise<OutgoingTransaction> =>
  watched.outgoing.keep(await senderOf(watched.connector).prepare([transferTo(address, units)], watched.sendContext()));
const broadcast = (transaction: OutgoingTransaction) => senderOf(watched.connector).broadcast(transaction);

/** What is known of a payment once nothing is on its way any more. */
async function outcome({ txHash }: OutgoingTransaction) {
  await until('nothing is on its way', () => node.underWay() === 0);
  await watched.observe();
  return watched.outgoing.transactions.get(txHash)?.update ?? null;
}

const refusal = (message: RegExp) => (error: unknown) => error instanceof SendRefused && message.test(error.message);

test('an invoice is paid to the satoshi, and with an open amount as much as was asked for', async () => {
  for (const sat of [1_234n, null]) {
    const { invoice, hash } = node.wallet.request({ sat });
    const payment = await prepare(invoice.toUpperCase(), 1_234n);
    assert.equal(payment.txHash, hash);
    await broadcast(payment);
    const { outcome: ended, fee, block } = (await outcome(payment)) ?? assert.fail();
    assert.deepEqual([ended, fee.units, node.wallet.received(hash)], ['included', 0n, 1_234_000n]);
    assert.ok(block && Math.abs(block.time.getTime() - Date.now()) < 60_000);
  }
});

test('the way through others costs a fee, which is reported, and is not taken above the limit', async () => {
  const { distantWallet } = node;
  const first = distantWallet.request({ sat: 5_000n });
  const estimate = await senderOf(watched.connector).estimateFee(
    transferTo(first.invoice, 5_000n),
    watched.sendContext(),
  );
  assert.equal(estimate.units, 50n, 'no way is announced: the estimate is the limit');
  const payment = await prepare(first.invoice, 5_000n);
  await broadcast(payment);
  const { outcome: ended, fee } = (await outcome(payment)) ?? assert.fail();
  assert.deepEqual([ended, distantWallet.received(first.hash)], ['included', 5_000_000n]);
  assert.ok(fee.units > 0n && fee.units <= 50n, `it cost ${fee.units}`);

  watched.restart(connect({ feeLimit: { partsPerMillion: 0n, minimumUnits: 0n } }));
  const second = distantWallet.request({ sat: 5_000n });
  const dear = await prepare(second.invoice, 5_000n);
  await broadcast(dear);
  const failed = (await outcome(dear)) ?? assert.fail();
  assert.deepEqual([failed.outcome, failed.fee.units, distantWallet.received(second.hash)], ['failed', 0n, 0n]);
  assert.equal(failed.reason, 'There is no way to the recipient within the fee limit.');
});

test('whatever the last part of the way asks for, no more is paid for it than was set aside', async () => {
  const { distantWallet } = node;
  const sender = senderOf(watched.connector);
  const outcomes = [];
  for (const held of [50n, 0n]) {
    const { invoice, hash } = distantWallet.request({ sat: 5_000n });
    const transfer = { ...transferTo(invoice, 5_000n), heldFee: { units: held, until: new Date() } };
    const payment = watched.outgoing.keep(await sender.prepare([transfer], watched.sendContext()));
    await broadcast(payment);
    const { outcome: ended, fee } = (await outcome(payment)) ?? assert.fail();
    assert.ok(fee.units <= held, `${fee.units} is more than ${held}`);
    outcomes.push([ended, distantWallet.received(hash)]);
  }
  assert.deepEqual(outcomes, [
    ['included', 5_000_000n],
    ['failed', 0n],
  ]);
  const near = node.wallet.request({ sat: 5_000n });
  const quote = await sender.estimateFee(transferTo(near.invoice, 5_000n), watched.sendContext());
  assert.equal(quote.units, 10n, 'a way that costs nothing: the least limit, so that another way may be tried');
});

test('without a way to the recipient it fails with the reason, and is not tried again', async () => {
  const { invoice, hash } = node.distantWallet.request({ sat: 2_000_000n });
  const payment = await prepare(invoice, 2_000_000n);
  await broadcast(payment);
  assert.match((await outcome(payment))?.reason ?? '', /no way to the recipient/);
  await broadcast(payment);
  assert.equal(node.distantWallet.arrivals(hash), 0);
  await assert.rejects(prepare(invoice, 2_000_000n), refusal(/ask the recipient for a new one/));
});

test('a failure counts after it has stood for a while, because a late request could begin it anew', async () => {
  watched.restart(connect({ quietMs: 300 }));
  const { invoice } = node.distantWallet.request({ sat: 2_000_000n });
  const payment = await prepare(invoice, 2_000_000n);
  await broadcast(payment);
  assert.equal(await outcome(payment), null);
  await sleep(350);
  assert.equal((await outcome(payment))?.outcome, 'failed');
});

test('what is on its way is neither sent nor failed, until the recipient decides', async () => {
  for (const [verdict, ended] of [
    ['take', 'included'],
    ['refuse', 'failed'],
  ] as const) {
    const { invoice, hash } = node.wallet.request({ sat: 700n, isHeld: true });
    const payment = await prepare(invoice, 700n);
    await broadcast(payment);
    await until('it has arrived', () => node.wallet.arrivals(hash) > 0);
    await watched.observe();
    assert.equal(watched.outgoing.transactions.get(hash)?.update, null);
    await broadcast(payment);
    node.wallet.release(hash, verdict);
    assert.equal((await outcome(payment))?.outcome, ended);
    assert.deepEqual(
      [node.wallet.arrivals(hash), node.wallet.received(hash)],
      [1, ended === 'included' ? 700_000n : 0n],
    );
  }
});

test('whenever the connection breaks, asking again pays, and pays once', async () => {
  const accidents = ['/v2/router/track', '/v2/router/send'].flatMap((path) =>
    (['never arrives', 'no reply', 'half a reply'] as const).map((kind) => ({ path, kind })),
  );
  for (const each of accidents) {
    const { invoice, hash } = node.wallet.request({ sat: 900n });
    const payment = await prepare(invoice, 900n);
    accident = each;
    await assert.rejects(broadcast(payment), NetworkError, JSON.stringify(each));
    assert.equal(accident, null, 'the accident has happened');
    await broadcast(payment);
    await broadcast(payment);
    assert.equal((await outcome(payment))?.outcome, 'included', JSON.stringify(each));
    assert.deepEqual([node.wallet.arrivals(hash), node.wallet.received(hash)], [1, 900_000n], JSON.stringify(each));
  }
});

test('many who send the same at the same time send it once', async () => {
  const { invoice, hash } = node.wallet.request({ sat: 800n });
  const payment = await prepare(invoice, 800n);
  const others = [connect(), connect(), connect()].map((connector) => senderOf(connector).broadcast(payment));
  await Promise.all([...others, broadcast(payment), broadcast(payment)]);
  assert.equal((await outcome(payment))?.outcome, 'included');
  assert.deepEqual([node.wallet.arrivals(hash), node.wallet.received(hash)], [1, 800_000n]);
});

test('an invoice that expired is refused, and one that expires before the node hears of it gives the money back', async () => {
  const lasting = decodeBolt11(node.wallet.request({ sat: 600n, expirySeconds: 100 }).invoice);
  const behind = 100 - Math.floor((lasting.expiresAt.getTime() - Date.now()) / 1_000); // its clock is its last block
  const expired = node.wallet.request({ sat: 600n, expirySeconds: behind + 10 });
  const waiting = await prepare(expired.invoice, 600n);
  const { expiresAt } = decodeBolt11(expired.invoice);
  await until('it has expired, also for who counts in whole seconds', () => Date.now() > expiresAt.getTime() + 1_000);
  await assert.rejects(prepare(expired.invoice, 600n), refusal(/has expired/));
  await assert.rejects(broadcast(waiting), /invoice expired/);
  assert.equal(await outcome(waiting), null, 'our clock may be ahead of the node');

  const later = new Date(Date.now() + 120_000);
  watched.restart(connect({ now: () => later }));
  const update = await outcome(waiting);
  assert.deepEqual([update?.outcome, update?.fee.units], ['failed', 0n]);
  assert.match(update?.reason ?? '', /expired before our node could pay it/);
});

test('what the node never heard of stays open while its invoice holds', async () => {
  const { invoice, hash } = node.wallet.request({ sat: 650n });
  const payment = await prepare(invoice, 650n);
  assert.equal(await outcome(payment), null);
  await broadcast(payment);
  assert.equal((await outcome(payment))?.outcome, 'included');
  assert.equal(node.wallet.received(hash), 650_000n);
});

test('what can never be sent is refused with a sentence', async () => {
  const { invoice } = node.wallet.request({ sat: 500n });
  await assert.rejects(prepare(invoice, 501n), refusal(/^The invoice asks for 500 SAT, not for 501\.$/));
  await assert.rejects(prepare(node.createInvoice(500n), 500n), refusal(/our own node/));
  await assert.rejects(prepare('lnbcrt1nonsense', 500n), refusal(/not a Lightning invoice/));
  const payment = await prepare(invoice, 500n);
  await assert.rejects(prepare(invoice, 500n), refusal(/paid or tried before/));
  await broadcast(payment);
  await outcome(payment);
  const stranger = createWatched(watched.connector);
  const again = senderOf(stranger.connector).prepare([transferTo(invoice, 500n)], stranger.sendContext());
  await assert.rejects(again, refusal(/paid or tried before/));
  assert.match(watched.connector.addressProblem?.({ address: invoice, memo: '1', memoType: 'id' }) ?? '', /no memo/);
});

test('an invoice over a part of a satoshi is refused, whatever is to be sent: the books have none', async () => {
  const path = new URL('../vectors/bolt11.json', import.meta.url);
  const { valid } = JSON.parse(readFileSync(path, 'utf8')) as { valid: { invoice: `${string}1${string}` }[] };
  const { words } = bech32.decode(valid[0]?.invoice ?? assert.fail(), false);
  const over = (amount: string): string => bech32.encode(`lnbcrt${amount}`, words, false);
  const sentence = /^The invoice asks for 1\.5 SAT, and only whole ones can be sent: ask for another one\.$/;
  for (const units of [1n, 2n]) await assert.rejects(prepare(over('15n'), units), refusal(sentence));
  const problemOf = (address: string) => watched.connector.addressProblem?.({ address, memo: null, memoType: null });
  assert.match(problemOf(over('15n')) ?? '', sentence);
  assert.match(problemOf(over('10p')) ?? '', /asks for 0\.001 SAT/);
  assert.match(problemOf(over('10010p')) ?? '', /asks for 1\.001 SAT/);
  assert.match(problemOf(over('19990p')) ?? '', /asks for 1\.999 SAT/);
  assert.deepEqual([problemOf(over('20n')), watched.connector.targetUnits?.({ address: over('20n') })], [null, 2n]);
});

test('more than the channels hold must wait', async () => {
  const { invoice } = node.wallet.request({ sat: 9_000_000n });
  await assert.rejects(prepare(invoice, 9_000_000n), NotEnoughFunds);

  const queue = [transferTo(invoice, 9_000_000n), transferTo(node.wallet.request({ sat: 400n }).invoice, 400n)];
  const { payoutIds } = await senderOf(watched.connector).prepare(queue, watched.sendContext());
  assert.deepEqual(payoutIds, [queue[1]?.id], 'which keeps nobody else waiting');
});

test('only the node that was asked is asked again, and only it can tell', async () => {
  const { invoice } = node.wallet.request({ sat: 550n });
  const payment = await prepare(invoice, 550n);
  const other = await startLightningSandbox({ seed: Buffer.alloc(32, 10), password: 'sandbox', channelSat: 100_000n });
  const later = new Date(Date.now() + 86_400_000);
  watched.restart(connect({ restUrl: other.restUrl, macaroon: new Secret(other.macaroon), now: () => later }));
  await assert.rejects(broadcast(payment), (error) => error instanceof NetworkError && !error.isRetryable);
  await watched.observe();
  assert.equal(watched.outgoing.transactions.get(payment.txHash)?.update, null);
  await other.stop();
});

/** Between the service and the node, where connections break. */
async function startProxy(target: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const hit = accident !== null && incoming.url?.startsWith(accident.path) ? accident : null;
    if (hit) accident = null;
    if (hit?.kind === 'never arrives') {
      incoming.socket.destroy();
      return;
    }
    const onward = requestHttp(`${target}${incoming.url}`, { method: incoming.method, headers: incoming.headers });
    incoming.pipe(onward);
    outgoing.on('close', () => onward.destroy());
    onward.on('error', () => outgoing.destroy());
    onward.on('response', (reply) => {
      if (hit?.kind === 'no reply') {
        incoming.socket.destroy();
        return;
      }
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
      if (hit) {
        reply.once('data', (chunk: Buffer) => {
          outgoing.write(chunk.subarray(0, chunk.length / 2), () => incoming.socket.destroy());
        });
      } else reply.pipe(outgoing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
