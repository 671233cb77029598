import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bech32 } from '@scure/base';
import fc from 'fast-check';
import { Bolt11Error, decodeBolt11 } from './bolt11.ts';

type Vector = {
  about: string;
  invoice: string;
  chain: string;
  msat: string | null;
  paymentHash: string;
  expires: number;
};
const vectors = JSON.parse(readFileSync(new URL('../../../test/vectors/bolt11.json', import.meta.url), 'utf8')) as {
  valid: Vector[];
  invalid: Pick<Vector, 'about' | 'invoice'>[];
};

/** Of the private key with which the examples are signed. */
const signer = '03e7156ae33b0a208d0744199163177e909e80176e55d97a2f221ede0f934dd9ad';

test('the examples of the standard are read as it says', () => {
  for (const { about, invoice, chain, msat, paymentHash, expires } of vectors.valid) {
    const { payee, finalBlocks, ...decoded } = decodeBolt11(invoice);
    assert.equal(finalBlocks, about === 'picobitcoins' ? 10 : 18, about);
    const expected = { chain, msat: msat === null ? null : BigInt(msat), paymentHash };
    assert.deepEqual(decoded, { ...expected, expiresAt: new Date(expires * 1_000) }, about);
    // With the other half of the curve and the same flag, a signature is somebody else's.
    assert.equal(payee === signer, about !== 'high-S, key recovered', about);
  }
});

test('the wrong examples of the standard are refused, each with a sentence', () => {
  for (const { about, invoice } of vectors.invalid) {
    assert.throws(
      () => decodeBolt11(invoice),
      (error) => error instanceof Bolt11Error && /^[A-Z].*\.$/.test(error.message),
      about,
    );
  }
});

test('no invoice survives a change of what it says, even under a correct checksum', () => {
  const { invoice } = vectors.valid[1] ?? assert.fail();
  const { prefix, words } = bech32.decode(invoice as `${string}1${string}`, false);
  const original = decodeBolt11(invoice);
  fc.assert(
    fc.property(fc.nat(words.length - 106), fc.integer({ min: 1, max: 31 }), (place, change) => {
      const changed = words.map((word, index) => (index === place ? (word + change) % 32 : word));
      try {
        // A signature recovers a key from any message, so a change shows as another payee, whom nobody can pay.
        assert.notEqual(decodeBolt11(bech32.encode(prefix, changed, false)).payee, original.payee);
      } catch (error) {
        assert.ok(error instanceof Bolt11Error, String(error));
      }
    }),
  );
});

test('whatever is given, the answer is an invoice or a sentence', () => {
  const { invoice } = vectors.valid[0] ?? assert.fail();
  const cut = fc.nat(invoice.length).map((length) => invoice.slice(0, length));
  const data = fc.array(fc.nat(31), { maxLength: 300 }).map((words) => bech32.encode('lnbc20m', words, false));
  fc.assert(
    fc.property(fc.oneof(fc.string(), cut, data), (text) => {
      try {
        decodeBolt11(text);
      } catch (error) {
        assert.ok(error instanceof Bolt11Error, String(error));
      }
    }),
  );
});

test('amounts of all units, and none that is no amount', () => {
  const { words } = bech32.decode((vectors.valid[0]?.invoice ?? '') as `${string}1${string}`, false);
  const msatOf = (amount: string) => decodeBolt11(bech32.encode(`lnbc${amount}`, words, false)).msat;
  assert.deepEqual(['1', '1m', '1u', '1n', '10p'].map(msatOf), [100_000_000_000n, 100_000_000n, 100_000n, 100n, 1n]);
  for (const wrong of ['0', '01m', '1x', '11p', '1mm', '1.5m', '99999999999999999999'])
    assert.throws(() => msatOf(wrong), Bolt11Error, wrong);
});
