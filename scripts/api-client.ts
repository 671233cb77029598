/** A client of the API in a few lines: every request is signed by the digest rule, as any shop's would be. */
import { createHmac } from 'node:crypto';
import type { Access } from '@quittance/server/lib/data-folder';
import { CommandError } from './command-line.ts';
import { nothingRuns } from './installation.ts';

export type ApiClient = {
  get<Reply>(path: string, query?: Readonly<Record<string, string>>): Promise<Reply>;
  post<Reply>(path: string, body: unknown): Promise<Reply>;
};

export function createApiClient({ baseUrl, apiKey, apiSecret }: Access): ApiClient {
  async function send<Reply>(method: string, path: string, search: string, body: string): Promise<Reply> {
    // HMAC-SHA-256 over path, time, method and body. The path has neither version nor query.
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', apiSecret.reveal())
      .update(`${path}${timestamp}${method}${body}`)
      .digest('hex');
    const response = await fetch(`${baseUrl}${path}${search}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-digest-key': apiKey,
        'x-digest-timestamp': String(timestamp),
        'x-digest-signature': signature,
      },
      ...(method === 'GET' ? {} : { body }),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => {
      throw nothingRuns(baseUrl);
    });
    const reply = (await response.json().catch(() => ({}))) as { errors?: string[] };
    if (response.ok) return reply as Reply;
    throw new CommandError(reply.errors?.join(' ') ?? `${baseUrl} answered HTTP ${response.status}.`);
  }

  return {
    get: (path, query = {}) => send('GET', path, `?${new URLSearchParams(query).toString()}`, ''),
    post: (path, body) => send('POST', path, '', JSON.stringify(body)),
  };
}
