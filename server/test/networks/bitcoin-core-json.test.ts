/**
 * What a Bitcoin Core of today says differently from the nodes we can run in tests: the main chain, `address` instead
 * of `addresses`, refusals as HTTP 200, and what a node says when it is not well. The answers are written by hand in
 * the shape that its RPC documentation gives, not recorded.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createBitcoinConnector } from '@quittance/server/networks/bitcoin/bitcoin';
import { type Connector, NetworkError } from '@quittance/server/networks/port/connector';
import type { ObserveContext } from '@quittance/server/networks/port/receiving';
import { Secret } from '../../src/lib/secret.ts';
import { noDocuments } from './no-documents.ts';

// BIP84's published account and its first address.
const xpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const ourAddress = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
const genesis = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
const [hash99, hash100, hash101] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
const payment = 'd'.repeat(64);

type Refusal = { refusal: { code: number; message: string } };
type Answers = Record<string, (...params: never[]) => unknown>;

/** A node at block 100, after the cursor at block 99. */
const answers: Answers = {
  getblockchaininfo: () => ({
    chain: 'main',
    blocks: 100,
    headers: 100,
    bestblockhash: hash100,
    initialblockdownload: false,
    pruned: true,
    warnings: [],
  }),
  getblockhash: (height: number) => ({ 0: genesis, 99: hash99, 100: hash100 })[height],
  getbestblockhash: () => hash100,
  estimatesmartfee: () => ({ feerate: 0.00002, blocks: 3 }),
  getblock: () => ({
    hash: hash100,
    height: 100,
    time: 1_760_000_000,
    previousblockhash: hash99,
    nTx: 2,
    tx: [
      {
        txid: 'e'.repeat(64),
        vin: [{ coinbase: '0164', txinwitness: ['00'.repeat(32)], sequence: 4294967295 }],
        vout: [
          {
            value: 3.125,
            n: 0,
            scriptPubKey: {
              asm: '1 ab',
              desc: 'rawtr(ab)#x',
              hex: '5120ab',
              address: 'bc1pminer',
              type: 'witness_v1_taproot',
            },
          },
          {
            value: 0,
            n: 1,
            scriptPubKey: { asm: 'OP_RETURN aa21', desc: 'raw(6a)#x', hex: '6aaa21', type: 'nulldata' },
          },
        ],
      },
      {
        txid: payment,
        vin: [
          {
            txid: 'f'.repeat(64),
            vout: 1,
            scriptSig: { asm: '', hex: '' },
            txinwitness: ['30', '02'],
            sequence: 4294967293,
          },
        ],
        vout: [
          {
            value: 0.00012345,
            n: 0,
            scriptPubKey: {
              asm: '0 c0ce',
              desc: 'addr(x)#x',
              hex: '0014c0ce',
              address: ourAddress,
              type: 'witness_v0_keyhash',
            },
          },
          {
            value: 20999999.9769,
            n: 1,
            scriptPubKey: { asm: '', hex: '00', address: 'bc1qother', type: 'witness_v0_keyhash' },
          },
          {
            value: 1,
            n: 2,
            scriptPubKey: {
              asm: '1 4e73',
              desc: 'addr(x)#x',
              hex: '51024e73',
              address: 'bc1pfeessrawgf',
              type: 'anchor',
            },
          },
        ],
        fee: 0.00000141,
        hex: '02',
      },
    ],
  }),
  getrawmempool: () => [],
  getmempoolinfo: () => ({ loaded: true, size: 0, fullrbf: true }),
  gettxout: () => ({ value: 1 }),
};

const cursor = { height: 99, hash: hash99, time: 1_759_999_000, recent: [[99, hash99]], immature: [] };
const refuse = (code: number, message: string) => (): Refusal => ({ refusal: { code, message } });

