import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deepTest } from '@quittance/server/test/depth';
import { type LightningSandbox, startLightningSandbox } from './lightning-sandbox.ts';

const seed = new Uint8Array(32).fill(5);

const heldSat = async ({ restUrl, macaroon }: LightningSandbox): Promise<number> => {
  const reply = await fetch(`${restUrl}/v1/balance/channels`, { headers: { 'grpc-metadata-macaroon': macaroon } });
  return Number(((await reply.json()) as { local_balance: { sat: string } }).local_balance.sat);
};

async function settledIndexes({ restUrl, macaroon }: LightningSandbox): Promise<number[]> {
  const reply = await fetch(`${restUrl}/v1/invoices`, { headers: { 'grpc-metadata-macaroon': macaroon } });
  const { invoices } = (await reply.json()) as { invoices: { state: string; settle_index: string }[] };
  return invoices.filter(({ state }) => state === 'SETTLED').map(({ settle_index: index }) => Number(index));
}

/**
 * Every content that the disk can have if the process dies while an invoice is being paid: after every turn of the
 * event loop, and, within the turn that ends the payment, when the nodes' file is written and the journal is not yet.
 */
deepTest('whenever the sandbox dies, its node holds what its invoices say, and old invoices can be paid', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-lightning-'));
  const options = { seed, password: 'secret', channelSat: 1_000_000n, pushSat: 500_000n };
  const before = await startLightningSandbox({ ...options, folder });
  const [paid, open] = [before.createInvoice(5_000n), before.createInvoice(6_000n)];
  const asked = before.wallet.request({ sat: 7_000n }).invoice;

  const disks = new Map<string, string>();
  const copyDisk = (): void => {
    const files = ['lightning.jsonl', 'lightning/nodes.json'].map((name) => readFileSync(join(folder, name)));
    const name = createHash('sha256').update(Buffer.concat(files)).digest('hex');
    if (!disks.has(name))
      cpSync(folder, disks.set(name, `${folder}-${disks.size}`).get(name) ?? '', { recursive: true });
  };
  let isPaid = false;
  const paying = before.pay({ address: paid }).then(() => (isPaid = true));
  while (!isPaid) {
    copyDisk();
    await nextTurn();
  }
  await paying;
  await before.stop();
  copyDisk();
  const journal = readFileSync(join(folder, 'lightning.jsonl'), 'utf8').trimEnd().split('\n');
  assert.match(journal.at(-1) ?? '', /settlement/);
  writeFileSync(join(folder, 'lightning.jsonl'), `${journal.slice(0, -1).join('\n')}\n`);
  copyDisk();
  assert.ok(disks.size >= 3, 'before, after, and in between');

  for (const disk of disks.values()) {
    const after = await startLightningSandbox({ ...options, folder: disk });
    const isSettled = (await settledIndexes(after)).length === 1;
    if (isSettled) await assert.rejects(after.pay({ address: paid }), /refused/);
    else await after.pay({ address: paid }).catch(() => undefined); // It fails if the first attempt still succeeds.
    await after.pay({ address: open });
    assert.deepEqual(await settledIndexes(after), [1, 2], disk);
    assert.equal(await heldSat(after), 511_000);
    const body = JSON.stringify({ payment_request: asked, fee_limit_sat: '10', timeout_seconds: 5 });
    const headers = { 'grpc-metadata-macaroon': after.macaroon };
    const sent = await fetch(`${after.restUrl}/v2/router/send`, { method: 'POST', headers, body });
    assert.match(await sent.text(), /SUCCEEDED/);
    await after.stop();
    await rm(disk, { recursive: true });
  }
  await rm(folder, { recursive: true });
});

test('an invoice above what the channel holds finds no way', async () => {
  const node = await startLightningSandbox({ seed, password: 'secret', channelSat: 100_000n });
  await assert.rejects(node.pay({ address: node.createInvoice(99_900n) }), /refused|no way/);
  await node.stop();
});

test('what the node has paid it knows after a restart, and does not pay again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-lightning-'));
  const options = { seed, password: 'secret', folder, channelSat: 1_000_000n, pushSat: 500_000n };
  const before = await startLightningSandbox(options);
  const { invoice, hash } = before.wallet.request({ sat: 5_000n });
  const send = async ({ restUrl, macaroon }: LightningSandbox): Promise<string[]> => {
    const body = JSON.stringify({ payment_request: invoice, fee_limit_sat: '10', timeout_seconds: 5 });
    const headers = { 'grpc-metadata-macaroon': macaroon };
    const reply = await fetch(`${restUrl}/v2/router/send`, { method: 'POST', headers, body });
    const lines = (await reply.text()).trim().split('\n');
    return lines.map((line) => JSON.parse(line)).map(({ result, error }) => result?.status ?? error.message);
  };
  assert.deepEqual(await send(before), ['IN_FLIGHT', 'SUCCEEDED']);
  assert.equal(before.wallet.received(hash), 5_000_000n);
  assert.deepEqual(await send(before), ['invoice is already paid']);
  await before.stop();

  const after = await startLightningSandbox(options);
  assert.deepEqual(await send(after), ['invoice is already paid']);
  assert.equal(await heldSat(after), 495_000);
  await after.stop();
  await rm(folder, { recursive: true });
});
