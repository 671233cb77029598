import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasOneClickPart } from './stop-mails-routes.ts';

const part = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n--b--\r\n`;

test('one click is known in a form of parts, however its headers are written', () => {
  const named = 'name="List-Unsubscribe"';
  for (const body of [
    part(named, 'One-Click'),
    part('name=list-unsubscribe', 'one-click'),
    part(named, 'One-Click').replaceAll('\r', ''),
    part(`${named}\r\nContent-Type: text/plain`, 'One-Click'),
    `${part('name="other"', 'x')}${part(named, 'One-Click')}`,
  ])
    assert.ok(hasOneClickPart(body), body);
  for (const body of [
    '',
    part(named, 'Two-Clicks'),
    part('name="other"', 'One-Click'),
    part(`${named}\r\n\r\nmore`, 'One-Click'),
    `${named}\r\nOne-Click\r\n`,
    `${named}\r\n\r\nOne-Click`,
  ])
    assert.ok(!hasOneClickPart(body), body);
});
