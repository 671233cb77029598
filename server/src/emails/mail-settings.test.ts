import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createSettingsReader } from '../lib/setting-table.ts';
import { readMailSettings } from './mail-settings.ts';

function read(smtpUrl?: string, mailFrom?: string) {
  const { reader, problems } = createSettingsReader({ SMTP_URL: smtpUrl, MAIL_FROM: mailFrom }, true);
  return { settings: readMailSettings(reader), problems };
}

test('without both settings mail is off; with one of them the other is asked for', () => {
  assert.deepEqual(read(), { settings: null, problems: [] });
  assert.deepEqual(read('smtp://mail.example').problems, ['MAIL_FROM must be set, because SMTP_URL is.']);
  assert.deepEqual(read(undefined, 'pay@shop.example').problems, ['SMTP_URL must be set, because MAIL_FROM is.']);
});

test('the sender is an address, with a name or without', () => {
  const from = (text: string) => read('smtps://mail.example', text);
  assert.deepEqual(from('pay@shop.example').settings?.from, { name: '', address: 'pay@shop.example' });
  assert.deepEqual(from('<pay@shop.example>').settings?.from, { name: '', address: 'pay@shop.example' });
  const named = { name: 'Zażółć, Ltd.', address: 'pay@shop.example' };
  assert.deepEqual(from('Zażółć, Ltd. <pay@shop.example>').settings?.from, named);
  for (const wrong of ['shop', 'a@b, c@d', 'Shop <pay@shop.example> x', 'A\r\nBcc: x@y <a@b>', 'a@b@c', '<>'])
    assert.match(from(wrong).problems.join(), /^MAIL_FROM must be like/, wrong);
});

test('the mail server is an address with nothing behind it, and its password is not printed', () => {
  const of = (url: string) => read(url, 'pay@shop.example');
  for (const good of ['smtp://localhost:25', 'smtps://user%40x:p%2Fw@mail.example', 'smtp://[::1]:2525/'])
    assert.deepEqual(of(good).problems, [], good);
  for (const wrong of [
    'http://mail.example',
    'mail.example',
    'smtp://',
    'smtp://m/x',
    'smtp://m?tls=no',
    'smtp://%zz@m',
  ])
    assert.match(of(wrong).problems.join(), /^SMTP_URL must be smtp:/, wrong);
  const secret = of('smtps://user:abracadabra@mail.example/x');
  assert.doesNotMatch(inspect(secret) + JSON.stringify(secret), /abracadabra/);
});
