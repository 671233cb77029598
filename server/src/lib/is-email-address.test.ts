import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEmailAddress } from './is-email-address.ts';

test('addresses that people have', () => {
  for (const address of ['ada@payer.example', 'o.k+shop@mail.co.uk', 'grüße@bücher.example', `${'a'.repeat(64)}@b.cd`])
    assert.equal(isEmailAddress(address), true, address);
});

test('what is no address, or is more than one, or would be a line of its own in the head of a message', () => {
  const wrong = [
    ...['', 'ada', 'ada@payer', '@payer.example', 'ada@payer.e', 'ada@b@payer.example', `${'a'.repeat(65)}@b.cd`],
    ...['ada@payer.example,eve@payer.example', 'ada@payer.example;eve@payer.example', 'Ada <ada@payer.example>'],
    ...[
      'ada@payer.example\r\nBcc: eve@payer.example',
      'ada@payer.example\nBcc:eve@payer.example',
      'a da@payer.example',
    ],
    ...[
      'ada\0@payer.example',
      'ada\u0001@payer.example',
      'ada@payer.exam\u007fple',
      'ada\u2028@payer.example',
      'a\ud800@b.cd',
    ],
  ];
  for (const address of wrong) assert.equal(isEmailAddress(address), false, JSON.stringify(address));
});
