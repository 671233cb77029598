/**
 * Behind one address there may be several servers, and some of them lag. What a server does not know yet is not unsent:
 * a payment that is given up is made again.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { testStellarKey } from '@quittance/sandbox/stellar/stellar-harness';
import {
  type StellarNetwork,
  sandboxPassphrase,
  startStellarNetwork,
} from '@quittance/sandbox/stellar/stellar-network';
import { Secret } from '@quittance/server/lib/secret';
import { senderOf } from '@quittance/server/networks/outgoing-memory';
import type { OutgoingTransaction } from '@quittance/server/networks/port/sending';
import { createStellarNetworkConnector } from '@quittance/server/networks/stellar/stellar';
import { createWatched, type Watched } from '@quittance/server/test/networks/watched-connector';
import { Keypair } from '@stellar/stellar-sdk';

type Reply = { readonly status: number; readonly text: string; readonly ledger: string };

let network: StellarNetwork;
let way: Awaited<ReturnType<typeof startLaggingWay>>;
let watched: Watched;
let now: Date;

/** Passes everything on, but answers what lags as it was answered last, and does not know what was never asked. */
async function startLaggingWay(nodeUrl: string) {
  const last = new Map<string, Reply>();
  let lags: RegExp | null = null;
  let behind = '';
  const unknown = (): Reply => ({ status: 404, text: '{}', ledger: behind });
  async function pass(method: string, path: string, body: string): Promise<Reply> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const reply = await fetch(`${nodeUrl}${path}`, { method, headers, ...(method === 'POST' && { body }) });
    return { status: reply.status, text: await reply.text(), ledger: reply.headers.get('latest-ledger') ?? '' };
  }
  async function answer(method: string, path: string, body: string): Promise<Reply> {
    if (method === 'GET' && lags?.test(path)) return last.get(path) ?? unknown();
    const reply = await pass(method, path, body);
    last.set(path, reply);
    return reply;
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void answer(request.method ?? 'GET', request.url ?? '/', Buffer.concat(chunks).toString()).then((reply) =>
        response.writeHead(reply.status, { 'latest-ledger': reply.ledger }).end(reply.text),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** From now on these answers are as old as this moment. */
    async lag(paths: RegExp, ...known: string[]): Promise<void> {
      for (const path of known) behind = (await fetch(`${url}${path}`)).headers.get('latest-ledger') ?? '';
      lags = paths;
    },
    catchUp(): void {
      lags = null;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

beforeEach(async () => {
  now = new Date('2026-03-01T12:00:00Z');
  network = await startStellarNetwork({ user: 'owner', password: 'secret', now: () => now });
  network.openAccount(testStellarKey, '1000');
  network.close();
  way = await startLaggingWay(network.url);
  const [account, secret] = [testStellarKey.publicKey(), new Secret(testStellarKey.secret())];
  const settings = { horizonUrl: new Secret(way.url), account, secret, passphrase: sandboxPassphrase };
  watched = createWatched(createStellarNetworkConnector({ ...settings, assets: ['XLM'], channels: 1 }));
  watched.outgoing.setClock(() => now);
  await watched.observe();
  for (const signed of (await sender().housekeeping?.(watched.sendContext())) ?? []) {
    await sender().broadcast(watched.outgoing.keep(signed));
    await settle();
  }
});
afterEach(async () => {
  await way.stop();
  await network.stop();
});

const sender = () => senderOf(watched.connector);
const outcomeOf = ({ txHash }: OutgoingTransaction) => watched.outgoing.transactions.get(txHash)?.update?.outcome;
const sourceOf = ({ trace }: OutgoingTransaction): string => String(trace['source']);

async function settle(): Promise<void> {
  network.close();
  await watched.observe();
}

async function pass(seconds: number): Promise<void> {
  now = new Date(now.getTime() + seconds * 1_000);
  await settle();
}

async function prepare(): Promise<OutgoingTransaction> {
  const to = Keypair.random();
  network.openAccount(to, '10');
  const transfer = { id: 'transfer', address: to.publicKey(), memo: null, memoType: null, holder: null };
  const payment = { ...transfer, assetCode: 'XLM', units: 30_000_000n };
  return watched.outgoing.keep(await sender().prepare([payment], watched.sendContext()));
}

test('a payment whose time is over is not given up on the word of a server that lags behind that time', async () => {
  const payment = await prepare();
  const account = `/accounts/${sourceOf(payment)}`;
  await way.lag(new RegExp(`^${account}($|/transactions)|^/transactions/`), account);
  await sender().broadcast(payment);
  await settle();
  assert.equal(outcomeOf(payment), undefined, 'that server does not know it');
  await pass(601);
  assert.equal(outcomeOf(payment), undefined, 'nor does it know of the time that has passed');
  way.catchUp();
  await settle();
  assert.equal(outcomeOf(payment), 'included');
});

test('a payment that was never sent is given up when its time is over, and not in the last second of it', async () => {
  const payment = await prepare();
  for (const [seconds, outcome] of [
    [599, undefined],
    [1, undefined],
    [1, 'expired'],
  ] as const) {
    await pass(seconds);
    assert.equal(outcomeOf(payment), outcome);
  }
});

test('what happened in a ledger that we have not read is told when we have read it', async () => {
  const payment = await prepare();
  await way.lag(/^\/$/, '/');
  await sender().broadcast(payment);
  network.close();
  assert.deepEqual((await watched.ask()).sent, []);
  way.catchUp();
  await watched.observe();
  assert.equal(outcomeOf(payment), 'included');
});
