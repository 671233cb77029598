import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examineConfig } from '@quittance/server/config';
import { rehearse } from './rehearse-start.ts';
import { sandboxList } from './sandbox-list.ts';

test('nothing is wrong with what a start without settings makes, nor with all of it but one network', () => {
  assert.deepEqual(examineConfig(rehearse({})).problems, []);
  for (const { namedBy, rehearsed } of sandboxList)
    for (const name of namedBy) {
      const real = name.endsWith('_URL') ? { [name]: 'http://127.0.0.1:1' } : {};
      assert.deepEqual(examineConfig(rehearse({ ...rehearsed, ...real })).problems, [], name);
    }
});

test('a mail server of the environment, and a sender, are asked about as they are', () => {
  const mail = (env: Record<string, string>) => examineConfig(rehearse(env));
  assert.deepEqual(mail({ MAIL_FROM: 'Shop <pay@shop.example>' }).problems, []);
  assert.deepEqual(mail({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'Shop <pay@shop.example>' }).problems, []);
  assert.match(mail({ SMTP_URL: 'smtp://mail.example' }).problems.join(), /MAIL_FROM must be set/);
});
