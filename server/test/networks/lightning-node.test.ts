/** How the connector behaves with nodes that have a past, change, break off or refuse. No payment is made here. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { type InvoiceBook, openInvoiceBook } from '@quittance/sandbox/lightning/invoice-book';
import { serveLnd } from '@quittance/sandbox/lightning/lnd-facade';
import { Secret } from '../../src/lib/secret.ts';
import { createLightningConnector, type LightningSettings } from '../../src/networks/lightning/lightning.ts';
import { rewindLightningCursor } from '../../src/networks/lightning/lightning-cursor.ts';
import { NetworkError } from '../../src/networks/port/connector.ts';
import { until } from '../until.ts';
import { createWatched } from './watched-connector.ts';

const macaroon = '0201036c6e64';
let book: InvoiceBook;
let made = 0;
const closing: (() => Promise<void>)[] = [];

beforeEach(() => {
  book = openInvoiceBook({ now: () => new Date('2026-03-01T12:00:00Z') });
});
after(() => Promise.all(closing.map((close) => close())));

type Node = Awaited<ReturnType<typeof serveLnd>>;

async function startNode(nodeId = '02aa', port?: number): Promise<Node> {
  const node = await serveLnd({
    macaroon,
    password: 'sandbox',
    port,
    nodeId,
    book,
    channels: () => [],
    addInvoice: () => assert.fail('nothing is invoiced here'),
    pay: () => assert.fail('nothing is paid here'),
  });
  closing.push(node.close);
  return node;
}

const connect = ({ restUrl }: { restUrl: string }, more: Partial<LightningSettings> = {}) =>
  createLightningConnector({
    restUrl,
    macaroon: new Secret(macaroon),
    tlsCertificate: null,
    chain: 'regtest',
    ...more,
  });

function invoice(): string {
  const preimage = createHash('sha256').update(`preimage ${made++}`).digest('hex');
  const hash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex');
  book.add({ hash, preimage, memo: '', valueSat: '10', expirySeconds: 3_600, paymentRequest: 'lnbcrt1' });
  return hash;
}

function settledInvoice(): string {
  const hash = invoice();
  book.settle(hash, 10_999n);
  return hash;
}

/** A watcher for whom every invoice is ours. */
async function watch(node: Node) {
  const watched = createWatched(connect(node));
  await watched.observe();
  const mine = <T extends string>(hash: T): T => {
    watched.targets.add(hash);
    return hash;
  };
  const seen = (): string[] => [...watched.payments.keys()].map((key) => key.replace(':0', ''));
  return { watched, mine, seen };
}

test('the very first invoice that a node settles is not missed, nor those settled along with it', async () => {
  const node = await startNode();
  const [first, second] = [invoice(), invoice()];
  const { watched, mine, seen } = await watch(node);
  [first, second].forEach(mine);
  watched.restart(connect(node));
  book.settle(second, 10_000n);
  book.settle(first, 10_000n);
  await watched.observe();
  assert.deepEqual(seen(), [second, first]);
});

test('parts of a satoshi are left out', async () => {
  const node = await startNode();
  const { watched, mine } = await watch(node);
  mine(settledInvoice());
  await watched.observe();
  assert.deepEqual(
    [...watched.payments.values()].map(({ observation }) => observation.units),
    [10n],
  );
});

test('a watcher begins near the end of a long past, and reads a long absence in rounds', async () => {
  for (let count = 0; count < 1_200; count += 1) settledInvoice();
  for (let count = 0; count < 1_100; count += 1) invoice();
  const node = await startNode();
  const { watched, mine, seen } = await watch(node);
  assert.deepEqual(seen(), []);
  assert.equal((await watched.ask()).tip.height, 1_200);

  watched.restart(connect(node));
  const missed = Array.from({ length: 1_300 }, () => mine(settledInvoice()));
  const rounds = await watched.observe();
  assert.deepEqual(
    rounds.map(({ observations, isCaughtUp }) => [observations.length, isCaughtUp]),
    [
      [500, false],
      [500, false],
      [300, true],
    ],
  );
  assert.deepEqual(seen(), missed);
});

test('a payment to an old invoice is found, though nobody looks at the old ones', async () => {
  settledInvoice();
  const node = await startNode();
  const old = invoice();
  for (let count = 0; count < 50; count += 1) invoice();
  const { watched, mine, seen } = await watch(node);
  mine(old);
  book.settle(old, 10_000n);
  await until('it was seen', async () => {
    await watched.observe();
    return seen().length > 0;
  });
  assert.deepEqual(seen(), [old]);
});

test('a subscription that breaks off goes on where the cursor is', async () => {
  settledInvoice();
  const node = await startNode();
  const { watched, mine, seen } = await watch(node);
  const before = mine(settledInvoice());
  await watched.observe();
  await node.close();
  await assert.rejects(watched.ask(), (error) => error instanceof NetworkError && error.isRetryable);
  const away = mine(settledInvoice());
  await startNode('02aa', node.port);
  await watched.observe();
  const back = mine(settledInvoice());
  await watched.observe();
  assert.deepEqual(seen(), [before, away, back]);
});

test('another node is read from its own place, and the first one goes on where it was left', async () => {
  settledInvoice();
  const node = await startNode('02aa');
  const { watched, mine, seen } = await watch(node);
  const firstBook = book;
  book = openInvoiceBook({ now: () => new Date('2026-03-01T12:00:00Z') });
  watched.restart(connect(await startNode('03bb')));
  await watched.observe();
  const elsewhere = mine(settledInvoice());
  await watched.observe();
  book = firstBook;
  const meanwhile = mine(settledInvoice());
  watched.restart(connect(node));
  await watched.observe();
  assert.deepEqual(seen(), [elsewhere, meanwhile]);
});

test('an operator can have the newest settled invoices read again, back to the very first', async () => {
  const node = await startNode();
  const { watched, mine, seen } = await watch(node);
  const hashes = [settledInvoice(), settledInvoice(), settledInvoice()];
  const [{ cursor } = assert.fail()] = (await watched.observe()).slice(-1);
  hashes.forEach(mine);
  const rewound = rewindLightningCursor(cursor, 2);
  assert.equal(rewound.firstBlock, 2);
  watched.resumeAt(rewound.cursor);
  await watched.observe();
  assert.deepEqual(seen(), hashes.slice(1));
  watched.resumeAt(rewindLightningCursor(cursor, 99).cursor);
  await watched.observe();
  assert.deepEqual(new Set(seen()), new Set(hashes));
});

test('a node on another chain, or one that does not know us, needs the operator', async () => {
  const node = await startNode();
  const needsOperator = (error: unknown) => error instanceof NetworkError && !error.isRetryable;
  await assert.rejects(createWatched(connect(node, { chain: 'main' })).ask(), needsOperator);
  await assert.rejects(createWatched(connect(node, { macaroon: new Secret('00') })).ask(), needsOperator);
});

test('a node without channels can receive nothing, and says so', async () => {
  const { facts } = await createWatched(connect(await startNode())).ask();
  assert.deepEqual(facts, {
    nodeId: '02aa',
    nodeName: 'quittance-sandbox',
    receivable: { BTCLN: '0' },
    sendable: { BTCLN: '0' },
    slots: { total: 0, free: 0 },
  });
});
