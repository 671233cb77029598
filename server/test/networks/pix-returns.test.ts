/** Returns over Pix with a bank that is slow, forgetful or refuses: nothing goes back twice, and nothing uncertain has failed. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type PixHarness, startPixHarness } from '@quittance/sandbox/pix/pix-harness';
import { senderOf } from '../../src/networks/outgoing-memory.ts';
import type { PixSettings } from '../../src/networks/pix/pix.ts';
import { NetworkError } from '../../src/networks/port/connector.ts';
import type { OutgoingTransaction, Payout } from '../../src/networks/port/sending.ts';
import { createWatched, type Watched } from './watched-connector.ts';

let harness: PixHarness;
let watched: Watched;
let made = 0;
beforeEach(async () => {
  harness = await startPixHarness();
  watched = createWatched(harness.createConnector());
  await watched.observe();
});
afterEach(() => harness.stop());

/** Somebody pays 100.00 BRL. Gives the name of the Pix. */
async function paid(): Promise<string> {
  const targetId = `target-${made++}`;
  const target = await watched.connector.createTarget({
    targetId,
    index: 0,
    reference: targetId,
    amount: { asset: 'BRL:NATIVE', units: 100_00n },
    assetCode: 'BRL',
    requestedAt: new Date('2026-03-01T12:00:00Z'),
    expiresAt: new Date('2026-03-01T13:00:00Z'),
  });
  watched.targets.add(target.key);
  const name = harness.node.pay(target);
  await watched.observe();
  return name;
}

const payout = (address: string, units: bigint, id = `refund-${made++}`): Payout => ({
  id,
  assetCode: 'BRL',
  units,
  address,
  memo: null,
  memoType: null,
  holder: null,
});

async function sign(address: string, units: bigint): Promise<OutgoingTransaction> {
  const signed = await senderOf(watched.connector).prepare([payout(address, units)], watched.sendContext());
  return watched.outgoing.keep(signed);
}

const broadcast = (transaction: OutgoingTransaction, changed: Partial<PixSettings> = {}): Promise<void> =>
  senderOf(harness.createConnector(changed)).broadcast(transaction);

async function fateOf({ txHash }: OutgoingTransaction) {
  await watched.observe();
  return watched.outgoing.transactions.get(txHash)?.update ?? null;
}

const returnsOf = (name: string): string[] =>
  harness.node.findPix(name).returns.map(({ centavos, status }) => `${centavos} ${status}`);

const isUncertain = (error: unknown): boolean => error instanceof NetworkError && error.isRetryable;

test('a return has gone when the bank says so, and bears the name that all banks know it by', async () => {
  const name = await paid();
  const signed = await sign(name, 40_00n);
  await broadcast(signed);
  assert.equal(await fateOf(signed), null, 'it is being done');
  harness.advance({ minutes: 1 });
  const update = await fateOf(signed);
  assert.equal(update?.outcome, 'included');
  assert.equal(update?.happenedAs, harness.node.findPix(name).returns[0]?.returnId);
  assert.equal(update?.block?.height, Date.parse('2026-03-01T12:01:00Z') / 60_000);
});

test('a return that was asked for, and answered with an error, goes once', async () => {
  const name = await paid();
  const signed = await sign(name, 40_00n);
  harness.node.mischief.failAfterDoing = 1;
  await broadcast(signed);
  await broadcast(signed);
  assert.deepEqual(returnsOf(name), ['4000 EM_PROCESSAMENTO']);
  harness.node.mischief.slowMs = 80;
  const other = await sign(name, 10_00n);
  await assert.rejects(broadcast(other, { timeoutMs: 50 }), isUncertain);
  harness.node.mischief.slowMs = 0;
  assert.equal(await fateOf(other), null, 'uncertain is not failed');
  await broadcast(other);
  assert.deepEqual(returnsOf(name), ['4000 EM_PROCESSAMENTO', '1000 EM_PROCESSAMENTO']);
});

test('the same payout asks for the same return for ever, also after a database was restored', async () => {
  const name = await paid();
  const [first, again] = await Promise.all(
    [1, 2].map(() => senderOf(watched.connector).prepare([payout(name, 40_00n, 'same')], watched.sendContext())),
  );
  assert.deepEqual(again, first);
  assert.match(first?.txHash ?? '', /^[a-zA-Z0-9]{1,35}$/);
});

test('what the bank did not carry out has failed, and it says why', async () => {
  const name = await paid();
  const signed = await sign(name, 40_00n);
  await broadcast(signed);
  harness.node.endReturn(name, signed.txHash, 'NAO_REALIZADO');
  const update = await fateOf(signed);
  assert.deepEqual(
    [update?.outcome, update?.block, update?.reason],
    ['failed', null, 'The bank did not give it back: A conta do pagador foi encerrada.'],
  );
  await broadcast(signed);
  assert.deepEqual(returnsOf(name), ['4000 NAO_REALIZADO'], 'and is not asked for again');
});

