/**
 * Death at any point, with real processes too. A watcher or a worker does one round of work through a proxy that stops
 * it. There it dies, a healthy process finishes, and everything must be as if nothing had happened. Nothing in the
 * service knows of this.
 *
 * Every point is the last one of a wiring that is cut off, as in die-everywhere; and some statements are the last ones
 * of real processes, killed with SIGKILL before PostgreSQL hears of it or after PostgreSQL has done it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { deepTest, isSample } from './depth.ts';
import { dieAtEveryPoint, liveUntil } from './die-everywhere.ts';
import { aCharge, type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type Round, rounds } from './one-round.ts';
import { type Halt, startPostgresProxy } from './postgres-proxy.ts';
import { turns, untilRested } from './until.ts';

type Death = 'cut off' | 'killed';

let gateway: Gateway;
const victims: Promise<ChildProcess>[] = [];

before(async () => {
  gateway = await startGateway();
  victims.push(loadVictim(), loadVictim());
});
after(async () => {
  for (const victim of await Promise.all(victims)) victim.kill('SIGKILL');
  await gateway.stop();
});

async function loadVictim(): Promise<ChildProcess> {
  const child = fork(new URL('./one-round.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(child, 'message');
  return child;
}

/** Does one round and dies at that statement. False: the round was over before. */
async function dieAt(role: Round['role'], halt: Halt, death: Death): Promise<boolean> {
  const { env, clock } = gateway;
  if (death === 'cut off') return liveUntil(gateway, halt, withoutLitecoin, [rounds[role]], undefined);
  // Of all processes one leads per network: let the victim be the one.
  for (const watcher of gateway.app.watchers) await watcher.stop();
  const proxy = await startPostgresProxy(gateway.databaseUrl);
  const halted = proxy.haltAt(halt).then(() => true);
  const child = (await victims.shift()) as ChildProcess;
  victims.push(loadVictim());
  const done = once(child, 'message').then(() => false);
  child.send({ role, env: { ...env, DATABASE_URL: proxy.url, ...withoutLitecoin }, now: clock.now().toISOString() });
  const hasDied = await Promise.race([halted, done]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await proxy.close();
  return hasDied;
}

async function commit(): Promise<{ id: string; address: string; amount: string }> {
  const { id } = await gateway.post('/checkout', aCharge('60.00 USD', { webhook: gateway.webhookUrl }));
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  return { id, ...depositInstructions };
}

async function assertPaidOnce(checkoutId: string): Promise<void> {
  const { db, webhooks } = gateway;
  assert.equal(await gateway.state(checkoutId), 'COMPLETED');
  const events = await db<{ id: string; type: string }>`select id, type from event where subject = ${checkoutId}`;
  assert.deepEqual(
    events.map((event) => event.type),
    ['CHECKOUT_COMPLETED'],
  );
  const deliveries = webhooks.filter(({ data }) => data.checkout.id === checkoutId);
  assert.ok(deliveries.length >= 1, 'the merchant was told');
  for (const { headers } of deliveries) assert.equal(headers['webhook-id'], events[0]?.id);
  assert.deepEqual(await db`select state from delivery where subject = ${checkoutId}`, [{ state: 'DELIVERED' }]);
  assert.deepEqual(await db`select state, place, generation from payment where owner_id = ${checkoutId}`, [
    { state: 'CONFIRMED', place: 'settled', generation: 1 },
  ]);
  assert.deepEqual(
    await db`select kind, count(*)::integer from ledger_entry where subject_id = ${checkoutId} group by 1 order by 1`,
    [
      { kind: 'payment_received', count: 1 },
      { kind: 'settlement', count: 1 },
    ],
  );
  const due = await db`select name, payload from job where run_at <= ${gateway.clock.now()}`;
  assert.deepEqual(due, [], 'no job is left');
  assert.deepEqual(await db`select from job where claimed_by is not null or last_error is not null`, []);
}

async function assertBooksAndCursor(): Promise<void> {
  const { db } = gateway;
  const [before] =
    await db`select tip_hash, failing_since, blocks_behind from network_cursor where network = 'BITCOIN'`;
  assert.deepEqual(before, { tip_hash: tipHash, failing_since: null, blocks_behind: '0' });
  assert.deepEqual(await verifyLedger(db), []);
  assert.deepEqual(await gateway.balances(), { 'available/BTC': String(99_500 * paid) });
}

let paid = 0;
let tipHash = '';
type Story = { readonly role: Round['role']; upToTheRound(pay: () => void): Promise<void> };

/** The story up to the round, the round and its death, and the rest of the story in good health. */
async function tell({ role, upToTheRound }: Story, halt: Halt, death: Death): Promise<boolean> {
  const { id, ...instructions } = await commit();
  await upToTheRound(() => void gateway.bitcoin.pay(instructions));
  const hasDied = await dieAt(role, halt, death);
  await gateway.runUntilIdle();
  tipHash = gateway.bitcoin.chain.mine(1)[0] ?? '';
  await gateway.runUntilIdle();
  await assertPaidOnce(id).catch((error: unknown) => {
    throw new Error(`${role} ${death} at ${JSON.stringify(halt)}`, { cause: error });
  });
  paid += 1;
  return hasDied;
}

async function dieEverywhere(story: Story, atLeast: number): Promise<void> {
  await dieAtEveryPoint((point) => tell(story, { point }, 'cut off'), atLeast);
  for (const moment of ['before', 'after'] as const) {
    let deaths = 0;
    for (const turn of turns()) {
      if (!(await tell(story, { statement: 2 + turn * 11, moment }, 'killed'))) break;
      deaths += 1;
      if (isSample()) break;
    }
    assert.ok(deaths > 0, 'a real process was killed');
  }
  await assertBooksAndCursor();
}

test('a watcher that dies anywhere while it sees a payment loses nothing and doubles nothing', () =>
  dieEverywhere({ role: 'watcher', upToTheRound: async (pay) => pay() }, 7));

deepTest('a watcher that dies anywhere while a payment confirms loses nothing and doubles nothing', () =>
  dieEverywhere(
    {
      role: 'watcher',
      async upToTheRound(pay) {
        pay();
        await gateway.runUntilIdle();
        gateway.bitcoin.mine(1);
      },
    },
    7,
  ),
);

test('a worker that dies anywhere while it credits and announces loses nothing and doubles nothing', () =>
  dieEverywhere(
    {
      role: 'worker',
      async upToTheRound(pay) {
        pay();
        gateway.bitcoin.mine(1);
        for (const watcher of gateway.app.watchers) await untilRested(watcher);
      },
    },
    11,
  ));