const context = (unconfirmed: Awaited<ReturnType<ObserveContext['unconfirmed']>> = []): ObserveContext => ({
  knownTargets: async (keys) => new Set(keys.filter((key) => key === ourAddress)),
  unconfirmed: async () => unconfirmed,
  knownArrivals: async () => new Set(),
  arrivalsAt: async () => [],
  waitingUnmatched: async () => [],
  recentTargets: async () => [],
  urgentTargets: async () => [],
  outgoing: async () => [],
  orders: async () => [],
  toldBefore: async () => new Map(),
  declaredVoid: async () => [],
  documents: noDocuments,
});

/** A node that gives these answers in the manner of JSON-RPC 2 or, with refusals as HTTP 500, of older nodes. */
async function connectTo(t: TestContext, own: Answers = {}, manner = { refusalStatus: 200 }): Promise<Connector> {
  const all: Answers = { ...answers, ...own };
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    type Call = { id: number; method: string; params: never[] };
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
    const answer = ({ id, method, params }: Call) => {
      const result = all[method]?.(...params) as Refusal | undefined;
      // JSON-RPC 2 leaves out `error` when there is a result, and `result` when there is an error.
      return result?.refusal ? { jsonrpc: '2.0', error: result.refusal, id } : { jsonrpc: '2.0', result, id };
    };
    const reply = Array.isArray(body) ? body.map(answer).reverse() : answer(body);
    const isRefused = !Array.isArray(reply) && 'error' in reply;
    response.writeHead(isRefused ? manner.refusalStatus : 200).end(JSON.stringify(reply));
  }
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  return connectAt((server.address() as AddressInfo).port);
}

const connectAt = (port: number): Connector =>
  createBitcoinConnector({ rpcUrl: new Secret(`http://user:p%40ss@127.0.0.1:${port}`), xpub, chain: 'main' });

const rejectedWith = (reason: RegExp, isRetryable: boolean) => (error: unknown) => {
  assert.ok(error instanceof NetworkError);
  assert.match(error.message, reason);
  assert.equal(error.isRetryable, isRetryable);
  return true;
};

test("a payment in a block of Bitcoin Core's is read", async (t) => {
  const connector = await connectTo(t);
  const observed = await connector.observe(cursor, context());
  assert.deepEqual(observed.observations, [
    {
      targetKey: ourAddress,
      txHash: payment,
      index: '0',
      assetCode: 'BTC',
      units: 12_345n,
      block: { hash: hash100, height: 100, time: new Date('2025-10-09T08:53:20.000Z') },
      trace: { inputs: [`${'f'.repeat(64)}:1`] },
    },
  ]);
  assert.equal(observed.isCaughtUp, true);
});

test('what a payer gives the network is told from the rate of the node, and not at all by a node that cannot tell', async (t) => {
  const costOf = async (more: Answers): Promise<unknown> =>
    (await (await connectTo(t, more)).observe(cursor, context())).facts?.payerCost;
  // Two inputs and two outputs of native segwit are 209 vbytes.
  assert.deepEqual(await costOf({}), { BTC: { assetCode: 'BTC', units: '418' } });
  const few = { errors: ['Insufficient data or no feerate found'], blocks: 3 };
  assert.equal(await costOf({ estimatesmartfee: () => few }), undefined);
  assert.equal(await costOf({ estimatesmartfee: refuse(-32601, 'Method not found') }), undefined);
});

test('a payment that is mined while the mempool is read is not taken for dropped', async (t) => {
  const waiting = { txHash: '9'.repeat(64), trace: { inputs: [`${'8'.repeat(64)}:0`] } };
  const connector = await connectTo(t, { getbestblockhash: () => hash101 });
  const observed = await connector.observe(cursor, context([waiting]));
  assert.deepEqual(observed.vanishedArrivals, []);
  assert.equal(observed.isCaughtUp, false);
});

test('while a node still loads its mempool, nothing is taken for dropped', async (t) => {
  const waiting = { txHash: '9'.repeat(64), trace: { inputs: [`${'8'.repeat(64)}:0`] } };
  const loading = await connectTo(t, { getmempoolinfo: () => ({ loaded: false }) });
  assert.deepEqual((await loading.observe(cursor, context([waiting]))).vanishedArrivals, []);
  const loaded = await connectTo(t);
  assert.deepEqual((await loaded.observe(cursor, context([waiting]))).vanishedArrivals, [
    { txHash: waiting.txHash, replacedBy: null },
  ]);
});

