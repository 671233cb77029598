import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../lib/secret.ts';
import { attemptsMax, nextAttemptAt } from './delivery-schedule.ts';
import { signWebhook } from './sign-webhook.ts';

const body = '{"eventType":"CHECKOUT_COMPLETED","data":{"checkout":{"id":"abcdefghijkl","name":"Café ☕"}}}';
const apiSecret = new Secret('qx7k-2m4p-9d1s-zz0a-b3c4-e5f6');

test('a webhook carries the SHA-256 of secret and body that existing shops check', () => {
  const webhookSecret = new Secret('whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=');
  const headers = signWebhook(
    { id: 'evt0evt0evt0', at: new Date(1_790_000_000_999), body },
    { apiSecret, webhookSecrets: [webhookSecret] },
  );
  assert.deepEqual(headers, {
    // printf '%s%s' "$SECRET" "$BODY" | sha256sum
    'X-Webhook-Auth': '99271059856b4d91322ff9b524b1013a455669ed00c2c17110577b19cd77c76a',
    'webhook-id': 'evt0evt0evt0',
    'webhook-timestamp': '1790000000',
    // printf '%s' "$ID.$TIMESTAMP.$BODY" | openssl dgst -sha256 -mac HMAC -macopt hexkey:$KEY -binary | base64
    'webhook-signature': 'v1,wyARIwm7zsbkRGMABsTH+ITbylKFmgERH8u2DSHgFIY=',
  });
});

test('a webhook carries the signature that libraries of Standard Webhooks check', () => {
  const webhookSecret = new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  };
  assert.equal(
    signWebhook(message, { apiSecret, webhookSecrets: [webhookSecret] })['webhook-signature'],
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('a receiver that fails is tried for about four days, at growing gaps', () => {
  for (const random of [() => 0, () => 0.999]) {
    let now = new Date(0);
    let gap = 0;
    for (let failures = 1; failures < attemptsMax; failures += 1) {
      const next = nextAttemptAt(failures, now, random);
      assert.ok(next !== null && next.getTime() - now.getTime() >= gap);
      gap = next.getTime() - now.getTime();
      now = next;
    }
    const days = now.getTime() / 86_400_000;
    assert.ok(days > 4 && days < 5, `${days} days`);
    assert.equal(nextAttemptAt(attemptsMax, now, random), null);
  }
});

test('what failed together does not come back together: up to a tenth is added to every gap', () => {
  const gapAfter = (failures: number, random: number): number =>
    nextAttemptAt(failures, new Date(0), () => random)?.getTime() ?? 0;
  for (let failures = 1; failures < attemptsMax; failures += 1) {
    const least = gapAfter(failures, 0);
    assert.equal(gapAfter(failures, 0.5), least * 1.05);
    assert.ok(gapAfter(failures, 0.999_999) < least * 1.1);
  }
});
