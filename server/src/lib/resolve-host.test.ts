import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { atLeastOne } from '../../test/at-least-one.ts';
import { until } from '../../test/until.ts';
import { createResolve } from './resolve-host.ts';

/** Hears every question and answers none, until it says that there is no such name. */
const silent = createSocket('udp4');
const answers: (() => void)[] = [];
let isSilent = true;
before(async () => {
  silent.on('message', (question, from) => {
    const answer = Buffer.from(question);
    answer.writeUInt16BE(0x8183, 2);
    const send = (): void => silent.send(answer, from.port, from.address);
    if (isSilent) answers.push(send);
    else send();
  });
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
});
after(() => silent.close());

test('names whose servers are silent hold up nothing else that the process does', async () => {
  const resolve = createResolve({ servers: [`127.0.0.1:${silent.address().port}`] });
  let ended = 0;
  const names = Array.from({ length: 16 }, (_, at) => resolve(`shop${at}.example`).finally(() => void (ended += 1)));
  const outcomes = Promise.allSettled(names);
  const packed = await promisify(gzip)('a page');
  assert.ok(packed.length > 0);
  assert.equal(ended, 0, 'all of them still wait');
  await until('each was asked for', () => answers.length >= 2 * names.length);
  isSilent = false;
  for (const answer of answers) answer();
  for (const { status } of atLeastOne(await outcomes)) assert.equal(status, 'rejected');
});

test('this machine is known by its name, whoever is asked for others', async () => {
  const resolve = createResolve({ servers: [`127.0.0.1:${silent.address().port}`] });
  for (const name of ['localhost', 'Pay.localhost', 'localhost.'])
    assert.deepEqual(await resolve(name), ['127.0.0.1', '::1']);
});

test('an address is asked of nobody', async () => {
  const resolve = createResolve({ servers: [`127.0.0.1:${silent.address().port}`] });
  for (const address of ['203.0.113.5', '2001:db8::5']) assert.deepEqual(await resolve(address), [address]);
});
