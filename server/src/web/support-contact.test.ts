import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSupportContact } from './support-contact.ts';

test('whom people ask is an e-mail address or a page, and nothing else', () => {
  assert.deepEqual(readSupportContact('help@pay.example'), {
    text: 'help@pay.example',
    href: 'mailto:help@pay.example',
  });
  assert.deepEqual(readSupportContact('https://pay.example/help/'), {
    text: 'pay.example/help',
    href: 'https://pay.example/help/',
  });
  for (const wrong of [
    'help',
    'http://pay.example',
    'javascript:alert(1)',
    'help@pay.example?bcc=x@y.example',
    'https://user@pay.example',
    'https://',
    'https://pay.example/a b',
  ])
    assert.equal(readSupportContact(wrong), null, wrong);
});
