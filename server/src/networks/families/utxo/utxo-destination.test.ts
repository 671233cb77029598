import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bech32m, hex } from '@scure/base';
import { Address, OutScript } from '@scure/btc-signer';
import fc from 'fast-check';
import { bitcoinChain } from '../../bitcoin/bitcoin.ts';
import { litecoinChain } from '../../litecoin/litecoin.ts';
import { destinationProblem, readAddress } from './utxo-destination.ts';
import type { UtxoChain } from './utxo-parameters.ts';

const coins = { Bitcoin: bitcoinChain, Litecoin: litecoinChain };
const formOf = (coinName: keyof typeof coins, chain: UtxoChain = 'main') => ({
  coinName,
  chain,
  bech32Prefix: coins[coinName].bech32Prefixes[chain],
  base58: coins[coinName].base58Forms[chain],
});
type Form = ReturnType<typeof formOf>;

const forms = (['Bitcoin', 'Litecoin'] as const).flatMap((coin) =>
  (['main', 'test', 'regtest'] as const).map((chain) => formOf(coin, chain)),
);
const problemOf = (address: string, form: Form, memo: string | null = null): string | null =>
  destinationProblem({ address, memo, memoType: memo === null ? null : 'text' }, form);
const scriptOf = (address: string, form: Form): string => {
  const read = readAddress(address, form);
  assert.ok('script' in read, `${address}: ${'problem' in read ? read.problem : ''}`);
  return hex.encode(read.script);
};

const anyForm = fc.constantFrom(...forms);
const hash20 = fc.uint8Array({ minLength: 20, maxLength: 20 });
const anyOutput = fc.oneof(
  fc.record({ type: fc.constantFrom('wpkh' as const, 'pkh' as const, 'sh' as const), hash: hash20 }),
  fc.record({ type: fc.constant('wsh' as const), hash: fc.uint8Array({ minLength: 32, maxLength: 32 }) }),
  // The x of the curve's base point: a valid key.
  fc.constant({
    type: 'tr' as const,
    pubkey: hex.decode('79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'),
  }),
);
const addressOf = (output: object, { bech32Prefix, base58 }: Form): string =>
  Address({ bech32: bech32Prefix, ...base58, wif: 0 }).encode(output as never);

test('every address that the trusted library writes is read as the script it stands for', () => {
  fc.assert(
    fc.property(anyForm, anyOutput, (form, output) => {
      const address = addressOf(output, form);
      assert.equal(problemOf(address, form), null);
      assert.equal(scriptOf(address, form), hex.encode(OutScript.encode(output as never)));
      if (output.type === 'wpkh') assert.equal(problemOf(address.toUpperCase(), form), null);
    }),
    { numRuns: 500 },
  );
});

test('an address with one character changed, left out or added is refused', () => {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0'.split('');
  fc.assert(
    fc.property(
      anyForm,
      anyOutput,
      fc.nat(),
      fc.constantFrom(...alphabet),
      fc.nat(2),
      (form, output, at, letter, how) => {
        const address = addressOf(output, form);
        const place = at % address.length;
        const changed =
          address.slice(0, place) + (how === 2 ? '' : letter) + address.slice(place + (how === 1 ? 0 : 1));
        fc.pre(changed !== address);
        assert.match(problemOf(changed, form) ?? 'no problem', /^[A-Z].*\.$/, changed);
      },
    ),
    { numRuns: 3_000 },
  );
});

test('an address of another coin or chain is refused, and the sentence says what would be right', () => {
  const bitcoinOnes = [
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
  ];
  const litecoinOnes = [
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    addressOf({ type: 'pkh', hash: new Uint8Array(20) }, formOf('Litecoin')),
    addressOf({ type: 'sh', hash: new Uint8Array(20) }, formOf('Litecoin')),
  ];
  for (const address of bitcoinOnes) {
    assert.equal(problemOf(address, formOf('Bitcoin')), null);
    assert.match(
      problemOf(address, formOf('Litecoin')) ?? '',
      /another network\. .*Litecoin begins with ltc1, L or M\.$/,
    );
    assert.match(
      problemOf(address, formOf('Bitcoin', 'test')) ?? '',
      /Bitcoin test network begins with tb1, m, n or 2\.$/,
    );
    assert.match(problemOf(address, formOf('Bitcoin', 'regtest')) ?? '', /test chain begins with bcrt1/);
  }
  for (const address of litecoinOnes) {
    assert.equal(problemOf(address, formOf('Litecoin')), null);
    assert.match(problemOf(address, formOf('Bitcoin')) ?? '', /another network\. .*Bitcoin begins with bc1, 1 or 3\.$/);
  }
  const onTest = addressOf({ type: 'pkh', hash: new Uint8Array(20) }, formOf('Bitcoin', 'test'));
  assert.match(problemOf(onTest, formOf('Bitcoin')) ?? '', /another network/);
});

test('a memo is refused', () => {
  assert.match(problemOf('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', formOf('Bitcoin'), '42') ?? '', /no memo/);
});

// The published vectors of BIP350.
test('the segwit addresses of BIP350 are read, of whatever version', () => {
  const bitcoin = formOf('Bitcoin');
  const valid: [address: string, script: string][] = [
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
    [
      'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
      '5128751e76e8199196d454941c45d1b3a323f1433bd6751e76e8199196d454941c45d1b3a323f1433bd6',
    ],
    ['BC1SW50QGDZ25J', '6002751e'],
    ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', '5210751e76e8199196d454941c45d1b3a323'],
    [
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
  ];
  for (const [address, script] of valid) assert.equal(scriptOf(address, bitcoin), script);
  const invalid = [
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', // Bech32 instead of Bech32m
    'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL', // likewise
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', // Bech32m instead of Bech32
    'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', // invalid character
    'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', // version 17
    'bc1pw5dgrnzv', // one byte
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav', // 41 bytes
    'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', // version 0 with 16 bytes
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf', // more than 4 padding bits
    'bc1gmk9yu', // empty
  ];
  for (const address of invalid) assert.match(problemOf(address, bitcoin) ?? 'no problem', /\.$/, address);
});

test('a taproot address whose key cannot exist is refused', () => {
  const impossible = bech32m.encode('bc', [1, ...bech32m.toWords(new Uint8Array(32))]); // x = 0 is not on the curve
  assert.match(problemOf(impossible, formOf('Bitcoin')) ?? 'no problem', /key that cannot exist/);
});
