import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { HDKey } from '@scure/bip32';
import { createSettingsReader } from '../../../lib/setting-table.ts';
import { bitcoinChain, createBitcoinConnector } from '../../bitcoin/bitcoin.ts';
import { utxoSettings } from './utxo-settings.ts';

function read(env: Record<string, string | undefined>) {
  const { reader, problems } = createSettingsReader(env, false);
  return { settings: utxoSettings('BITCOIN', bitcoinChain).read({ ...reader, issuedCoins: [] }), problems };
}

const master = HDKey.fromMasterSeed(new Uint8Array(32).fill(3));
const account = master.derive("m/84'/0'/0'");
const node = { BITCOIN_RPC_URL: 'http://user:password@127.0.0.1:8332', BITCOIN_XPUB: account.publicExtendedKey };

test('without a private key the service receives and cannot send', () => {
  const { settings, problems } = read(node);
  assert.deepEqual(problems, []);
  assert.ok(settings);
  assert.equal(createBitcoinConnector(settings).sender, undefined);
  assert.equal(
    createBitcoinConnector(settings).addressProblem?.({ address: 'x', memo: null, memoType: null }) === null,
    false,
  );
});

test('with the private key of the same account it can send, and the key is not printed', () => {
  const { settings, problems } = read({ ...node, BITCOIN_XPRV: account.privateExtendedKey });
  assert.deepEqual(problems, []);
  assert.ok(settings);
  assert.ok(createBitcoinConnector(settings).sender);
  assert.ok(!inspect(settings).includes('xprv9') && !JSON.stringify(settings).includes('xprv9'));
});

test('a private key of another account, another chain or none at all is refused without repeating it', () => {
  const testChain = HDKey.fromMasterSeed(new Uint8Array(32).fill(3), { private: 0x04358394, public: 0x043587cf });
  const refused: [xprv: string, reason: RegExp][] = [
    [master.derive("m/84'/0'/1'").privateExtendedKey, /belongs to another account/],
    [testChain.derive("m/84'/0'/0'").privateExtendedKey, /a test key \(tprv\), but the chain is main/],
    [account.publicExtendedKey, /must be the private key/],
    [`${account.privateExtendedKey.slice(0, -1)}1`, /mistyped/],
    ['correct horse battery staple', /mistyped/],
  ];
  for (const [xprv, reason] of refused) {
    const { problems } = read({ ...node, BITCOIN_XPRV: xprv });
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', reason);
    assert.match(problems[0] ?? '', /^BITCOIN_XPRV /);
    assert.ok(!problems[0]?.includes(xprv.slice(4, 20)));
  }
});

test('a private key alone configures nothing', () => {
  const { settings, problems } = read({ BITCOIN_XPRV: account.privateExtendedKey });
  assert.equal(settings, undefined);
  assert.deepEqual(
    problems.map((text) => text.split(' ')[0]),
    ['BITCOIN_RPC_URL', 'BITCOIN_XPUB'],
  );
});
