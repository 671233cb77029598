/**
 * Several processes of every role on one database, with everything happening to the same checkouts at once, and some
 * of the processes killed in the middle. What comes out does not depend on who was faster, except where the story says
 * so; the books and the states must agree whatever it is. That is all that is shown here: a lock that is missing may
 * go unnoticed by so much luck. Each has a story without luck in `races-for-money`, `races-for-records` or
 * `races-on-stellar`.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { isCredited } from '../src/checkouts/checkout-state.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { aCharge, digestHeaders, type Gateway, startGateway } from './gateway.ts';
import { type ServiceProcess, startServiceProcess, until } from './service-process.ts';
import { untilRested } from './until.ts';

let gateway: Gateway;
const processes: ServiceProcess[] = [];
before(async () => {
  gateway = await startGateway({ now: new Date().toISOString() });
  for (const watcher of gateway.app.watchers) await watcher.stop();
});
after(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  await gateway.stop();
});

async function start(roles: string): Promise<ServiceProcess> {
  const started = await startServiceProcess({ ...gateway.env, DATABASE_POOL_SIZE: '4', WATCH_POLL_MS: '20' }, roles);
  processes.push(started);
  return started;
}

async function post(url: string, path: string, body: unknown): Promise<{ status: number; body: any }> {
  const raw = JSON.stringify(body);
  const headers = digestHeaders(gateway.merchant, 'POST', path, raw, new Date());
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: raw });
  return { status: response.status, body: await response.json() };
}

test('six processes, of which two are killed, agree about every payment', async () => {
  const { db, bitcoin, litecoin } = gateway;
  const [one, two, worker, , watcher] = await Promise.all(
    ['api', 'api', 'worker', 'worker', 'watcher', 'watcher'].map(start),
  );
  assert.ok(one?.url && two?.url && worker && watcher);
  const urls = [one.url, two.url];
  const on = (n: number): string => urls[n % 2] as string;

  async function create(n: number): Promise<string> {
    const { status, body } = await post(on(n), '/checkout', aCharge('60.00 USD', { webhook: gateway.webhookUrl }));
    assert.equal(status, 200, JSON.stringify(body));
    return body.id;
  }
  /** On both servers at once, several times: they must agree. */
  async function commit(id: string, network: string): Promise<{ address: string; amount: string }> {
    const replies = await Promise.all(
      Array.from({ length: 4 }, (_, n) => post(on(n), '/checkout/commit', { checkoutId: id, network })),
    );
    assert.equal(new Set(replies.map((reply) => JSON.stringify(reply.body))).size, 1, JSON.stringify(replies));
    return replies[0]?.body.depositInstructions;
  }
  const cancel = (id: string) => urls.map((url) => post(url, '/checkout/cancel', { checkoutId: id }));
  /** As if an hour had passed for this checkout. */
  async function endWindow(id: string): Promise<void> {
    await db`update commitment set committed_at = committed_at - interval '1 hour', expires_at = expires_at - interval '1 hour'
              where checkout_id = ${id}`;
    await db`update job set run_at = now() where payload ->> 'checkoutId' = ${id} and claimed_by is null`;
  }

  const stories: Record<string, (n: number) => Promise<string>> = {
    async 'paid in full'(n) {
      const id = await create(n);
      bitcoin.pay(await commit(id, 'BITCOIN'));
      await Promise.all(cancel(id));
      return id;
    },
    async 'paid twice'(n) {
      const id = await create(n);
      const instructions = await commit(id, 'LITECOIN');
      litecoin.pay(instructions);
      litecoin.pay(instructions);
      return id;
    },
    async 'paid in halves on two networks'(n) {
      const id = await create(n);
      const [onBitcoin, onLitecoin] = [await commit(id, 'BITCOIN'), await commit(id, 'LITECOIN')];
      bitcoin.pay({ ...onBitcoin, amount: '0.0005' });
      litecoin.pay({ ...onLitecoin, amount: '0.375' });
      return id;
    },
    async 'cancelled and paid'(n) {
      const id = await create(n);
      const instructions = await commit(id, 'BITCOIN');
      const canceled = cancel(id);
      bitcoin.pay(instructions);
      await Promise.all(canceled);
      return id;
    },
    async 'never paid'(n) {
      const id = await create(n);
      await commit(id, 'BITCOIN');
      await Promise.all([endWindow(id), ...cancel(id)]);
      return id;
    },
    async 'paid too little'(n) {
      const id = await create(n);
      bitcoin.pay({ ...(await commit(id, 'BITCOIN')), amount: '0.0004' });
      await endWindow(id);
      return id;
    },
  };

  const checkouts = new Map<string, string>();
  const runs = Array.from({ length: 4 }, () => Object.entries(stories)).flat();
  await Promise.all([
    ...runs.map(async ([name, tell], n) => checkouts.set(await tell(n), name)),
    until('half of the stories are told', () => checkouts.size > runs.length / 2).then(async () => {
      await Promise.all([worker.kill(), watcher.kill()]);
      bitcoin.mine(1);
      litecoin.mine(1);
    }),
  ]);
  bitcoin.mine(1);
  bitcoin.chain.reorganise(1);
  bitcoin.mine(2);
  litecoin.chain.reorganise(1);
  const tips = [bitcoin.chain.mine(6).at(-1), litecoin.chain.mine(12).at(-1)];

  await until('both chains are read and nothing is left to do', async () => {
    const read = await db<{ tip_hash: string }>`select tip_hash from network_cursor order by network`;
    const due = await db`select from job where run_at <= now()`;
    return read.every(({ tip_hash }, n) => tip_hash === tips[n]) && due.length === 0;
  });
  assert.deepEqual(await db`select from job where parked_reason is not null or last_error is not null`, []);

  for (const [id, story] of checkouts) {
    const [checkout] = await db<{ state: string }>`select state from checkout where id = ${id}`;
    const allowed: Record<string, RegExp> = {
      'never paid': /^(EXPIRED|CANCELED)$/,
      'paid too little': /^UNDERPAID$/,
      'cancelled and paid': /^(DELAYED_)?COMPLETED$/,
    };
    assert.match(checkout?.state ?? '', allowed[story] ?? /^COMPLETED$/, story);
    await assertBooked(id, checkout?.state as Parameters<typeof isCredited>[0]);
  }
  assert.deepEqual(await verifyLedger(db), []);
  // What we hold on the chains is what arrived, to the last unit.
  const [difference] = await db`
    select (select sum(units) from payment) + (select sum(balance) from ledger_account where id like 'operator/wallet-%') as units`;
  assert.deepEqual(difference, { units: '0' });
});

