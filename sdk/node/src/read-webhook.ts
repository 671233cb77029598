/**
 * Is a webhook genuine, and what does it say? Whatever arrives, nothing is thrown: anybody can send anything to a URL.
 *
 * A receiver that has a webhook secret checks `webhook-signature`, and only that: it says when a message was sent, so an
 * old one that somebody kept is refused. `X-Webhook-Auth` does not; it is for receivers that have only the API secret.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isUint8Array } from 'node:util/types';
import type { WebhookEvent } from './webhook-events.ts';

export type WebhookSecrets = {
  /** Begins with `whsec_`. Both, while one is exchanged for another. */
  readonly webhookSecret?: string | readonly string[] | undefined;
  /** The secret of the API key. Both, while one is exchanged for another. */
  readonly apiSecret?: string | readonly string[] | undefined;
};

export type WebhookOptions = {
  /** How far the time of a message may be away from now. Five minutes, unless said otherwise. */
  readonly toleranceSeconds?: number;
  /** Now, as Unix time in seconds. For tests. */
  readonly nowSeconds?: number;
};

/** As Node has them, or as `fetch` does. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookProblem =
  /** There is nothing to check with. */
  | 'no-secret'
  /** A header that is needed is missing or empty. */
  | 'unsigned'
  /** No signature fits the body. */
  | 'wrong-signature'
  /** The signature fits, but was made too long ago, or by a clock that is ahead. */
  | 'wrong-time'
  /** The body is no event. Or it was parsed already: what is signed is the text as it came. */
  | 'unreadable';

export type ReadWebhook =
  | { readonly isGenuine: true; readonly event: WebhookEvent; readonly id: string | null; readonly problem: null }
  | { readonly isGenuine: false; readonly event: null; readonly id: null; readonly problem: WebhookProblem };

/** `body`: the bytes or the text as they came, before anything has parsed them. */
export function readWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: WebhookSecrets,
  options: WebhookOptions = {},
): ReadWebhook {
  try {
    return judge(body, headers, secrets, options);
  } catch {
    return refused('unreadable');
  }
}

const refused = (problem: WebhookProblem): ReadWebhook => ({ isGenuine: false, event: null, id: null, problem });

function judge(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: WebhookSecrets | undefined,
  options: WebhookOptions,
): ReadWebhook {
  const bytes = bytesOf(body);
  if (bytes === null) return refused('unreadable');
  const keys = listOf(secrets?.webhookSecret).map(keyOf).filter(isNotEmpty);
  const apiSecrets = listOf(secrets?.apiSecret).filter(isNotEmpty);
  if (keys.length === 0 && apiSecrets.length === 0) return refused('no-secret');
  const problem =
    keys.length > 0 ? standardProblem(bytes, headers, keys, options) : authProblem(bytes, headers, apiSecrets);
  if (problem !== null) return refused(problem);
  const event = eventIn(bytes);
  if (event === null) return refused('unreadable');
  return { isGenuine: true, event, id: headerOf(headers, 'webhook-id') ?? null, problem: null };
}

/** Plain SHA-256 of secret and body. Whoever knows one can append to the body, but then it is no JSON any more. */
function authProblem(body: Uint8Array, headers: WebhookHeaders, apiSecrets: readonly string[]): WebhookProblem | null {
  const auth = headerOf(headers, 'x-webhook-auth');
  if (auth === undefined) return 'unsigned';
  const fits = apiSecrets.map((secret) =>
    isEqual(createHash('sha256').update(secret).update(body).digest('hex'), auth),
  );
  return fits.includes(true) ? null : 'wrong-signature';
}

function standardProblem(
  body: Uint8Array,
  headers: WebhookHeaders,
  keys: readonly Buffer[],
  { toleranceSeconds = 300, nowSeconds = Date.now() / 1000 }: WebhookOptions,
): WebhookProblem | null {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (id === undefined || timestamp === undefined || signatures === undefined) return 'unsigned';
  if (!/^\d{1,12}$/.test(timestamp)) return 'wrong-signature';
  const expected = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  );
  const given = signatures.split(' ');
  const fits = expected.flatMap((each) => given.map((signature) => isEqual(each, signature)));
  if (!fits.includes(true)) return 'wrong-signature';
  return Math.abs(nowSeconds - Number(timestamp)) <= toleranceSeconds ? null : 'wrong-time';
}

/** In the same time wherever they differ, and whatever their lengths are. */
function isEqual(a: string, b: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}

function eventIn(body: Uint8Array): WebhookEvent | null {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  const event: unknown = JSON.parse(text);
  if (typeof event !== 'object' || event === null || !('eventType' in event) || !('data' in event)) return null;
  const { eventType, data } = event;
  const isEvent = typeof eventType === 'string' && typeof data === 'object' && data !== null && !Array.isArray(data);
  return isEvent ? (event as WebhookEvent) : null;
}

function bytesOf(body: unknown): Uint8Array | null {
  if (typeof body === 'string') return Buffer.from(body);
  return isUint8Array(body) ? body : null; // Also that of another realm, such as that of a test runner.
}

/** Whatever else is in the place of a secret, such as a setting that is missing, is none. */
const listOf = (secret: string | readonly string[] | undefined): readonly string[] =>
  (Array.isArray(secret) ? secret : [secret]).filter((each) => typeof each === 'string');

const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

const isNotEmpty = ({ length }: { readonly length: number }): boolean => length > 0;

/** Undefined also when it is empty, or comes several times: no honest sender does that. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = typeof headers['get'] === 'function' ? headers.get(name) : findIn(headers, name);
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof single === 'string' && single !== '' ? single : undefined;
}

const findIn = (headers: object, name: string): unknown =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
