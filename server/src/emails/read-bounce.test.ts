/** Reports as mail servers write them, and what is none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailFailure } from '../counterparties/mail-failure.ts';
import { messagesIn } from './note-bounce.ts';
import { readBounce } from './read-bounce.ts';

const status = (lines: readonly string[]): string[] => [
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; mx.example',
  '',
  'Final-Recipient: rfc822; ada@buyer.example',
  ...lines,
  '',
];
const original = (type: string, ...lines: readonly string[]): string[] => [`Content-Type: ${type}`, '', ...lines, ''];

function report(...parts: readonly (readonly string[])[]): Buffer {
  const head = ['From: MAILER-DAEMON@mx.example', 'Message-ID: <report@mx.example>', 'MIME-Version: 1.0'];
  const type = 'Content-Type: multipart/report; report-type=delivery-status;\r\n boundary="b1"';
  const words = ['Content-Type: text/plain', '', 'Message-ID: <status.forged@pay.test> did not arrive.', ''];
  const body = [words, ...parts].flatMap((part) => ['--b1', ...part]);
  return Buffer.from([...head, type, '', ...body, '--b1--', ''].join('\r\n'));
}

const failed = status(['Action: failed', 'Status: 5.1.1 (bad destination mailbox address)']);
const ours = 'Message-ID: <status.abcdefghijkl@pay.test>';
const found = { messageId: 'status.abcdefghijkl@pay.test', status: '5.1.1' };

test('our message is known by its own head, whole or alone, or by what the report says', async () => {
  assert.deepEqual(
    await readBounce(report(failed, original('message/rfc822', 'Subject: x', ours, '', 'Message-ID: <other@x>'))),
    found,
  );
  assert.deepEqual(
    await readBounce(report(failed, original('text/rfc822-headers', ours.replace(': ', ':\r\n ')))),
    found,
  );
  const named = status(['Action: failed', 'Status: 5.1.1', 'Original-Message-ID: <status.abcdefghijkl@pay.test>']);
  assert.deepEqual(await readBounce(report(named)), found);
});

test('a delay, a success, a report about nothing, and what is no report, say nothing', async () => {
  const head = original('text/rfc822-headers', ours);
  for (const action of ['delayed', 'delivered', 'relayed', 'expanded'])
    assert.equal(await readBounce(report(status([`Action: ${action}`, 'Status: 4.4.1']), head)), null, action);
  assert.equal(await readBounce(report(failed)), null);
  assert.equal(await readBounce(report(failed, original('text/rfc822-headers', 'Subject: none'))), null);
  assert.equal(await readBounce(Buffer.from(`Subject: Hello\r\n${ours}\r\n\r\nAction: failed\r\nStatus: 5.1.1`)), null);
  assert.equal(await readBounce(Buffer.from('')), null);
  const late = await readBounce(report(status(['Action: failed', 'Status: 4.4.7']), head));
  assert.equal(late?.status, '4.4.7', 'whoever asks decides what is final');
});

test('a mailbox is many messages, and one message is one', () => {
  const box =
    'From a@b Sun Mar  1 12:00:00 2026\nSubject: 1\n\none\n\nFrom c@d Sun Mar  1 12:00:01 2026\nSubject: 2\n\ntwo\n';
  assert.deepEqual(
    messagesIn(Buffer.from(box)).map((message) => String(message).split('\n')[0]),
    ['Subject: 1', 'Subject: 2'],
  );
  assert.equal(messagesIn(Buffer.from('Subject: 1\n\nFrom here on\n')).length, 1);
});

test('why it did not arrive is one of four words', () => {
  const examples = [
    [mailFailure('5.1.1'), 'unknown'],
    [mailFailure('5.2.2', 550), 'full'],
    [mailFailure('5.7.1', 550), 'blocked'],
    [mailFailure('5.5.0'), 'other'],
    [mailFailure(null, 550), 'unknown'],
    [mailFailure(null, 552), 'full'],
    [mailFailure('somebody@example.com is gone'), 'other'],
  ] as const;
  for (const [is, expected] of examples) assert.equal(is, expected);
});
