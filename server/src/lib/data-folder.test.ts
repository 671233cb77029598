import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDataFolder, readAccess, writeAccess } from './data-folder.ts';
import { Secret } from './secret.ts';

const scratch = await mkdtemp(join(tmpdir(), 'quittance-data-'));
after(() => rm(scratch, { recursive: true, force: true }));
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test('the first start generates secrets that only the owner can read, and later starts keep them', async () => {
  const path = join(scratch, 'new', 'data');
  const first = await openDataFolder(path);
  assert.match(first.secrets.masterKey.reveal(), /^[0-9a-f]{64}$/);
  assert.match(first.secrets.walletSeed.reveal(), /^[0-9a-f]{64}$/);
  assert.notEqual(first.secrets.masterKey.reveal(), first.secrets.walletSeed.reveal());
  assert.equal(await modeOf(path), 0o700);
  assert.equal(await modeOf(join(path, 'secrets.json')), 0o600);
  first.release();

  const second = await openDataFolder(path);
  for (const name of ['masterKey', 'walletSeed', 'issuerSeed'] as const) {
    assert.equal(second.secrets[name].reveal(), first.secrets[name].reveal());
  }
  second.release();
});

test('a secret that a newer version needs is added to those of an older one', async () => {
  const path = join(scratch, 'older');
  await mkdir(path);
  await writeFile(join(path, 'secrets.json'), JSON.stringify({ masterKey: 'a'.repeat(64), ofAnotherVersion: 'kept' }));
  const folder = await openDataFolder(path);
  assert.equal(folder.secrets.masterKey.reveal(), 'a'.repeat(64));
  const stored = JSON.parse(await readFile(join(path, 'secrets.json'), 'utf8')) as Record<string, string>;
  assert.equal(stored['ofAnotherVersion'], 'kept');
  assert.equal(stored['walletSeed'], folder.secrets.walletSeed.reveal());
  folder.release();
});

test('damaged or lost secrets are never replaced, and never quoted', async () => {
  const damaged = join(scratch, 'damaged');
  await mkdir(damaged);
  await writeFile(join(damaged, 'secrets.json'), '{"masterKey": "deadbeef');
  await assert.rejects(openDataFolder(damaged), (error: Error) => {
    assert.match(error.message, /secrets\.json is damaged/);
    assert.ok(!String(error.stack).includes('deadbeef'));
    return true;
  });
  assert.equal(await readFile(join(damaged, 'secrets.json'), 'utf8'), '{"masterKey": "deadbeef');

  const lost = join(scratch, 'lost');
  await mkdir(join(lost, 'postgres', 'data'), { recursive: true });
  await assert.rejects(openDataFolder(lost), /secrets\.json is missing\. Restore that file/);
});

test('a second service on one folder is refused, until the first is gone, even by kill -9', async () => {
  const path = join(scratch, 'shared');
  const script = `
    import { openDataFolder } from ${JSON.stringify(import.meta.resolve('./data-folder.ts'))};
    await openDataFolder(${JSON.stringify(path)});
    console.log('mine');
    setInterval(() => undefined, 60_000);`;
  const other = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  await assert.rejects(openDataFolder(path), new RegExp(`shared is in use by process ${other.pid}\\.`));

  other.kill('SIGKILL');
  (await openDataFolder(path)).release();
});

test('the access file tells a shop on this machine how to reach us, and nobody else', async () => {
  await writeAccess(scratch, { baseUrl: 'http://localhost:3000', apiKey: 'abc', apiSecret: new Secret('xyz') });
  assert.equal(await modeOf(join(scratch, 'access.json')), 0o600);
  assert.deepEqual(JSON.parse(await readFile(join(scratch, 'access.json'), 'utf8')), {
    baseUrl: 'http://localhost:3000',
    apiKey: 'abc',
    apiSecret: 'xyz',
  });
  assert.equal((await readAccess(scratch))?.apiSecret.reveal(), 'xyz');
  assert.equal(await readAccess(join(scratch, 'elsewhere')), null);
});
