/** What a definition of the UTXO family says of a coin without segwit: its addresses, its keys, its sizes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { Secret } from '@quittance/server/lib/secret';
import { bitcoinChain } from '@quittance/server/networks/bitcoin/bitcoin';
import { createKeyDeriver } from '@quittance/server/networks/families/utxo/utxo-account-key';
import { createAddressDeriver } from '@quittance/server/networks/families/utxo/utxo-address';
import { readAddress } from '@quittance/server/networks/families/utxo/utxo-destination';
import { utxoInstructions } from '@quittance/server/networks/families/utxo/utxo-payer';
import { signSpending } from '@quittance/server/networks/families/utxo/utxo-signing';
import { inputVsize, vsizeOf } from '@quittance/server/networks/families/utxo/utxo-transaction-size';
import { createBase58check, hex } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { Address, OutScript, p2pkh, Transaction } from '@scure/btc-signer';
import fc from 'fast-check';
import { isSample } from '../depth.ts';
import { dogecoinChain } from './dogecoin.ts';

// The seed of BIP84's vectors ("abandon … about"), whose first Dogecoin address (m/44'/3'/0'/0/0) wallets publish.
const seed = hex.decode(
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4',
);
const account = HDKey.fromMasterSeed(seed).derive("m/44'/3'/0'");
const marked = HDKey.fromMasterSeed(seed, { public: 0x02facafd, private: 0x02fac398 }).derive("m/44'/3'/0'");
const form = { coinName: 'Dogecoin', chain: 'main' as const, base58: dogecoinChain.base58Forms.main };
const network = { bech32: 'none', pubKeyHash: 0x1e, scriptHash: 0x16, wif: 0x9e };

test('the addresses are those that its wallets derive', () => {
  const addressAt = createAddressDeriver(account.publicExtendedKey, 'main', dogecoinChain);
  assert.equal(addressAt(0).address, 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC');
  const external = account.deriveChild(0);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (index) => {
      const { address, script } = p2pkh(external.deriveChild(index).publicKey as Uint8Array, network);
      assert.deepEqual(addressAt(index), { address, script });
    }),
    { numRuns: 100 },
  );
});

test('a key is taken under the marks of its own wallets, and not under those of segwit accounts', () => {
  const fromXpub = createAddressDeriver(account.publicExtendedKey, 'main', dogecoinChain);
  assert.ok(marked.publicExtendedKey.startsWith('dgub'));
  assert.deepEqual(createAddressDeriver(marked.publicExtendedKey, 'main', dogecoinChain)(7), fromXpub(7));
  const keyAt = createKeyDeriver(
    new Secret(marked.privateExtendedKey),
    account.publicExtendedKey,
    'main',
    dogecoinChain,
  );
  assert.deepEqual(keyAt(7), account.deriveChild(0).deriveChild(7).privateKey);
  const zpub = HDKey.fromMasterSeed(seed, { public: 0x04b24746, private: 0x04b2430c }).publicExtendedKey;
  assert.throws(() => createAddressDeriver(zpub, 'main', dogecoinChain), /BIP44\): xpub, dgub or tpub\.$/);
  assert.throws(() => createAddressDeriver(marked.publicExtendedKey, 'main', bitcoinChain), /native segwit account/);
  assert.throws(() => createAddressDeriver(marked.publicExtendedKey, 'regtest', dogecoinChain), /real money \(dgub\)/);
});

test('others are paid at both kinds of addresses that it has, and at no others', () => {
  const hash20 = fc.uint8Array({ minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(fc.constantFrom('pkh' as const, 'sh' as const), hash20, (type, hash) => {
      const address = Address(network).encode({ type, hash });
      assert.match(address, /^[D9A]/);
      const read = readAddress(address, form);
      assert.ok('script' in read);
      assert.equal(hex.encode(read.script), hex.encode(OutScript.encode({ type, hash })));
    }),
  );
  for (const foreign of [
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    createBase58check(sha256).encode(Uint8Array.of(0x71, ...new Uint8Array(20))), // of its test network
  ])
    assert.deepEqual(readAddress(foreign, form), {
      problem: `The address begins with ${foreign.startsWith('bc1') ? 'bc1' : foreign[0]}, which is another network. An address of Dogecoin begins with D, 9 or A.`,
    });
  assert.match(JSON.stringify(readAddress('DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgD', form)), /mistyped/);
});

test('the size that is paid for is the size that is signed, never less and hardly more', () => {
  const addressAt = createAddressDeriver(account.publicExtendedKey, 'main', dogecoinChain);
  const keyAt = (index: number) => account.deriveChild(0).deriveChild(index).privateKey as Uint8Array;
  assert.equal(inputVsize('p2pkh'), 148);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 5 }), (inputs, outputs) => {
      const coins = Array.from({ length: inputs }, (_, index) => ({
        txHash: index.toString(16).padStart(64, '0'),
        index: '1',
        units: 100_000_000n,
        targetKey: addressAt(index).address,
        targetIndex: index,
      }));
      const paid = Array.from({ length: outputs }, (_, at) => ({
        script: addressAt(99).script,
        units: BigInt(at + 1),
      }));
      const vsize = vsizeOf(
        'p2pkh',
        inputs,
        paid.map(({ script }) => script.length),
      );
      const fee = BigInt(inputs) * 100_000_000n - paid.reduce((sum, { units }) => sum + units, 0n);
      const { raw } = signSpending({ coins, changeUnits: 0n, fee, vsize }, paid, null, { addressAt, keyAt });
      const spare = vsize - raw.length / 2;
      assert.ok(spare >= 0 && spare <= 3 * inputs, `${spare} bytes of ${vsize}`);
      const { finalScriptWitness } = Transaction.fromRaw(hex.decode(raw)).getInput(0);
      assert.equal(finalScriptWitness, undefined);
    }),
    { numRuns: isSample() ? 10 : 30 },
  );
});

test('a wallet is called by the name of the coin', () => {
  const link = utxoInstructions(
    'dogecoin',
    [],
  )({
    assetCode: 'DOGE',
    amount: '12.5',
    address: 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC',
    memo: null,
    joint: null,
  }).link;
  assert.deepEqual(link, {
    href: 'dogecoin:DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC?amount=12.5',
    qrText: 'dogecoin:DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC?amount=12.5',
  });
});
