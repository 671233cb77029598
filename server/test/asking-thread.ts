/** Asks, in a thread of its own, for what is measured in another: see `held-loop`. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { parentPort } from 'node:worker_threads';

export type Asked = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
};

/** `beginning`: of what came. */
export type AskedAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  readonly beginning: string;
};

const shownBytes = 2_000;

parentPort?.on('message', ({ url, method, headers, body }: Asked) => {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const outgoing = request(url, { method, headers: { ...length, ...headers } }, (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on('error', () => undefined); // Of a stream that we end ourselves.
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes - chunk.length < shownBytes) chunks.push(chunk);
      // A stream has begun, and does not end.
      if (incoming.headers['content-type'] === 'text/event-stream') outgoing.destroy();
    });
    incoming.on('close', () => {
      const beginning = Buffer.concat(chunks).subarray(0, shownBytes).toString();
      parentPort?.postMessage({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes, beginning });
    });
  });
  outgoing.on('error', (error) => parentPort?.postMessage({ error: String(error) }));
  outgoing.end(body);
});
