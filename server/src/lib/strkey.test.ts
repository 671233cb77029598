import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32nopad } from '@scure/base';
import fc from 'fast-check';
import {
  encodeAccountId,
  encodeMuxedAddress,
  isAccountId,
  issuerKeypair,
  newIssuerKeypair,
  readMuxedAddress,
  readSeed,
} from './strkey.ts';

const example = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

test('the account of SEP-23 is written as SEP-23 writes it', () => {
  const key = Buffer.from('3f0c34bf93ad0d9971d04ccc90f705511c838aad9734a4a2fb0d7a03fc7fe89a', 'hex');
  assert.equal(encodeAccountId(key), example);
  assert.ok(isAccountId(example));
});

test('the issuer of USDC on the public Stellar network is a valid account', () => {
  assert.ok(isAccountId('GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'));
});

test('what is not an account id is refused', () => {
  const refused = [
    '',
    'NATIVE',
    example.toLowerCase(),
    `${example}A`,
    example.slice(0, -1),
    `${example.slice(0, -1)}A`, // wrong checksum
    'GAAAAAAAACGC6', // too short, from SEP-23
    'G47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVP2I', // unknown version byte, from SEP-23
    'SDJHRQF4GCMIIKAAAQ6IHY42X73FQFLHUULAPSKKD4DFDM7UXWWCRHBE', // a seed
    `${example}\n`,
  ];
  assert.deepEqual(refused.filter(isAccountId), []);
});

test('a single changed letter never makes another valid account', () => {
  const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.split(''));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 55 }), letter, (at, other) => {
      const changed = example.slice(0, at) + other + example.slice(at + 1);
      assert.equal(isAccountId(changed), changed === example);
    }),
  );
});

test('a seed signs for the account that Stellar derives from it', () => {
  const seed = base32nopad.decode('SDJHRQF4GCMIIKAAAQ6IHY42X73FQFLHUULAPSKKD4DFDM7UXWWCRHBE').subarray(1, 33);
  const { accountId, secretSeed } = issuerKeypair(seed);
  assert.equal(accountId, 'GCZHXL5HXQX5ABDM26LHYRCQZ5OJFHLOPLZX47WEBP3V2PF5AVFK2A5D');
  assert.equal(secretSeed.reveal(), 'SDJHRQF4GCMIIKAAAQ6IHY42X73FQFLHUULAPSKKD4DFDM7UXWWCRHBE');
});

test('a new issuer has a valid account of its own and a seed that does not print', () => {
  const first = newIssuerKeypair();
  const second = newIssuerKeypair();
  assert.ok(isAccountId(first.accountId));
  assert.notEqual(first.accountId, second.accountId);
  assert.match(first.secretSeed.reveal(), /^S[A-Z2-7]{55}$/);
  assert.equal(JSON.stringify(first.secretSeed), '"[secret]"');
});

test('the muxed addresses of SEP-23 are read and written as SEP-23 does it', () => {
  const addresses = [
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ', 0n],
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK', 9_223_372_036_854_775_808n],
  ] as const;
  for (const [address, id] of addresses) {
    assert.deepEqual(readMuxedAddress(address), { accountId: example, id });
    assert.equal(encodeMuxedAddress(example, id), address);
  }
  const refused = [
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLKA',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAAV75I',
    'M47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUK===',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUO',
    example,
  ];
  for (const text of refused) assert.equal(readMuxedAddress(text), null, text);
});

test('a seed is read back, and an account is no seed', () => {
  const { secretSeed, accountId } = newIssuerKeypair();
  const seed = readSeed(secretSeed.reveal());
  assert.ok(seed);
  assert.equal(issuerKeypair(seed).accountId, accountId);
  assert.equal(readSeed(accountId), null);
});
