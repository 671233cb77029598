/** The bytes of a request, up to a limit. */
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../lib/errors.ts';

/** Of what is not a form with files. */
export const usualBodyBytes = 256 * 1024;
const nothing = Buffer.alloc(0);

/**
 * Any method may have a body: existing clients send one with GET and DELETE too. Undefined: the client hung up
 * meanwhile.
 */
export function readBody(request: IncomingMessage, bytesMax = usualBodyBytes): Promise<Buffer | undefined> | Buffer {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return nothing;
  // While the limit was looked up.
  if (request.destroyed) return Promise.resolve(undefined);
  if (Number(length) > bytesMax) throw tooLarge(bytesMax);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) reject(tooLarge(bytesMax));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => resolve(undefined));
  });
}

/** The connection is of no use afterwards: the rest of the body would still come. */
const tooLarge = (bytesMax: number): GatewayError =>
  new GatewayError({
    code: 'body_too_large',
    httpStatus: 413,
    message: `The request body is larger than ${bytesMax / 1024} KiB.`,
    headers: { connection: 'close' },
  });
