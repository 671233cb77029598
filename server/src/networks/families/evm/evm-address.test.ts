import assert from 'node:assert/strict';
import { pbkdf2Sync } from 'node:crypto';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { mnemonicToAccount } from 'viem/accounts';
import { createEvmAddressDeriver } from './evm-address.ts';

// The seed that all development nodes use, so that the addresses can be compared with theirs.
const mnemonic = 'test test test test test test test test test test test junk';
const seed = pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512'); // BIP39
const account = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'");

test('addresses are those that wallets derive from the same seed', () => {
  const addressAt = createEvmAddressDeriver(account.publicExtendedKey);
  assert.equal(addressAt(0).address, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  assert.equal(addressAt(1).address, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  for (const addressIndex of [2, 49, 2 ** 31 - 1]) {
    assert.equal(addressAt(addressIndex).address, mnemonicToAccount(mnemonic, { addressIndex }).address);
  }
});

test('the key of an address is in lower case, as nodes write it', () => {
  const { key, address } = createEvmAddressDeriver(account.publicExtendedKey)(7);
  assert.equal(key, address.toLowerCase());
  assert.notEqual(key, address);
});

test('a private or mistyped account key is refused without repeating it', () => {
  for (const wrong of [account.privateExtendedKey, `${account.publicExtendedKey}x`, 'xpubNoSuchKey']) {
    assert.throws(
      () => createEvmAddressDeriver(wrong),
      (error: Error) => error.message.includes('account key') && !error.message.includes(wrong),
    );
  }
});

test('an index outside of BIP32 is refused', () => {
  const addressAt = createEvmAddressDeriver(account.publicExtendedKey);
  for (const index of [-1, 0.5, 2 ** 31]) assert.throws(() => addressAt(index), /no derivation index/);
});
