/**
 * PostgreSQL goes away and comes back: restarted for real under running processes, and cut off between them. The API
 * says so in a way that clients understand, everybody else waits, nothing is skipped, and all goes on by itself.
 */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { deepTest } from './depth.ts';
import { aCharge, digestHeaders, type Gateway, startGateway } from './gateway.ts';
import { type PostgresProxy, startPostgresProxy } from './postgres-proxy.ts';
import { type ServiceProcess, startServiceProcess, until } from './service-process.ts';

let gateway: Gateway;
let proxy: PostgresProxy;
let service: ServiceProcess;
before(async () => {
  gateway = await startGateway({ now: new Date().toISOString() });
  for (const watcher of gateway.app.watchers) await watcher.stop();
  proxy = await startPostgresProxy(gateway.databaseUrl);
  service = await startServiceProcess({ ...gateway.env, DATABASE_URL: proxy.url, WATCH_POLL_MS: '100' }, 'all');
});
after(async () => {
  await service.kill();
  await proxy.close();
  await gateway.stop();
});

async function request(method: string, path: string, body?: unknown): Promise<{ response: Response; body: any }> {
  const raw = body === undefined ? '' : JSON.stringify(body);
  const headers = digestHeaders(gateway.merchant, method, path, raw, new Date());
  const response = await fetch(`${service.url}${path}`, { method, headers, ...(raw === '' ? {} : { body: raw }) });
  return { response, body: await response.json() };
}

async function commit(): Promise<{ id: string; address: string; amount: string }> {
  const created = await request('POST', '/checkout', aCharge('60.00 USD', { webhook: gateway.webhookUrl }));
  assert.equal(created.response.status, 200, JSON.stringify(created.body));
  const { id } = created.body;
  const { body } = await request('POST', '/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  return { id, ...body.depositInstructions };
}

const stateOf = async (id: string): Promise<string> =>
  (await gateway.db<{ state: string }>`select state from checkout where id = ${id}`)[0]?.state ?? '';

async function assertToldToComeBack(path: string): Promise<void> {
  const { response, body } = await request('POST', path, aCharge('60.00 USD'));
  assert.equal(response.status, 503);
  assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal(body.errors.length, 1);
}

test('without its database the API says when to come back, and what happened meanwhile is credited afterwards', async () => {
  const before = await commit();
  const during = await commit();
  gateway.bitcoin.pay(before);
  await until('the first payment was seen', async () => (await stateOf(before.id)) === 'PROCESSING');

  await proxy.cut();
  await assertToldToComeBack('/checkout');
  gateway.bitcoin.mine(1);
  gateway.bitcoin.pay(during);
  gateway.bitcoin.mine(1);
  gateway.bitcoin.chain.reorganise(1);
  gateway.bitcoin.mine(2);
  await assertToldToComeBack('/checkout');
  assert.equal(await stateOf(before.id), 'PROCESSING');
  assert.equal(await stateOf(during.id), 'PENDING');
  assert.equal(service.child.exitCode, null);

  proxy.mend();
  for (const { id } of [before, during]) {
    await until('it is credited', async () => (await stateOf(id)) === 'COMPLETED');
    await until('it is announced', () => gateway.webhooks.some(({ data }) => data.checkout.id === id));
  }
  await commit();
  const [cursor] = await gateway.db`select failing_since from network_cursor where network = 'BITCOIN'`;
  assert.deepEqual(cursor, { failing_since: null }, 'a database that was away says nothing about the network');
  assert.deepEqual(await verifyLedger(gateway.db), []);
});

deepTest('connections that break one by one, at any moment, cost nothing', async () => {
  const checkouts = await Promise.all(Array.from({ length: 12 }, commit));
  let isOver = false;
  const breaking = (async () => {
    while (!isOver) {
      await gateway.db`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and client_port = any(${proxy.ports()})
         order by random() limit 1`;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  for (const checkout of checkouts) {
    gateway.bitcoin.pay(checkout);
    gateway.bitcoin.mine(1);
    await until('it was seen', async () => (await stateOf(checkout.id)) !== 'PENDING');
  }
  isOver = true;
  await breaking;
  for (const { id } of checkouts) {
    await until('it is credited', async () => (await stateOf(id)) === 'COMPLETED');
    await until('it is announced', () => gateway.webhooks.some(({ data }) => data.checkout.id === id));
    assert.equal((await gateway.db`select from event where subject = ${id}`).length, 1);
    assert.equal((await gateway.db`select from settlement where checkout_id = ${id}`).length, 1);
  }
  await until('no job is left', async () => (await gateway.db`select from job where run_at <= now()`).length === 0);
  assert.equal(service.child.exitCode, null);
  assert.deepEqual(await verifyLedger(gateway.db), []);
});

deepTest('a PostgreSQL that is restarted under a running service is found again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-away-'));
  const settings = { fsync: 'off' };
  let postgres = await startEmbeddedPostgres({ folder, settings });
  const env = { ...gateway.env, DATABASE_URL: postgres.url, WATCH_POLL_MS: '100' };
  const own = await startServiceProcess(env, 'all');
  const status = async (): Promise<number> => {
    const headers = digestHeaders(gateway.merchant, 'GET', '/auth-test', '', new Date());
    return (await fetch(`${own.url}/auth-test`, { headers })).status;
  };
  const leases = (): number => own.log.filter((line) => line.msg === 'watching').length;
  try {
    const port = Number(new URL(postgres.url).port);
    assert.equal(await status(), 401, 'the merchant is unknown to this database');
    await until('both networks are watched', () => leases() === 2);
    await postgres.stop();
    assert.equal(await status(), 503);
    assert.equal((await fetch(`${own.url}/auth-test`)).status, 401, 'what needs no database is answered');
    postgres = await startEmbeddedPostgres({ folder, settings, port });
    await until('the database is used again', async () => (await status()) === 401);
    await until('both networks are watched again', () => leases() >= 4);
    assert.equal(own.child.exitCode, null);
  } finally {
    await own.kill();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});
