/**
 * The baseline of reads: a Node server that does only what it must. It has node:http, the same signature, and the same
 * record read from JSON and written as JSON; no router, no log, no database.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type BareTask = { readonly apiSecret: string; readonly record: string };

process.once('message', ({ apiSecret, record }: BareTask) => {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice('/api/v1'.length).split('?')[0];
    const expected = createHmac('sha256', apiSecret)
      .update(`${path}${String(request.headers['x-digest-timestamp'])}${request.method}`)
      .digest();
    const isGood = timingSafeEqual(expected, Buffer.from(String(request.headers['x-digest-signature']), 'hex'));
    const body = JSON.stringify(JSON.parse(record));
    response.writeHead(isGood ? 200 : 401, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.send?.('ready');
