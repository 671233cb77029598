/** What opens an LND: its address, a macaroon, and a certificate that it signed itself. The key in vectors/ opens nothing. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Secret } from '../../src/lib/secret.ts';
import { createSettingsReader } from '../../src/lib/setting-table.ts';
import { lightningSettings } from '../../src/networks/lightning/lightning-settings.ts';
import { createLndRest } from '../../src/networks/lightning/lnd-rest.ts';
import { NetworkError } from '../../src/networks/port/connector.ts';

const vector = (name: string) => new URL(`../vectors/lnd-tls/${name}`, import.meta.url);
let server: Server;
let restUrl: string;
let certificate: string;
before(async () => {
  certificate = await readFile(vector('tls.cert'), 'utf8');
  server = createServer({ cert: certificate, key: await readFile(vector('tls.key')) }, (request, response) => {
    const macaroon = request.headers['grpc-metadata-macaroon'];
    if (request.url === '/stream') response.write('{"result":{"part":1}}\n{"resu');
    else response.end(JSON.stringify({ macaroon }));
    if (request.url === '/stream') setTimeout(() => response.end('lt":{"part":2}}\n'), 20);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  restUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.close();
  server.closeAllConnections();
});

const access = (tlsCertificate: string | null) => ({ restUrl, macaroon: new Secret('0201'), tlsCertificate });

test('a node with a certificate of its own is trusted when that certificate is configured, and only then', async () => {
  assert.deepEqual(await createLndRest(access(certificate), 60_000).get('/v1/getinfo'), { macaroon: '0201' });
  await assert.rejects(createLndRest(access(null), 60_000).get('/v1/getinfo'), NetworkError);
});

test('a subscription gives its messages however they were cut, and says when it ends', async () => {
  const messages: unknown[] = [];
  const ended = await new Promise((onEnd) => {
    createLndRest(access(certificate), 60_000).subscribe('/stream', {
      onMessage: (message) => messages.push(message),
      onEnd,
    });
  });
  assert.deepEqual(messages, [{ part: 1 }, { part: 2 }]);
  assert.ok(ended instanceof NetworkError && ended.isRetryable);
});

function read(env: Record<string, string>, isProduction = true) {
  const { reader, problems } = createSettingsReader(env, isProduction);
  return { settings: lightningSettings.read({ ...reader, issuedCoins: [] }), problems };
}

test('the macaroon and the certificate are given as text or as files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-lnd-'));
  const file = join(folder, 'invoice.macaroon');
  await writeFile(file, Buffer.from('0201036c6e64', 'hex'));
  const asText = { LIGHTNING_MACAROON: '0201036c6e64', LIGHTNING_TLS_CERT: certificate.replaceAll('\n', '\\n') };
  const asFile = { LIGHTNING_MACAROON: file, LIGHTNING_TLS_CERT: vector('tls.cert').pathname };
  for (const given of [asText, asFile]) {
    const { settings, problems } = read({ LIGHTNING_REST_URL: restUrl, ...given });
    assert.deepEqual(problems, []);
    assert.equal(settings?.macaroon.reveal(), '0201036c6e64');
    assert.equal(settings?.tlsCertificate, certificate);
    assert.equal(settings?.chain, 'main');
  }
  await rm(folder, { recursive: true });
});

test('a node sends only when it is told to, for no more than a limit', () => {
  const access = { LIGHTNING_REST_URL: restUrl, LIGHTNING_MACAROON: '02' };
  assert.equal(read(access).settings?.feeLimit, undefined);
  const on = { ...access, LIGHTNING_SEND: 'on' };
  assert.deepEqual(read(on).settings?.feeLimit, { partsPerMillion: 10_000n, minimumUnits: 10n });
  const own = { LIGHTNING_FEE_LIMIT_PERCENT: '0.25', LIGHTNING_FEE_LIMIT_MINIMUM: '3' };
  assert.deepEqual(read({ ...on, ...own }).settings?.feeLimit, { partsPerMillion: 2_500n, minimumUnits: 3n });
  const wrong = { LIGHTNING_FEE_LIMIT_PERCENT: '101', LIGHTNING_FEE_LIMIT_MINIMUM: '-1' };
  assert.deepEqual(read({ ...on, ...wrong }).problems, [
    'LIGHTNING_FEE_LIMIT_PERCENT must be a number from 0 to 100, but is "101".',
    'LIGHTNING_FEE_LIMIT_MINIMUM must be a whole number from 0 to 999999999, but is "-1".',
  ]);
});

test('whoever is paid may hold a payment for three days, unless it is said otherwise, from a day to two weeks', () => {
  const held = (blocks?: string) =>
    read({
      LIGHTNING_REST_URL: restUrl,
      LIGHTNING_MACAROON: '02',
      ...(blocks !== undefined && { LIGHTNING_HOLD_BLOCKS: blocks }),
    });
  const known = [held(), held('144'), held('2016')].map(({ settings }) => settings?.holdBlocksMax);
  assert.deepEqual(known, [432, 144, 2_016]);
  const problems = ['143', '2017'].map((blocks) => held(blocks).problems);
  assert.deepEqual(problems, [
    ['LIGHTNING_HOLD_BLOCKS must be a whole number from 144 to 2016, but is "143".'],
    ['LIGHTNING_HOLD_BLOCKS must be a whole number from 144 to 2016, but is "2017".'],
  ]);
});

test('wrong settings are named, and none at all mean no Lightning', () => {
  assert.deepEqual(read({}), { settings: undefined, problems: [] });
  assert.match(read({ LIGHTNING_REST_URL: restUrl }).problems.join(), /LIGHTNING_MACAROON must be set/);
  assert.match(read({ LIGHTNING_MACAROON: '02' }).problems.join(), /LIGHTNING_REST_URL must be set/);
  const wrong = { LIGHTNING_REST_URL: 'http://node', LIGHTNING_MACAROON: '/nowhere', LIGHTNING_CHAIN: 'regtest' };
  assert.deepEqual(read(wrong).problems, [
    'LIGHTNING_CHAIN must not be regtest in production.',
    'LIGHTNING_REST_URL must begin with https:// in production.',
    'LIGHTNING_MACAROON names a file that cannot be read.',
  ]);
});
