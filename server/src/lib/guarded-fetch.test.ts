import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { afterEach, test } from 'node:test';
import { createGuardedFetch, createTextFetch, FetchFailed, parseOutsideUrl, wholeText } from './guarded-fetch.ts';
import { addressKind } from './public-address.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

async function startReceiver(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const refusing = createGuardedFetch({ allowLoopback: false, timeoutMs: 60_000 });
const local = createGuardedFetch({ allowLoopback: true, timeoutMs: 60_000 });

const failure = (sentence: RegExp) => (error: unknown) =>
  error instanceof FetchFailed && sentence.test(error.message) ? true : assert.fail(String(error));

test('private, reserved and embedded addresses are not public', () => {
  const inner = `
    0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 169.254.169.254 172.16.0.1 192.168.1.1 192.0.0.192
    192.0.2.1 198.18.0.1 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 168.63.129.16 :: ::10.0.0.1 fe80::1
    fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1 2001:db8::1 3fff::1 100::1 5f00::1 ::ffff:10.0.0.1
    ::ffff:a9fe:a9fe 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b:1::1 2002:0a00:0001:: 2001::1 4000::1 nonsense
  `
    .trim()
    .split(/\s+/);
  for (const address of inner) assert.equal(addressKind(address), 'other', address);
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '64:ff9b::127.0.0.1'])
    assert.equal(addressKind(address), 'loopback', address);
  for (const address of ['1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])
    assert.equal(addressKind(address), 'public', address);
});

test('an inner address is refused in every notation', async () => {
  const hosts = `
    127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 0x7f.1 127.0.0.1. １２７.0.0.1 0 10.1 0xa9fea9fe
    169.254.169.254 [::1] [::] [::ffff:127.0.0.1] [::ffff:a00:1] [64:ff9b::7f00:1] [fd00:ec2::254]
    %31%32%37.0.0.1
  `
    .trim()
    .split(/\s+/);
  for (const host of hosts) {
    await assert.rejects(refusing({ url: `http://${host}/` }), failure(/does not lead to a public address/), host);
  }
});

test('loopback can be allowed, other inner addresses cannot', async () => {
  const port = await startReceiver((_request, response) => response.end('hello'));
  assert.equal((await local({ url: `http://127.0.0.1:${port}/` })).body, 'hello');
  await assert.rejects(local({ url: 'http://10.0.0.1/' }), failure(/public address/));
  await assert.rejects(local({ url: 'http://0.0.0.0/' }), failure(/public address/));
});

test('a name is refused when any of its addresses is an inner one', async () => {
  const resolve = async () => ['93.184.215.14', '10.0.0.1'];
  const fetch = createGuardedFetch({ allowLoopback: false, resolve });
  await assert.rejects(fetch({ url: 'https://hostile.example/' }), failure(/^hostile\.example does not lead/));
});

test('a name that answers differently the second time is not asked a second time', async () => {
  let reached = 0;
  const port = await startReceiver((_request, response) => {
    reached += 1;
    response.end();
  });
  let asked: string[] = [];
  const rebinding = (first: string, later: string, timeoutMs: number) =>
    createGuardedFetch({
      allowLoopback: true,
      timeoutMs,
      resolve: async (name) => (asked.push(name) === 1 ? [first] : [later]),
    })({ url: `http://rebind.example:${port}/` });

  await assert.rejects(rebinding('93.184.215.14', '127.0.0.1', 300), FetchFailed);
  assert.deepEqual([asked.length, reached], [1, 0]);

  asked = [];
  await rebinding('127.0.0.1', '93.184.215.14', 60_000);
  assert.deepEqual([asked.length, reached], [1, 1]);
});

test('TLS asks for the name, not for the address that was checked', async () => {
  const hello = Promise.withResolvers<Buffer>();
  const server = createSocketServer((socket) => {
    socket.once('data', (data) => {
      hello.resolve(data);
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  cleanUps.push(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fetch = createGuardedFetch({ allowLoopback: true, resolve: async () => ['127.0.0.1'] });
  await assert.rejects(fetch({ url: `https://secure.example:${port}/` }), failure(/closed the connection/));
  assert.ok((await hello.promise).includes('secure.example'));
});

test('the receiver is addressed by its name and no connection is kept for the next one', async () => {
  const seen: { host: string | undefined; connection: string | undefined; port: number | undefined }[] = [];
  const port = await startReceiver((request, response) => {
    const { host, connection } = request.headers;
    seen.push({ host, connection, port: request.socket.remotePort });
    response.end();
  });
  const fetch = createGuardedFetch({ allowLoopback: true, resolve: async () => ['127.0.0.1'] });
  await fetch({ url: `http://one.example:${port}/` });
  await fetch({ url: `http://two.example:${port}/` });
  assert.deepEqual(
    seen.map((entry) => [entry.host, entry.connection]),
    [
      [`one.example:${port}`, 'close'],
      [`two.example:${port}`, 'close'],
    ],
  );
  assert.notEqual(seen[0]?.port, seen[1]?.port);
});

test('a name that does not resolve says so', async () => {
  const resolve = () => Promise.reject(new Error('ENOTFOUND'));
  await assert.rejects(
    createGuardedFetch({ allowLoopback: false, resolve })({ url: 'https://gone.example/' }),
    failure(/^The host name gone\.example cannot be resolved\.$/),
  );
  await assert.rejects(
    createGuardedFetch({ allowLoopback: false, resolve: async () => [] })({ url: 'https://gone.example/' }),
    failure(/cannot be resolved/),
  );
});

test('only http and https without credentials are fetched', async () => {
  await assert.rejects(local({ url: 'ftp://example.com/' }), failure(/must start with https:\/\/ or http:\/\//));
  await assert.rejects(local({ url: 'file:///etc/passwd' }), failure(/must start with/));
  await assert.rejects(local({ url: 'not a url' }), failure(/cannot be read/));
  await assert.rejects(local({ url: 'https://user:pass@example.com/' }), failure(/user name or a password/));
  await assert.rejects(local({ url: 'http://example.com/', requireHttps: true }), failure(/start with https:\/\/\.$/));
  assert.throws(() => parseOutsideUrl('http://a@b.example', { requireHttps: false }), failure(/user name/));
  assert.equal(parseOutsideUrl('https://shop.example/hook', { requireHttps: true }).pathname, '/hook');
});

test('a redirect is an answer, not a way', async () => {
  let requests = 0;
  const port = await startReceiver((_request, response) => {
    requests += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  const reply = await local({ url: `http://127.0.0.1:${port}/` });
  assert.deepEqual([reply.status, reply.headers['location'], requests], [302, '/elsewhere', 1]);
});

test('a receiver that is silent, slow to resolve or dripping is left after the time limit', async () => {
  const hasty = { allowLoopback: true, timeoutMs: 200 };
  const silent = await startReceiver(() => undefined);
  await assert.rejects(
    createGuardedFetch(hasty)({ url: `http://127.0.0.1:${silent}/` }),
    failure(/did not answer within 0\.2 seconds/),
  );

  const resolve = () => new Promise<string[]>(() => undefined);
  await assert.rejects(
    createGuardedFetch({ ...hasty, resolve })({ url: 'http://slow.example/' }),
    failure(/did not answer within/),
  );

  const dripping = await startReceiver((_request, response) => {
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  });
  // It would drip for ever. It has time to begin: what has begun is an answer, though not a whole one.
  const patient = createGuardedFetch({ allowLoopback: true, timeoutMs: 3_000 });
  const reply = await patient({ url: `http://127.0.0.1:${dripping}/` });
  assert.deepEqual([reply.status, reply.isComplete], [200, false]);
});

test('a huge reply is read only as far as the limit', async () => {
  let sent = 0;
  const port = await startReceiver((_request, response) => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const pump = (): void => {
      while (!response.destroyed && sent < 500_000_000) {
        sent += chunk.length;
        if (!response.write(chunk)) {
          response.once('drain', pump);
          return;
        }
      }
    };
    pump();
  });
  const fetch = createGuardedFetch({ allowLoopback: true, replyBytesMax: 1_000 });
  const reply = await fetch({ url: `http://127.0.0.1:${port}/` });
  assert.deepEqual([reply.status, reply.body.length, reply.isComplete], [200, 1_000, false]);
  assert.ok(sent < 50_000_000, `the receiver could send ${sent} bytes`);
});

test('a server that is away, hangs up or does not speak HTTP is told apart', async () => {
  const port = await startReceiver((request) => request.socket.destroy());
  await assert.rejects(local({ url: `http://127.0.0.1:${port}/` }), failure(/closed the connection/));
  await assert.rejects(local({ url: 'http://127.0.0.1:1/' }), failure(/refused the connection/));
  await assert.rejects(local({ url: `https://127.0.0.1:${port}/` }), failure(/\.$/));

  const babbler = createSocketServer((socket) => socket.end('SSH-2.0-hello\r\n')).listen(0, '127.0.0.1');
  cleanUps.push(() => babbler.close());
  await once(babbler, 'listening');
  const babblerPort = (babbler.address() as AddressInfo).port;
  await assert.rejects(local({ url: `http://127.0.0.1:${babblerPort}/` }), failure(/does not answer in HTTP/));
});

test('a text is fetched over https only', async () => {
  const fetchText = createTextFetch({ allowLoopback: true });
  await assert.rejects(fetchText('http://127.0.0.1/rates'), failure(/must start with https/));
});

test('a text is whole, or there is none', () => {
  const reply = { status: 200, headers: {}, body: '{"rate":1', isComplete: true };
  assert.equal(wholeText(reply, 'rates.test'), '{"rate":1');
  assert.throws(() => wholeText({ ...reply, isComplete: false }, 'rates.test'), failure(/rates\.test .* cut off/));
  assert.throws(() => wholeText({ ...reply, status: 404 }, 'rates.test'), failure(/rates\.test .* 404/));
});

test('a process that was frozen while it connected does not send what was to be sent long ago', async (context) => {
  let requests = 0;
  const port = await startReceiver((_request, response) => {
    requests += 1;
    response.end();
  });
  const timeoutMs = 60_000;
  let frozenMs = 0;
  const now = performance.now.bind(performance);
  context.mock.method(performance, 'now', () => now() + frozenMs);
  const fetch = createGuardedFetch({
    allowLoopback: true,
    timeoutMs,
    async resolve() {
      frozenMs = timeoutMs;
      return ['127.0.0.1'];
    },
  });
  const url = `http://shop.test:${port}/`;
  await assert.rejects(fetch({ url, method: 'POST', body: '{}' }), failure(/took too long/));
  assert.equal(requests, 0);
});
