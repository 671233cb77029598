/**
 * A process opens its door when it can serve, and as soon as it can; while it cannot, it says so and lives on. What
 * takes long, such as counting the books, is done behind the open door, by one process at a time.
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, afterEach, before, test } from 'node:test';
import { freePort } from '../src/lib/free-port.ts';
import { deepTest } from './depth.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type NodeProxy, startNodeProxy } from './node-proxy.ts';
import { type PostgresProxy, startPostgresProxy } from './postgres-proxy.ts';
import { type LaunchedProcess, launchServiceProcess, type ServiceProcess, until } from './service-process.ts';

let gateway: Gateway;
let node: NodeProxy;
let proxy: PostgresProxy;
const processes = new Set<LaunchedProcess>();
before(async () => {
  gateway = await startGateway({ now: new Date().toISOString(), env: withoutLitecoin });
  node = await startNodeProxy();
  node.passTo(gateway.bitcoin.chain.url);
  proxy = await startPostgresProxy(gateway.databaseUrl);
});
after(async () => {
  node.letGo();
  await node.close();
  await proxy.close();
  await gateway.stop();
});
afterEach(async () => {
  node.letGo();
  proxy.mend();
  await Promise.all(Array.from(processes, (each) => each.kill()));
  processes.clear();
});

function launch(roles: string, port = 0): LaunchedProcess {
  const { username, password } = new URL(gateway.bitcoin.chain.url);
  const bitcoin = node.urlFor(`${username}:${password}`);
  const env = { ...gateway.env, BITCOIN_RPC_URL: bitcoin, DATABASE_URL: proxy.url, PORT: String(port) };
  const launched = launchServiceProcess(env, roles);
  processes.add(launched);
  return launched;
}

async function start(roles: string): Promise<ServiceProcess> {
  return launch(roles).started;
}

const said = ({ log }: Pick<ServiceProcess, 'log'>, message: string) => log.filter(({ msg }) => msg === message);
const ask = (url: string | null, path: string): Promise<Response> => fetch(new URL(path, url ?? ''));
const hide = (): Promise<unknown> => gateway.db`alter table rate_observation rename to rate_observation_away`;
const show = (): Promise<unknown> => gateway.db`alter table rate_observation_away rename to rate_observation`;

/** As if nobody had counted for long. */
const forgetCounts = (): Promise<unknown> =>
  gateway.db`update reconciliation set checked_at = checked_at - interval '1 hour'`;
const countTurns = async (): Promise<{ has: number; wait: number }> => {
  const [row] = await gateway.db<{ has: string; wait: string }>`
    select count(*) filter (where granted) as has, count(*) filter (where not granted) as wait from pg_locks
     where locktype = 'advisory' and classid = 7011
       and database = (select oid from pg_database where datname = current_database())`;
  return { has: Number(row?.has), wait: Number(row?.wait) };
};

test('a process that cannot read what it needs says so, and listens once it can', async () => {
  await hide();
  const port = await freePort('127.0.0.1');
  const launched = launch('api', port);
  const waits = 'cannot serve yet, and tries again';
  await until('it has tried twice', () => said(launched, waits).length >= 2);
  const [line] = said(launched, waits);
  assert.deepEqual([line?.['what'], line?.['attempt']], ['shared state', 1]);
  assert.match(JSON.stringify(line?.['err']), /rate_observation/);
  await assert.rejects(ask(`http://127.0.0.1:${port}`, '/health'), 'nobody listens');
  await show();
  const { url } = await launched.started;
  assert.equal((await ask(url, '/health')).status, 200);
});

deepTest('a process that cannot serve yet ends when it is told to', async (t) => {
  await hide();
  t.after(show);
  const launched = launch('api');
  await until('it waits', () => said(launched, 'cannot serve yet, and tries again').length > 0);
  launched.child.kill('SIGTERM');
  assert.deepEqual(await once(launched.child, 'exit'), [0, null]);
});

deepTest('however many signals tell a process to end, it ends in order', async () => {
  const service = await start('all');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGINT', 'SIGTERM'] as const) service.child.kill(signal);
  assert.deepEqual(await once(service.child, 'exit'), [0, null]);
  assert.equal(said(service, 'stopped').length, 1);
});

deepTest(
  'health is not 200 while the database is away or cannot be read, and is again afterwards; alive it is all the time',
  async () => {
    const service = await start('api');
    const health = async (): Promise<number> => (await ask(service.url, '/health')).status;
    assert.equal(await health(), 200);
    for (const [breakIt, mendIt] of [
      [() => proxy.cut(), async () => proxy.mend()],
      [hide, show],
    ] as const) {
      await breakIt();
      await until('it says that it cannot serve', async () => (await health()) === 503);
      for (const path of ['/health', '/api/v1/health']) {
        const reply = await ask(service.url, path);
        assert.equal(reply.status, 503);
        assert.match(reply.headers.get('retry-after') ?? '', /^\d+$/);
        assert.deepEqual(await reply.json(), { errors: ['The service cannot read its database at the moment.'] });
      }
      assert.equal((await ask(service.url, '/alive')).status, 200);
      await mendIt();
      await until('it can serve again', async () => (await health()) === 200);
    }
  },
);

deepTest('the door is open before the books are counted and while thousands of jobs wait', async () => {
  await forgetCounts();
  await gateway.db`
    insert into job (name, payload, run_at)
    select 'checkout.advance', jsonb_build_object('merchantId', 'nobody', 'checkoutId', 'nothing-' || number), now()
      from generate_series(1, 10000) as number`;
  node.hold('scantxoutset');
  const service = await start('api,worker');
  await until('the node is asked to count', () => node.held === 1);
  assert.equal((await ask(service.url, '/health')).status, 200);
  assert.deepEqual(said(service, 'not counted'), [], 'it has not given the node up');
  await gateway.db`delete from job`;
  const [before] = await gateway.db`select checked_at from reconciliation where network = 'BITCOIN'`;
  node.letGo();
  await until('it is counted', async () => {
    const [now] = await gateway.db`select checked_at from reconciliation where network = 'BITCOIN'`;
    return String(now?.['checked_at']) !== String(before?.['checked_at']);
  });
});

deepTest('of several processes one counts at a time, and the others take its result', async () => {
  await forgetCounts();
  node.hold('scantxoutset');
  const before = node.countOf('scantxoutset');
  await Promise.all([start('worker'), start('worker')]);
  await until('one counts and the other waits for its turn', async () => {
    const { has, wait } = await countTurns();
    return has === 1 && wait === 1 && node.held === 1;
  });
  node.letGo();
  await until('both have had their turn', async () => {
    const { has, wait } = await countTurns();
    return has + wait === 0;
  });
  assert.equal(node.countOf('scantxoutset') - before, 1);
});

deepTest('a process that dies while it counts leaves the turn to others', async () => {
  await forgetCounts();
  node.hold('scantxoutset');
  const first = await start('worker');
  await until('it counts', () => node.held === 1);
  await start('worker');
  await until('the other one waits', async () => (await countTurns()).wait === 1);
  await first.kill();
  await until('the other one counts', () => node.held === 2);
  node.letGo();
});
