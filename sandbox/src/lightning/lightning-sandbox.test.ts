import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startLightningSandbox } from './lightning-sandbox.ts';

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
