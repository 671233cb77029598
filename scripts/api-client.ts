/** A client of the API in a few lines: every request is signed by the digest rule, as any shop's would be. */
import { createHmac } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Access } from '@quittance/server/lib/data-folder';
import { CommandError } from './command-line.ts';
import { nothingRuns } from './installation.ts';

export type ApiClient = {
  get<Reply>(path: string, query?: Readonly<Record<string, string>>): Promise<Reply>;
  post<Reply>(path: string, body: unknown): Promise<Reply>;
  delete<Reply>(path: string, body: unknown): Promise<Reply>;
  /** Writes what is answered into a file that was not there before, as it comes; gives its length. */
  download(path: string, query: Readonly<Record<string, string>>, file: string): Promise<number>;
};

export function createApiClient({ baseUrl, apiKey, apiSecret }: Access): ApiClient {
  async function call(method: string, path: string, search: string, body: string, patienceMs: number | null) {
    // HMAC-SHA-256 over path, time, method and body. The path has neither version nor query.
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', apiSecret.reveal())
      .update(`${path}${timestamp}${method}${body}`)
      .digest('hex');
    return fetch(`${baseUrl}${path}${search}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-digest-key': apiKey,
        'x-digest-timestamp': String(timestamp),
        'x-digest-signature': signature,
      },
      ...(method === 'GET' ? {} : { body }),
      ...(patienceMs !== null && { signal: AbortSignal.timeout(patienceMs) }),
    }).catch(() => {
      throw nothingRuns(baseUrl);
    });
  }

  async function refusal(response: Response): Promise<CommandError> {
    const { errors } = (await response.json().catch(() => ({}))) as { errors?: string[] };
    return new CommandError(errors?.join(' ') ?? `${baseUrl} answered HTTP ${response.status}.`);
  }

  async function send<Reply>(method: string, path: string, search: string, body: string): Promise<Reply> {
    const response = await call(method, path, search, body, 30_000);
    if (!response.ok) throw await refusal(response);
    return (await response.json().catch(() => ({}))) as Reply;
  }

  /** However long it takes: it is written while it comes. What broke off is left behind, and said to be no whole file. */
  async function download(path: string, search: string, name: string): Promise<number> {
    const response = await call('GET', path, search, '', null);
    if (!response.ok || !response.body) throw await refusal(response);
    const file = await open(name, 'wx').catch((error: Error) => {
      throw new CommandError(`${name} cannot be written: ${error.message}`);
    });
    let length = 0;
    try {
      for await (const chunk of response.body) length += (await file.write(chunk)).bytesWritten;
    } catch (error) {
      throw new CommandError(`${name} broke off after ${length} bytes: ${(error as Error).message}`);
    } finally {
      await file.close();
    }
    return length;
  }

  return {
    get: (path, query = {}) => send('GET', path, `?${new URLSearchParams(query).toString()}`, ''),
    post: (path, body) => send('POST', path, '', JSON.stringify(body)),
    delete: (path, body) => send('DELETE', path, '', JSON.stringify(body)),
    download: (path, query, file) => download(path, `?${new URLSearchParams(query).toString()}`, file),
  };
}
