/** One balance, many connections, several processes: not a unit more leaves than there was. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { merchantAccount } from '../src/ledger/chart-of-accounts.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { decimal, toUnits } from '../src/money/decimal.ts';
import { digestHeaders, type Gateway, startGateway, testIssuer, withoutLitecoin } from './gateway.ts';
import { accountIsLocked, crowdAt } from './meet-at.ts';
import { type ServiceProcess, startServiceProcess, until } from './service-process.ts';
import { freshAddress, mine, openSender, receivedAt } from './transfer-story.ts';

let gateway: Gateway;
const processes: ServiceProcess[] = [];
const poolSize = 4;
before(async () => {
  gateway = await startGateway({ now: new Date().toISOString(), env: withoutLitecoin });
});
after(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  await gateway.stop();
});

async function start(roles: string): Promise<ServiceProcess> {
  const env = { ...gateway.env, DATABASE_POOL_SIZE: String(poolSize), WATCH_POLL_MS: '20' };
  const started = await startServiceProcess(env, roles);
  processes.push(started);
  return started;
}

test('forty orders at once, at two processes, cannot overdraw a balance by a unit', async () => {
  // A destination that nothing was sent to waits, and while it waits nothing but the balance is held for it.
  const shop = await openSender(gateway, '0.02', { destinationWaitMinutes: 60 }); // 1,990,000 satoshis after the fee.
  await mine(gateway, 100); // What is not final is counted under a lock of its own.
  for (const each of [...gateway.app.watchers, ...gateway.app.senders]) await each.stop();
  const [one, two] = await Promise.all([start('api'), start('api')]);
  const address = freshAddress();
  const order = async (number: number): Promise<{ status: number; body: any }> => {
    const body = JSON.stringify({ network: 'BITCOIN', asset: 'BTC', amount: '0.0045', address, meta: { number } });
    const url = (number % 2 ? one : two)?.url;
    const headers = digestHeaders(shop.merchant, 'POST', '/transfer', body, new Date());
    const keyed = { ...headers, 'idempotency-key': `order-${number}` };
    const reply = await fetch(`${url}/transfer`, { method: 'POST', headers: keyed, body });
    const answer = { status: reply.status, body: await reply.json() };
    // A process of which more is asked than it has connections for says so after a while, and when to ask again.
    const againAfter = reply.headers.get('retry-after');
    if (againAfter === null) return answer;
    await sleep(Number(againAfter) * 1_000);
    return order(number);
  };
  const account = merchantAccount(shop.merchant.merchantId, 'available', `BTC:${testIssuer}`);
  const replies = await crowdAt(gateway.db, accountIsLocked(account), 2 * poolSize, () =>
    Promise.all(Array.from({ length: 40 }, (_, number) => order(number))),
  );
  const accepted = replies.filter(({ status }) => status === 200);
  const total = 450_000n + units(accepted[0]?.body.transfer.fee);
  const expected = 1_990_000n / total;
  assert.equal(BigInt(accepted.length), expected);
  assert.ok(expected < 2 * poolSize, 'more of them were deciding at the same moment than can be paid');
  for (const { status, body } of replies)
    if (status !== 200) {
      assert.equal(status, 422, JSON.stringify(body));
      assert.match(body.errors[0], /too little/);
    }
  assert.deepEqual(await shop.balances(), {
    'available/BTC': String(1_990_000n - expected * total),
    'reserved/BTC': String(expected * total),
  });

  // As if the hour had passed.
  await gateway.db`update transfer set usable_from = now()`;
  await gateway.db`update job set run_at = now() where name = 'transfer.advance'`;
  // And all that was promised is sent, by two workers of which one is killed while it sends.
  const [worker] = await Promise.all([start('worker'), start('worker'), start('watcher')]);
  await until('something is signed', async () => {
    return (await gateway.db`select from outgoing_transaction limit 1`).length > 0;
  });
  await worker?.kill();
  await until('everything has arrived', async () => {
    gateway.bitcoin.mine(1);
    const left = await gateway.db`select from transfer where state <> 'COMPLETED'`;
    return left.length === 0;
  });
  assert.equal(await receivedAt(gateway, address), expected * 450_000n);
  assert.deepEqual(await shop.balances(), { 'available/BTC': String(1_990_000n - expected * total) });
  const events = await gateway.db`select from event where type = 'TRANSFER_COMPLETED'`;
  assert.equal(BigInt(events.length), expected);
  assert.deepEqual(await verifyLedger(gateway.db), []);
});

const units = (text: string): bigint => toUnits(decimal(text), 8, 'down');
