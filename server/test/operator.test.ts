/** What the operator and the brand container ask the server for. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aCharge, type Gateway, startGateway } from './gateway.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

const browse = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(new URL(path, gateway.url), { headers });

test('health and status answer without credentials', async () => {
  for (const path of ['/health', '/api/v1/health'])
    assert.deepEqual(await (await browse(path)).json(), { status: 'ok' }, path);
  const well = { status: 'ok', parts: { database: 'ok', BITCOIN: 'ok', LITECOIN: 'ok' } };
  for (const path of ['/api/v1/status']) assert.deepEqual(await (await browse(path)).json(), well, path);
  await gateway.request('GET', '/status', undefined, { unsigned: true });
});

test('a network that is silent degrades the status', async () => {
  const own = await startGateway();
  const at = (path: string) => fetch(`${own.url}${path}`);
  own.clock.advance({ minutes: 11 });
  assert.deepEqual(await (await at('/status')).json(), {
    status: 'degraded',
    parts: { database: 'ok', BITCOIN: 'away', LITECOIN: 'away' },
  });
  await own.stop();
});

test('metrics show the queue, the lag of every network, webhooks, the books and memory', async () => {
  const { id } = await gateway.post('/checkout', aCharge('25.00 USD', { webhook: gateway.webhookUrl }));
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  gateway.bitcoin.pay(depositInstructions);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();

  const reply = await browse('/metrics');
  assert.match(reply.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await reply.text();
  const value = (name: string): string | undefined =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1);
  assert.equal(value('quittance_jobs{state="due"}'), '0');
  assert.equal(value('quittance_jobs{state="waiting"}'), '1');
  assert.equal(value('quittance_jobs{state="parked"}'), '0');
  assert.equal(value('quittance_oldest_due_job_seconds'), '0');
  assert.equal(value('quittance_network_blocks_behind{network="BITCOIN"}'), '0');
  assert.equal(value('quittance_network_silence_seconds{network="LITECOIN"}'), '0');
  assert.equal(value('quittance_network_is_failing{network="LITECOIN"}'), '0');
  assert.equal(value('quittance_oldest_undelivered_webhook_seconds'), '0');
  assert.match(text, /^quittance_ledger_imbalance\{asset="BTC:\w+"\} 0$/m);
  assert.match(value('process_resident_memory_bytes') ?? '', /^\d{7,}$/);
  assert.match(text, /http_request_duration_seconds_count/);
});

test('metrics are for this machine only, unless a token opens them', async () => {
  assert.equal((await browse('/metrics', { 'x-forwarded-for': '127.0.0.1' })).status, 403);
  const own = await startGateway({ env: { METRICS_TOKEN: 'a-token-of-some-length' } });
  const ask = async (authorization?: string) =>
    (await fetch(new URL('/metrics', own.url), authorization ? { headers: { authorization } } : {})).status;
  assert.equal(await ask(), 401);
  assert.equal(await ask('Bearer a-token-of-some-lengt'), 401);
  assert.equal(await ask('Bearer a-token-of-some-length'), 200);
  await own.stop();
});

test('images and the stylesheet are served with their type and may be kept', async () => {
  const image = await browse('/images/assets/btc.svg');
  assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/svg+xml']);
  const etag = image.headers.get('etag') ?? '';
  assert.equal((await browse('/images/assets/btc.svg', { 'if-none-match': `"x", W/${etag}` })).status, 304);
  assert.equal((await browse('/css/page.css?v=1')).headers.get('content-type'), 'text/css; charset=utf-8');
  assert.equal((await browse('/favicon.ico')).headers.get('content-type'), 'image/x-icon');
  assert.equal(((await (await browse('/manifest.json')).json()) as { name: string }).name, 'Quittance');
});

test('no path leads out of the images', async () => {
  for (const path of [
    '/images/',
    '/images/..%2fhtml.ts',
    '/images/%2e%2e/html.ts',
    '/images/assets',
    '/css/page.css/x',
  ])
    assert.equal((await browse(path)).status, 404, path);
});

test('the front door says what this is, and a wrong door is a page', async () => {
  assert.match(await (await browse('/')).text(), /payment service for shops/);
  const lost = await browse('/nowhere', { 'accept-language': 'it' });
  assert.equal(lost.status, 404);
  assert.match(await lost.text(), /Questa pagina non esiste/);
});
