/**
 * A process that freezes keeps its connections, so PostgreSQL cannot tell it from one that is thinking. It must not
 * hold up the others for long, and when it wakes up it must find that it has no say any more.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deepTest } from './depth.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';
import { runRound } from './one-round.ts';
import { startPostgresProxy } from './postgres-proxy.ts';
import { type ServiceProcess, startServiceProcess, until } from './service-process.ts';
import { untilRested } from './until.ts';

let gateway: Gateway;
const processes: ServiceProcess[] = [];
before(async () => {
  gateway = await startGateway({ now: new Date().toISOString() });
});
after(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  await gateway.stop();
});

async function commit(): Promise<{ id: string; address: string; amount: string }> {
  const { id } = await gateway.post('/checkout', aCharge('60.00 USD', { webhook: gateway.webhookUrl }));
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  return { id, ...depositInstructions };
}

for (const [role, statement] of [
  ['watcher', 'update network_cursor'],
  ['worker', 'insert into ledger_entry'],
] as const)
  test(`a ${role} that freezes inside a transaction is overtaken, and changes nothing when it wakes up`, async (t) => {
    const checkout = await commit();
    gateway.bitcoin.pay(checkout);
    gateway.bitcoin.mine(1);
    if (role === 'worker') for (const watcher of gateway.app.watchers) await untilRested(watcher);
    for (const watcher of gateway.app.watchers) await watcher.stop();

    const proxy = await startPostgresProxy(gateway.databaseUrl);
    t.after(() => proxy.close());
    const frozen = proxy.haltAt({ statement, moment: 'after' });
    const env = { ...gateway.env, DATABASE_URL: proxy.url, LITECOIN_RPC_URL: '', LITECOIN_XPUB: '', LITECOIN_XPRV: '' };
    const round = runRound({ role, env, now: gateway.clock.now().toISOString() }).catch(() => undefined);
    await frozen;
    const inTransaction = await gateway.db`
      select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`;
    assert.equal(inTransaction.length, 1, 'it freezes while it holds locks');

    await until('another process has finished the work', async () => {
      await gateway.runUntilIdle();
      return (await gateway.state(checkout.id)) === 'COMPLETED';
    });
    proxy.thaw();
    await round;
    await gateway.runUntilIdle();
    assert.equal(await gateway.state(checkout.id), 'COMPLETED');
    const { db } = gateway;
    assert.equal((await db`select from settlement where checkout_id = ${checkout.id}`).length, 1);
    assert.equal((await db`select from event where subject = ${checkout.id}`).length, 1);
    assert.deepEqual(await db`select from job where run_at <= ${gateway.clock.now()}`, []);
  });

test('a watcher that could not take the lease does not keep others from taking it', async () => {
  const { db } = gateway;
  const [watcher] = gateway.app.watchers;
  assert.ok(watcher);
  await watcher.stop();
  const failed = await db.begin(async (tx) => {
    await tx`select from network_cursor where network = 'BITCOIN' for update`;
    const tick = watcher.tick().catch((error: unknown) => error);
    await until('the lease is waited for, and that is ended', async () => {
      const ended = await db`
        select pg_cancel_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%network_cursor.epoch + 1%'
           and pid <> pg_backend_pid()`;
      return ended.length > 0;
    });
    return tick;
  });
  assert.match(String(failed), /canceling statement/);
  await until('it leads', async () => (await watcher.tick()) !== 'follower');
});

deepTest('a watcher process that is stopped loses the lead, and writes nothing when it goes on', async () => {
  const { db } = gateway;
  for (const watcher of gateway.app.watchers) await watcher.stop();
  await db.script(`
    create table write_seen (epoch bigint not null, tip_height bigint);
    create function note_write() returns trigger language plpgsql as $$
    begin insert into write_seen values (old.epoch, new.tip_height); return new; end $$;
    create trigger note_write before update of cursor on network_cursor for each row
      when (new.network = 'BITCOIN') execute function note_write();`);
  const writers = async (): Promise<string[]> =>
    (await db<{ epoch: string }>`select distinct epoch from write_seen order by 1`).map(({ epoch }) => epoch);
  const env = { ...gateway.env, WATCH_POLL_MS: '100', LITECOIN_RPC_URL: '', LITECOIN_XPUB: '', LITECOIN_XPRV: '' };
  processes.push(await startServiceProcess(env, 'watcher'), await startServiceProcess(env, 'watcher'));
  const leads = ({ log }: ServiceProcess) => log.findLast((line) => line.msg === 'watching')?.['epoch'] as string;
  await until('one of them leads', () => processes.some(leads));
  const [leader, follower] = leads(processes[0] as ServiceProcess) ? processes : processes.toReversed();
  assert.ok(leader && follower);
  assert.equal(leads(follower), undefined, 'one leads, the other follows');

  leader.child.kill('SIGSTOP');
  const checkout = await commit();
  gateway.bitcoin.pay(checkout);
  await until('the follower leads', () => leads(follower) !== undefined);
  assert.ok(BigInt(leads(follower)) > BigInt(leads(leader)));
  await until(
    'the payment was seen',
    async () => (await db`select from payment where owner_id = ${checkout.id}`).length === 1,
  );
  await db`truncate write_seen`;

  leader.child.kill('SIGCONT');
  gateway.bitcoin.mine(1);
  await until('the payment is confirmed', async () => {
    const [payment] = await db<{ state: string }>`select state from payment where owner_id = ${checkout.id}`;
    return payment?.state === 'CONFIRMED';
  });
  const tip = gateway.bitcoin.chain.mine(3).at(-1);
  await until('the tip was written', async () => {
    const [cursor] = await db<{ tip_hash: string }>`select tip_hash from network_cursor where network = 'BITCOIN'`;
    return cursor?.tip_hash === tip;
  });
  assert.deepEqual(await writers(), [leads(follower)]);

  // It is a follower in good standing: when the new leader dies, it leads again.
  await follower.kill();
  const epoch = leads(leader);
  await until('the woken process leads again', () => leads(leader) !== epoch);
  await leader.kill();
  gateway.clock.advance({ minutes: 2 }); // The processes went by the machine's clock.
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(checkout.id), 'COMPLETED');
});
