/** A start that cannot succeed ends with a sentence about what to do, and no stack. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HDKey } from '@scure/bip32';
import type { Environment } from '../src/config.ts';
import { newIssuerKeypair } from '../src/lib/strkey.ts';
import { testIssuer } from './gateway.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const xpub = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/84'/0'/0'").publicExtendedKey;
const port = createServer();
let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  port.listen(0, '127.0.0.1');
  await once(port, 'listening');
});
after(async () => {
  port.close();
  await database.drop();
});

function start(settings: Environment): string {
  const env = {
    ...{ PATH: process.env['PATH'], MASTER_KEY: '5a'.repeat(32), ISSUER_ACCOUNT: testIssuer, ROLES: 'api' },
    ...{ BITCOIN_RPC_URL: 'http://u:p@127.0.0.1:1', BITCOIN_XPUB: xpub, LOG_LEVEL: 'silent', ...settings },
  };
  const { status, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8', timeout: 60_000 });
  assert.equal(status, 1, stderr);
  return stderr;
}

test('the database does not answer', () => {
  for (const host of ['127.0.0.1:1', 'localhost:1'])
    assert.equal(
      start({ DATABASE_URL: `postgres://user:abracadabra@${host}/quittance` }),
      `The database at ${host} does not answer: is it running, and is DATABASE_URL right?\n`,
    );
});

test('the database does not exist', () => {
  const url = Object.assign(new URL(database.url), { pathname: '/nowhere' });
  const sentence = `The database at ${url.host} refuses us: database "nowhere" does not exist. Is DATABASE_URL right?\n`;
  assert.equal(start({ DATABASE_URL: url.href }), sentence);
});

test('an anchored asset is our own, or there twice', () => {
  const circle = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
  const other = `BTC:${newIssuerKeypair().accountId}`;
  const named = [circle, other, other].map((asset) => `${asset}@anchor.example`).join();
  const text = start({
    DATABASE_URL: database.url,
    ISSUER_ACCOUNT: newIssuerKeypair().accountId,
    ANCHORED_ASSETS: named,
  });
  assert.ok(text.includes(`ANCHORED_ASSETS must name assets of others, but ${circle} is our own.`), text);
  assert.ok(text.includes(`ANCHORED_ASSETS must name every asset once, but names ${other} twice.`), text);
});

test('the port is taken, or the address is not ours', () => {
  const taken = String((port.address() as AddressInfo).port);
  assert.equal(
    start({ DATABASE_URL: database.url, PORT: taken }),
    `Port ${taken} of 127.0.0.1 is in use by another program: set PORT to another one.\n`,
  );
  assert.equal(
    start({ DATABASE_URL: database.url, HOST: '192.0.2.1' }),
    '192.0.2.1 is no address of this machine: set HOST to one that is.\n',
  );
});