async function assertBooked(checkoutId: string, state: Parameters<typeof isCredited>[0]): Promise<void> {
  const { db } = gateway;
  const [facts] = await db<Record<'standing' | 'completed' | 'reversed' | 'unplaced' | 'misplaced', number>>`
    select (select count(*)::integer from settlement where checkout_id = ${checkoutId} and reversed_at is null) as standing,
           (select count(*)::integer from event where subject = ${checkoutId} and type = 'CHECKOUT_COMPLETED') as completed,
           (select count(*)::integer from event where subject = ${checkoutId} and type = 'CHECKOUT_REVERSED') as reversed,
           (select count(*)::integer from payment where owner_id = ${checkoutId} and place = 'none') as unplaced,
           (select count(*)::integer from payment
             where owner_id = ${checkoutId} and place in ('settled', 'pending')) as misplaced`;
  assert.ok(facts);
  assert.equal(facts.standing, isCredited(state) ? 1 : 0);
  assert.equal(facts.completed - facts.reversed, facts.standing, 'every credit and every reversal was announced');
  assert.equal(facts.unplaced, 0, 'every payment is in the books');
  if (!isCredited(state)) assert.equal(facts.misplaced, 0, 'what is not credited waits in suspense');
}

test('jobs of a worker that is killed are taken over, and the merchant recognises the repetition', async () => {
  await Promise.all(processes.splice(0).map((each) => each.kill()));
  const ids: unknown[] = [];
  const asked = Promise.withResolvers<void>();
  const receiver = createServer((request, response) => {
    ids.push(request.headers['webhook-id']);
    if (ids.length > 1) response.writeHead(200).end();
    else asked.resolve(); // Thinks about it for ever.
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

  const { id } = await gateway.post('/checkout', aCharge('60.00 USD', { webhook }));
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  gateway.bitcoin.pay(depositInstructions);
  gateway.bitcoin.mine(1);
  for (const watcher of gateway.app.watchers) await untilRested(watcher);
  const worker = await start('worker');
  await asked.promise;
  const successor = await start('worker');
  await worker.kill();
  await until('the merchant is told again', () => ids.length > 1);
  assert.equal(new Set(ids).size, 1);
  await until('it is written down', async () => {
    const [delivery] = await gateway.db<{ state: string }>`select state from delivery where subject = ${id}`;
    return delivery?.state === 'DELIVERED';
  });
  await successor.kill();
  receiver.closeAllConnections();
  receiver.close();
});
