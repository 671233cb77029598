import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelSigners, deriveSeed, signerOf } from './stellar-channels.ts';

test('keys are derived as in the first test of SEP-5', () => {
  const seed = Buffer.from(
    'e4a5a632e70943ae7f07659df1332160937fad82587216a4c64315a0fb39497ee4a01f76ddab4cba68147977f3a147b6ad584c41808e8238a07f6cc4b582f186',
    'hex',
  );
  const accounts = [0, 1, 9].map((index) => signerOf(deriveSeed(seed, [44, 148, index])).accountId);
  assert.deepEqual(accounts, [
    'GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ6',
    'GBAW5XGWORWVFE2XTJYDTLDHXTY2Q2MO73HYCGB3XMFMQ562Q2W2GJQX',
    'GBTVYYDIYWGUQUTKX6ZMLGSZGMTESJYJKJWAATGZGITA25ZB6T5REF44',
  ]);
});

test('the channels of an account are always the same, and more of them change none', () => {
  const ids = (count: number) => channelSigners(Buffer.alloc(32, 7), count).map(({ accountId }) => accountId);
  assert.deepEqual(ids(3), ids(5).slice(0, 3));
  assert.equal(new Set(ids(20)).size, 20);
});

test('a signer shows no secret', () => {
  assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(signerOf(Buffer.alloc(32, 7))))), ['accountId']);
});
