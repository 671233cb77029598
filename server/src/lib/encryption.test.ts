import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { apiSecretContext, createEncryption, webhookSecretContext } from './encryption.ts';
import { Secret } from './secret.ts';

const encryption = createEncryption(randomBytes(32));

test('a secret comes back under its own context', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(encryption.decrypt(encryption.encrypt(new Secret(text), 'a'), 'a').reveal(), text);
    }),
  );
});

test('the same secret never looks the same twice', () => {
  assert.notDeepEqual(encryption.encrypt(new Secret('x'), 'a'), encryption.encrypt(new Secret('x'), 'a'));
});

test('it does not open under another context, another master key, or with a changed byte', () => {
  const sealed = encryption.encrypt(new Secret('x'), 'a');
  assert.throws(() => encryption.decrypt(sealed, 'b'));
  assert.throws(() => createEncryption(randomBytes(32)).decrypt(sealed, 'a'));
  for (let position = 0; position < sealed.length; position += 1) {
    const changed = Buffer.from(sealed);
    changed[position] = (changed[position] as number) ^ 1;
    assert.throws(() => encryption.decrypt(changed, 'a'));
  }
  assert.throws(() => encryption.decrypt(sealed.subarray(0, 20), 'a'));
});

test('every key and every merchant has a context of its own, so that no row opens with the content of another', () => {
  const contexts = ['abcdefghijkl', 'mnopqrstuvwx'].flatMap((id) => [apiSecretContext(id), webhookSecretContext(id)]);
  assert.equal(new Set(contexts).size, 4);
});
