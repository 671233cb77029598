import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { Secret } from '../../../lib/secret.ts';
import { createEvmAddressDeriver } from './evm-address.ts';
import { openEvmKeys } from './evm-keys.ts';

const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(3)).derive("m/44'/60'/0'");
const { publicExtendedKey: xpub, privateExtendedKey: xprv } = account;

test('the private keys are those of the addresses that are given out, and the wallet is none of them', () => {
  const keys = openEvmKeys(new Secret(xprv), xpub);
  const addressAt = createEvmAddressDeriver(xpub);
  for (const index of [0, 1, 77]) assert.equal(keys.target(index).address, addressAt(index).address);
  assert.ok(![0, 1, 2].some((index) => addressAt(index).address === keys.wallet.address));
});

test('a key of another account, a public one and a mistyped one are refused without repeating them', () => {
  const other = HDKey.fromMasterSeed(new Uint8Array(32).fill(4)).derive("m/44'/60'/0'").privateExtendedKey;
  for (const wrong of [other, xpub, `${xprv}x`]) {
    assert.throws(
      () => openEvmKeys(new Secret(wrong), xpub),
      (error: Error) => error.message.includes('private account key') && !`${error.stack}`.includes(wrong),
    );
  }
});
