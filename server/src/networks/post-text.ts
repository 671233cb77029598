/**
 * One POST over a connection that is kept open. A full block is five megabytes of text: node:http gives it in pieces
 * that can be freed at once, while `fetch` holds the whole body twice before there is a string.
 */
import http from 'node:http';
import https from 'node:https';
import { waitOutside } from '../lib/wait-outside.ts';

export type TextReply = { readonly status: number; readonly text: string };

const agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) };

export type TextRequest = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly isOnNewConnection?: boolean;
};

export const postText = (url: URL, request: TextRequest): Promise<TextReply> => waitOutside(() => post(url, request));

function post(url: URL, request: TextRequest): Promise<TextReply> {
  const { headers, body, timeoutMs, isOnNewConnection } = request;
  const isSecure = url.protocol === 'https:';
  const kept = isSecure ? agents['https:'] : agents['http:'];
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent: isOnNewConnection ? false : kept,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal: AbortSignal.timeout(timeoutMs),
    };
    const outgoing = (isSecure ? https : http).request(url, options, (incoming) => {
      const parts: string[] = [];
      incoming.setEncoding('utf8');
      incoming.on('data', (part: string) => parts.push(part));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text: parts.join('') }));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
