import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type LightningSandbox, startLightningSandbox } from './lightning-sandbox.ts';

const seed = new Uint8Array(32).fill(5);

test('after a restart an old invoice can still be paid, and one that was paid cannot be paid again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-lightning-'));
  const before = await startLightningSandbox({ seed, password: 'secret', folder });
  const [paid, open] = [before.createInvoice(5_000n), before.createInvoice(6_000n)];
  await before.pay({ address: paid });
  await before.stop();

  const after = await startLightningSandbox({ seed, password: 'secret', folder });
  await assert.rejects(after.pay({ address: paid }), /refused/);
  assert.match(await after.pay({ address: open }), /^[0-9a-f]{64}$/);
  await after.stop();
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
  await after.stop();
  await rm(folder, { recursive: true });
});
