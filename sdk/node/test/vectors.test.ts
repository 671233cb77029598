/** The rules that every SDK and the server share: sdk/vectors. And that nothing that arrives makes us throw. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import * as errors from '../src/errors.ts';
import { List } from '../src/list.ts';
import {
  ApiError,
  chargeTotal,
  readWebhook,
  signPaymentLink,
  signRequest,
  type WebhookHeaders,
} from '../src/quittance.ts';

/** Described in sdk/vectors/README.md. */
const vectors = (name: string): any =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), 'utf8'));

test('requests are signed as every client of the interface signs them', () => {
  const { secret, timestamp, clients } = vectors('digest');
  for (const { name, method, path, body, signature } of clients)
    assert.equal(signRequest(secret, { method, path, timestamp, body }), signature, name);
});

test('amounts of payment links are signed as the service checks them', () => {
  for (const { name, secret, linkId, amount, reference, signature } of vectors('payment-links').signatures) {
    const { searchParams } = new URL(
      signPaymentLink(`https://pay.example.com/en/checkout/pay/${linkId}`, secret, { amount, reference }),
    );
    assert.deepEqual(Object.fromEntries(searchParams), { amount, reference, signature }, name);
  }
});

type Received = {
  readonly name: string;
  readonly apiSecrets: string[];
  readonly webhookSecrets: string[];
  readonly now: number;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly isGenuine: boolean;
  readonly problem: string | null;
  readonly eventType?: string;
};
const received: readonly Received[] = vectors('webhooks').received;
const bytesOf = ({ body, bodyBase64 }: Received): Buffer =>
  Buffer.from(bodyBase64 ?? body ?? '', bodyBase64 === undefined ? 'utf8' : 'base64');
const secretsOf = ({ apiSecrets, webhookSecrets }: Received) => ({
  apiSecret: apiSecrets,
  webhookSecret: webhookSecrets,
});

test('webhooks are believed when they are genuine, and only then', () => {
  for (const vector of received) {
    const { name, headers, now, problem, isGenuine, eventType } = vector;
    const found = readWebhook(bytesOf(vector), headers, secretsOf(vector), { nowSeconds: now });
    assert.deepEqual([found.isGenuine, found.problem], [isGenuine, problem], name);
    assert.equal(found.event?.eventType, eventType, name);
  }
});

test('headers come as Node has them, as fetch does, or in a list of one; a body as text or bytes', () => {
  const [vector] = received as [Received];
  const { headers, now } = vector;
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  const twice = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value, value]]));
  const check = (body: string | Uint8Array, given: WebhookHeaders) =>
    readWebhook(body, given, secretsOf(vector), { nowSeconds: now });
  for (const given of [headers, new Headers(headers), lists]) {
    assert.equal(check(vector.body ?? '', given).id, headers['webhook-id']);
    assert.ok(check(new Uint8Array(bytesOf(vector)), given).isGenuine);
  }
  const elsewhere = runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytesOf(vector)] }) as Uint8Array;
  assert.ok(check(elsewhere, headers).isGenuine, 'as test runners have it, which make their own Uint8Array');
  assert.equal(check(vector.body ?? '', twice).problem, 'unsigned');
  const single = { webhookSecret: vector.webhookSecrets[0], apiSecret: vector.apiSecrets[0] };
  assert.ok(readWebhook(vector.body ?? '', headers, single, { nowSeconds: now }).isGenuine);
});

test('whatever arrives at the URL of a webhook, nothing is thrown and nothing is believed', () => {
  const [vector] = received as [Received];
  const secrets = secretsOf(vector);
  const parsed = JSON.parse(vector.body ?? '') as string;
  assert.equal(readWebhook(parsed, vector.headers, secrets).problem, 'unreadable', 'parsed before it was checked');
  const none = undefined as unknown as typeof secrets;
  assert.equal(readWebhook(vector.body ?? '', vector.headers, none).problem, 'no-secret', 'a setting is missing');
  const complain = (): never => {
    throw new Error('do not touch');
  };
  const thrower = new Proxy({}, { get: complain, ownKeys: complain });
  const garbage = fc.oneof(
    fc.anything({ maxDepth: 1, withBigInt: true, withNullPrototype: true, withTypedArray: true }),
    fc.constant(thrower),
  );
  const texts = fc.dictionary(
    fc.constantFrom('X-Webhook-Auth', 'webhook-id', 'webhook-timestamp', 'webhook-signature', 'get'),
    fc.oneof(fc.string(), fc.constantFrom('\ud800', '\0☕😀'), fc.constant(`${vector.now}`), garbage),
  );
  fc.assert(
    fc.property(garbage, fc.oneof(garbage, texts), fc.oneof(fc.constant(secrets), garbage), (body, headers, given) => {
      const found = readWebhook(body as string, headers as WebhookHeaders, given as typeof secrets);
      assert.equal(found.isGenuine, false);
      assert.equal(found.event, null);
    }),
    { numRuns: 300 },
  );
});

test('charges are added up exactly as the server does', () => {
  for (const { name, charge, total } of vectors('totals').totals) assert.equal(chargeTotal(charge), total, name);
  assert.equal(chargeTotal({ lineItems: [{ netAmount: 169.99, quantity: 2 }], taxItems: null }), '339.98');
  for (const netAmount of ['', 'much', '1e3', '1,5', ' 1', Number.NaN, 1e21])
    assert.throws(() => chargeTotal({ lineItems: [{ netAmount }] }), /is no decimal in plain notation/);
});

test('an answer that is no success becomes an error with all its sentences', () => {
  for (const vector of vectors('errors').errors) {
    const { name, status, body, sentences, retryAfterSeconds, canRetry, isClock } = vector;
    const headers = Object.fromEntries(new Headers(vector.headers));
    const answer = { status, headers, ...read(body) };
    assert.equal(errors.isSuccess(answer), false, name);
    const error = errors.errorFrom(answer);
    assert.equal(error.name, `${vector.class}Error`, name);
    assert.ok(error instanceof ApiError && error instanceof errors.QuittanceError, name);
    assert.deepEqual([error.status, error.sentences, error.message], [status, sentences, sentences.join(' ')], name);
    assert.deepEqual([error.retryAfterSeconds, error.canRetry], [retryAfterSeconds, canRetry], name);
    assert.equal(errors.isClockProblem(answer), isClock, name);
  }
});

type Page = { readonly cursor: string | null; readonly items: readonly string[]; readonly next: string | null };

test('a list is gone through to its end, and one that has none is noticed', async () => {
  const { problem, lists } = vectors('lists');
  for (const { name, pages, items, isEndless } of lists) {
    const list = new List<string>(async (cursor) => pages.find((page: Page) => page.cursor === cursor));
    const found: string[] = [];
    const goThrough = async (): Promise<void> => {
      for await (const item of list) found.push(item);
    };
    if (isEndless) await assert.rejects(goThrough(), { name: 'QuittanceError', message: problem }, name);
    else await goThrough();
    assert.deepEqual(found, items, name);
  }
});

function read(body: string): { data: unknown; isJson: boolean } {
  try {
    return { data: JSON.parse(body), isJson: true };
  } catch {
    return { data: body, isJson: false };
  }
}
