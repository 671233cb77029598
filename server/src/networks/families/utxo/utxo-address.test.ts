import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hex } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { p2wpkh } from '@scure/btc-signer';
import fc from 'fast-check';
import { bitcoinChain } from '../../bitcoin/bitcoin.ts';
import { litecoinChain } from '../../litecoin/litecoin.ts';
import { createAddressDeriver } from './utxo-address.ts';

// The published test vector of BIP84 ("abandon … about", account 0).
const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

// The same account under other version bytes, as other wallets export it.
const seed = hex.decode(
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
);
const account = HDKey.fromMasterSeed(seed).derive("m/84'/0'/0'");

test('the addresses of BIP84 come out of its account key', () => {
  const addressAt = createAddressDeriver(zpub, 'main', bitcoinChain);
  assert.equal(addressAt(0).address, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
  assert.equal(addressAt(1).address, 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g');
  assert.equal(hex.encode(addressAt(0).script), '0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2');
});

test('every address is the one that the trusted library derives', () => {
  const addressAt = createAddressDeriver(zpub, 'main', bitcoinChain);
  const external = account.deriveChild(0);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (index) => {
      const { address, script } = p2wpkh(external.deriveChild(index).publicKey as Uint8Array);
      assert.deepEqual(addressAt(index), { address, script });
    }),
    { numRuns: 200 },
  );
});

test('the marks that wallets put on an account key do not change its addresses', () => {
  const fromZpub = createAddressDeriver(zpub, 'main', bitcoinChain);
  const fromXpub = createAddressDeriver(account.publicExtendedKey, 'main', bitcoinChain);
  assert.deepEqual(fromXpub(7), fromZpub(7));
});

test('each chain of each coin has its own addresses', () => {
  const tpub = HDKey.fromMasterSeed(seed, { private: 0x04358394, public: 0x043587cf }).derive("m/84'/1'/0'");
  const first = (chain: 'test' | 'regtest') =>
    [litecoinChain, bitcoinChain].map(
      (coin) => createAddressDeriver(tpub.publicExtendedKey, chain, coin)(0).address.split('1')[0],
    );
  assert.deepEqual(first('test'), ['tltc', 'tb']);
  assert.deepEqual(first('regtest'), ['rltc', 'bcrt']);
});

test('a private, mistyped or wrong-chain account key is refused without repeating it', () => {
  const refused = (key: string, chain: 'main' | 'regtest', reason: RegExp) =>
    assert.throws(
      () => createAddressDeriver(key, chain, bitcoinChain),
      (error: Error) => reason.test(error.message) && !error.message.includes(key.slice(4, 20)),
    );
  refused(account.privateExtendedKey, 'main', /must be the public key/);
  refused(zpub.replace('AGutZYs', 'AGutZYt'), 'main', /mistyped/);
  refused(zpub, 'regtest', /for real money \(zpub\)/);
});

test('an index outside the unhardened range is refused', () => {
  const addressAt = createAddressDeriver(zpub, 'main', bitcoinChain);
  for (const index of [-1, 0.5, 2 ** 31]) assert.throws(() => addressAt(index), /no derivation index/);
});
