import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type RpcAmount, unitsOf } from './utxo-block.ts';
import { createUtxoRpc } from './utxo-rpc.ts';

/** A node that hangs up on the first `hangUps` requests without a word. */
async function startNode(hangUps: number) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (requests <= hangUps) request.socket.destroy();
    else response.end(JSON.stringify({ id: 0, result: 7 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { rpc: createUtxoRpc(`http://127.0.0.1:${port}`, 60_000), close: () => server.close().closeAllConnections() };
}

test('a node that closes an idle connection while we speak is asked again', async () => {
  const node = await startNode(1);
  assert.equal(await node.rpc.call('getblockcount'), 7);
  node.close();
});

test('a node that has closed all our idle connections is asked again on a new one', async () => {
  const used = new Set<unknown>();
  const server = createServer((request, response) => {
    if (used.has(request.socket)) request.socket.destroy();
    else setImmediate(() => response.end(JSON.stringify({ id: 0, result: 7 })));
    used.add(request.socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rpc = createUtxoRpc(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 60_000);
  await Promise.all(Array.from({ length: 4 }, () => rpc.call('getblockcount')));
  assert.equal(await rpc.call('getblockcount'), 7);
  server.close().closeAllConnections();
});

test('a node that keeps hanging up is away, and worth another try later', async () => {
  const node = await startNode(5);
  await assert.rejects(node.rpc.call('getblockcount'), { name: 'NetworkError', isRetryable: true });
  node.close();
});

test('no error of a node contains the password, however it is printed', async () => {
  const password = Buffer.from('user:abracadabra').toString('base64');
  const answers = [401, 503];
  const server = createServer((request, response) => {
    assert.equal(request.headers.authorization, `Basic ${password}`);
    const status = answers.shift();
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status).end('no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const rpc = createUtxoRpc(`http://user:abracadabra@127.0.0.1:${port}/abracadabra`, 60_000);
  for (const sentence of [/refuses our user name/, /HTTP 503/, /does not answer/]) {
    const error: unknown = await rpc.call('getblockcount').catch((problem: unknown) => problem);
    assert.ok(error instanceof Error);
    assert.match(error.message, sentence);
    assert.doesNotMatch(inspect(error, { depth: null, showHidden: true }), new RegExp(`abracadabra|${password}`));
  }
  server.close().closeAllConnections();
});

test('an amount that a JSON number would round is read to the unit, and nothing else changes', async () => {
  const amounts = ['0.10000000', '9999999.99999999', '10000000.00000001', '84000000.00000001', '9999999999.99999999'];
  const outputs = amounts.map((amount, n) => `{"n":${n},"value": ${amount}}`);
  const note = '"value":123456789.00000001, "value": 5';
  const server = createServer((_, response) => {
    response.end(`{"id":0,"result":{"vout":[${outputs.join()}],"time":1700000000,"note":${JSON.stringify(note)}}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rpc = createUtxoRpc(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 60_000);
  type Read = { readonly vout: readonly { readonly value: RpcAmount }[]; readonly time: number; readonly note: string };
  const read = await rpc.call<Read>('getrawtransaction');
  assert.deepEqual(
    read.vout.map(({ value }) => unitsOf(value)),
    amounts.map((amount) => BigInt(amount.replace('.', ''))),
  );
  assert.deepEqual([read.time, read.note], [1_700_000_000, note]);
  server.close().closeAllConnections();
});
