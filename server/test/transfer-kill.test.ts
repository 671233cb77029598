/**
 * Death between any two statements while money leaves. The sender that signs and broadcasts, the watcher that sees what
 * became of it, and the worker that books it each do one round through a proxy that stops it for ever at the k-th
 * statement, which the rest of the world cannot tell from a death; then a healthy process goes on. See kill-nine.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type Round, runRound } from './one-round.ts';
import { type Halt, startPostgresProxy } from './postgres-proxy.ts';
import { freshAddress, mine, openSender, receivedAt, rpc, type Sender } from './transfer-story.ts';

let gateway: Gateway;
let shop: Sender;
before(async () => {
  gateway = await startGateway();
  shop = await openSender(gateway, '0.9');
});
after(() => gateway.stop());

/** Does one round and dies at that statement. False: the round was over before. */
async function dieAt(role: Round['role'], halt: Halt): Promise<boolean> {
  // Of all processes one leads per network: let the victim be the one.
  for (const each of [...gateway.app.watchers, ...gateway.app.senders]) await each.stop();
  const proxy = await startPostgresProxy(gateway.databaseUrl);
  const halted = proxy.haltAt(halt).then(() => true);
  const onlyBitcoin = { LITECOIN_RPC_URL: '', LITECOIN_XPUB: '', LITECOIN_XPRV: '' };
  const env = { ...gateway.env, ...onlyBitcoin, DATABASE_URL: proxy.url };
  const ended = runRound({ role, env, now: gateway.clock.now().toISOString() }).then(
    () => false,
    () => true,
  );
  const hasDied = await Promise.race([halted, ended]);
  await proxy.cut();
  await ended;
  await proxy.close();
  return hasDied;
}

/** A transfer up to the round, the round and its death, and the rest in good health. */
async function tell(role: Round['role'], halt: Halt): Promise<boolean> {
  const address = freshAddress();
  const { id } = await shop.send({ amount: '0.001', address });
  if (role !== 'sender') {
    await gateway.runUntilIdle();
    gateway.bitcoin.mine(1);
  }
  if (role === 'worker') for (const watcher of gateway.app.watchers) while ((await watcher.tick()) === 'progress');
  const hasDied = await dieAt(role, halt);

  gateway.clock.advance({ minutes: 2 }); // What may not have arrived is broadcast again after a minute.
  await gateway.runUntilIdle();
  await mine(gateway, 3); // So many does the change need until it may be spent by the next one.
  const where = `${role} ${halt.moment} statement ${halt.statement}`;
  assert.equal((await shop.transfer(id)).state, 'COMPLETED', where);
  assert.equal(await receivedAt(gateway, address), 100_000n, where);
  assert.deepEqual(await rpc(gateway, 'getrawmempool'), [], where);
  const events = await gateway.db<{ type: string }>`select type from event where subject = ${id}`;
  assert.deepEqual(events, [{ type: 'TRANSFER_COMPLETED' }], where);
  const entries = await gateway.db<{ kind: string }>`
    select kind from ledger_entry where checkout_id = ${id} order by kind`;
  assert.deepEqual(entries, [{ kind: 'transfer_reserved' }, { kind: 'transfer_sent' }], where);
  return hasDied;
}

/** Watchers and workers die at every second statement only: kill-nine kills them at all. */
async function dieEverywhere(role: Round['role'], atLeast: number): Promise<void> {
  for (const moment of ['before', 'after'] as const) {
    let statement = 1;
    while (await tell(role, { statement, moment })) statement += role === 'sender' ? 1 : 2;
    assert.ok(statement > atLeast, `only ${statement} statements came by`);
  }
  const { reserved } = (await shop.get('/wallet?assetCode=BTC')).wallet;
  assert.equal(reserved, '0');
  assert.deepEqual(await verifyLedger(gateway.db), []);
}

test('a sender that dies anywhere sends exactly once', () => dieEverywhere('sender', 15));

test('a watcher that dies anywhere while it sees what was sent loses nothing', () => dieEverywhere('watcher', 10));

test('a worker that dies anywhere while it books what was sent books it once', () => dieEverywhere('worker', 10));
