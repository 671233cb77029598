import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
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