test('a return that the bank can never carry out has failed, and until that is certain it waits', async () => {
  const name = await paid();
  const signed = await sign(name, 60_00n);
  harness.node.giveBack(name, 'portal', 50_00n, null);
  await assert.rejects(broadcast(signed), isUncertain);
  assert.equal(await fateOf(signed), null, 'what is on its way in the portal may not happen');
  harness.advance({ minutes: 1 });
  await assert.rejects(broadcast(signed), isUncertain);
  const update = await fateOf(signed);
  assert.deepEqual(
    [update?.outcome, update?.reason],
    ['failed', 'Of this payment 50 BRL are left at the bank to go back.'],
  );

  const late = await sign(name, 10_00n);
  harness.advance({ days: 90 });
  assert.equal(await fateOf(late), null, 'the day is not over everywhere');
  harness.advance({ days: 2 });
  const over = await fateOf(late);
  assert.equal(over?.outcome, 'failed');
  assert.match(over?.reason ?? '', /more than 90 days ago/);
});

test('whoever asks for a return is told at once what the bank would refuse', async () => {
  const name = await paid();
  const estimate = (address: string, units: bigint) =>
    senderOf(watched.connector).estimateFee(payout(address, units), watched.sendContext());
  assert.deepEqual(await estimate(name, 100_00n), { assetCode: 'BRL', units: 0n });
  await assert.rejects(estimate(name, 100_01n), /100 BRL are left/);
  await assert.rejects(estimate('E'.repeat(32), 1n), /does not know this payment/);
  await assert.rejects(estimate('somebody@bank.example', 1n), /Nothing can be sent over Pix/);
  harness.node.contest(name, { centavos: 30_00n });
  await assert.rejects(estimate(name, 70_01n), /70 BRL are left/);
  harness.advance({ days: 90 });
  await assert.rejects(estimate(name, 1n), /more than 90 days ago/);
});

test('a bank that does not answer for returns keeps no payment from being read', async () => {
  const signed = await sign(await paid(), 40_00n);
  await broadcast(signed);
  harness.node.mischief.tamper = (path) => (path.includes('/devolucao/') ? { status: 503, text: '{}' } : undefined);
  const before = watched.payments.size;
  await paid();
  assert.equal(watched.payments.size, before + 1);
  assert.equal(await fateOf(signed), null);
});

test('another amount under our name is nothing that anybody may guess about', async () => {
  const signed = await sign(await paid(), 40_00n);
  await broadcast(signed);
  harness.node.mischief.tamper = (path, { status, body }) =>
    path.includes('/devolucao/')
      ? { status, text: JSON.stringify({ ...(body as object), valor: '40.01' }) }
      : undefined;
  await assert.rejects(watched.ask(), (error) => error instanceof NetworkError && !error.isRetryable);
});

test('what the bank says of another Pix than it was asked for decides nothing', async () => {
  const [name, other] = [await paid(), await paid()];
  const signed = await sign(name, 40_00n);
  const contested = {
    id: 'contested',
    rtrId: 'D'.repeat(32),
    valor: '100.00',
    status: 'DEVOLVIDO',
    natureza: 'MED_FRAUDE',
    horario: { liquidacao: '2026-03-01T12:00:00Z' },
  };
  const { tamper } = harness.node.mischief;
  harness.node.mischief.tamper = (path, { status, body }) =>
    path === `/pix/${name}`
      ? { status, text: JSON.stringify({ ...(body as object), endToEndId: other, devolucoes: [contested] }) }
      : undefined;
  assert.equal(await fateOf(signed), null, 'of another payment nothing is left, of this one all');
  const estimate = senderOf(watched.connector).estimateFee(payout(name, 1n), watched.sendContext());
  await assert.rejects(estimate, (error) => error instanceof NetworkError && error.isRetryable);
  harness.node.mischief.tamper = tamper;
  await broadcast(signed);
  harness.advance({ minutes: 1 });
  assert.equal((await fateOf(signed))?.outcome, 'included');
});

test('of hundreds of returns that the bank has not done yet, each look asks for some, and none is forgotten', async () => {
  const name = await paid();
  const signed: OutgoingTransaction[] = [];
  for (let count = 0; count < 120; count += 1) signed.push(await sign(name, 1n));
  for (const each of signed) await broadcast(each);
  harness.advance({ minutes: 1 });
  const asked = harness.node.asked();
  assert.equal((await watched.ask()).sent?.length, 50);
  assert.ok(harness.node.asked() - asked < 60);
  for (let look = 0; look < 3; look += 1) await watched.observe();
  assert.ok(signed.every(({ txHash }) => watched.outgoing.transactions.get(txHash)?.update?.outcome === 'included'));
});

test('without the permission nothing is given back, and what was asked for before is followed', async () => {
  const name = await paid();
  const signed = await sign(name, 40_00n);
  await broadcast(signed);
  harness.advance({ minutes: 1 });
  const without = harness.createConnector({ returns: false });
  assert.equal(without.sender, undefined);
  watched.restart(without);
  assert.equal((await fateOf(signed))?.outcome, 'included');
});

test('a return of our own is told with the name under which we signed it, a contested one is not ours', async () => {
  const name = await paid();
  const signed = await sign(name, 40_00n);
  await broadcast(signed);
  harness.node.contest(name, { centavos: 10_00n });
  harness.advance({ minutes: 1 });
  const { reversals = [] } = await watched.ask();
  const isOurs = reversals.map(({ units, signedAs = '' }) => [units, watched.outgoing.isOurs(signedAs)]);
  assert.deepEqual(isOurs, [
    [40_00n, true],
    [10_00n, false],
  ]);
});
