import { createHmac } from 'node:crypto';

export type Credentials = { readonly apiKey: string; readonly apiSecret: string };
export type ApiRequest = { readonly method: string; readonly path: string; readonly body: string };

/** Signs as the SDKs do: the path without the version and the query, and for a GET an empty body. */
export function digestHeaders({ apiKey, apiSecret }: Credentials, { method, path, body }: ApiRequest) {
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', apiSecret)
    .update(`${path.split('?')[0]}${timestamp}${method}${body}`)
    .digest('hex');
  return { 'x-digest-key': apiKey, 'x-digest-timestamp': String(timestamp), 'x-digest-signature': signature };
}

/** One request, answered with 200. */
export async function callApi(origin: string, credentials: Credentials, request: ApiRequest): Promise<string> {
  const { method, path, body } = request;
  const reply = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...digestHeaders(credentials, request) },
    ...(body !== '' && { body }),
  });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${method} ${path} was answered with ${reply.status}: ${text}`);
  return text;
}