test('a block whose parent is not the one we read before is left for the next round', async (t) => {
  const block = { ...(answers['getblock']?.() as object), previousblockhash: '3'.repeat(64) };
  const connector = await connectTo(t, { getblock: () => block });
  const observed = await connector.observe(cursor, context());
  assert.deepEqual([observed.observations, observed.tip.hash, observed.isCaughtUp], [[], hash99, false]);
});

test('a waiting payment found in the block just read is not dropped', async (t) => {
  const waiting = { txHash: payment, trace: { inputs: [`${'f'.repeat(64)}:1`] } };
  const connector = await connectTo(t, { gettxout: () => null });
  const observed = await connector.observe(cursor, context([waiting]));
  assert.deepEqual(observed.vanishedArrivals, []);
});

for (const refusalStatus of [200, 500]) {
  test(`a node that is warming up is asked again later (refusals as HTTP ${refusalStatus})`, async (t) => {
    const connector = await connectTo(t, { getblockchaininfo: refuse(-28, 'Loading block index…') }, { refusalStatus });
    await assert.rejects(connector.observe(cursor, context()), rejectedWith(/Loading block index/, true));
  });
}

test('a node that is still synchronising is asked again later', async (t) => {
  const info = { ...(answers['getblockchaininfo']?.() as object), initialblockdownload: true };
  const connector = await connectTo(t, { getblockchaininfo: () => info });
  await assert.rejects(connector.observe(null, context()), rejectedWith(/still synchronising/, true));
});

test('a node on the test chain or of another coin needs an operator', async (t) => {
  const info = { ...(answers['getblockchaininfo']?.() as object), chain: 'testnet4' };
  const testNode = await connectTo(t, { getblockchaininfo: () => info });
  await assert.rejects(testNode.observe(cursor, context()), rejectedWith(/is on the chain testnet4/, false));
  const otherCoin = await connectTo(t, { getblockhash: () => '1'.repeat(64) });
  await assert.rejects(otherCoin.observe(cursor, context()), rejectedWith(/another coin's chain/, false));
});

test('a block that a pruned node has thrown away needs an operator', async (t) => {
  const connector = await connectTo(t, { getblock: refuse(-1, 'Block not available (pruned data)') });
  await assert.rejects(connector.observe(cursor, context()), rejectedWith(/no longer has block 100/, false));
});

test('a chain that shares none of our blocks needs an operator', async (t) => {
  const connector = await connectTo(t, { getblockhash: (height: number) => (height === 0 ? genesis : '2'.repeat(64)) });
  await assert.rejects(connector.observe(cursor, context()), rejectedWith(/None of the 1 newest blocks/, false));
});

test('a node that has lost its newest blocks does not take payments back', async (t) => {
  const ahead = {
    height: 101,
    hash: hash101,
    time: 0,
    recent: [
      [99, hash99],
      [100, hash100],
      [101, hash101],
    ],
  };
  const connector = await connectTo(t);
  await assert.rejects(connector.observe(ahead, context()), rejectedWith(/behind block 101/, true));
});

test('wrong credentials need an operator, a busy node does not, and neither error shows the password', async (t) => {
  for (const [status, reason, isRetryable] of [
    [401, /refuses our user name/, false],
    [503, /HTTP 503 and no JSON/, true],
  ] as const) {
    const server = createServer((_, response) => response.writeHead(status).end('Work queue depth exceeded'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close().closeAllConnections());
    const connector = connectAt((server.address() as AddressInfo).port);
    await assert.rejects(connector.observe(cursor, context()), (error: Error) => {
      assert.doesNotMatch(error.message, /p@ss|p%40ss/);
      return rejectedWith(reason, isRetryable)(error);
    });
  }
});
