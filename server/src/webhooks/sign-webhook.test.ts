import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Secret } from '../lib/secret.ts';
import { attemptsMax, nextAttemptAt } from './delivery-schedule.ts';
import { signWebhook } from './sign-webhook.ts';

type Sent = {
  readonly name: string;
  readonly apiSecret: string;
  readonly webhookSecrets: readonly string[];
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};
/** Shared with the SDKs, which must believe them. Among them the example that Standard Webhooks gives itself. */
const vectors = JSON.parse(readFileSync(new URL('../../../sdk/vectors/webhooks.json', import.meta.url), 'utf8')) as {
  readonly sent: readonly Sent[];
};

for (const { name, id, timestamp, body, headers, ...secrets } of vectors.sent)
  test(`a webhook carries what existing shops check, and what libraries of Standard Webhooks do: ${name}`, () => {
    const apiSecret = new Secret(secrets.apiSecret);
    const webhookSecrets = secrets.webhookSecrets.map((secret) => new Secret(secret));
    for (const ms of [0, 999]) {
      const at = new Date(timestamp * 1000 + ms);
      assert.deepEqual(signWebhook({ id, at, body }, { apiSecret, webhookSecrets }), headers);
    }
  });

test('the vectors have both proofs, as other tools make them', () => {
  const byName = new Map(vectors.sent.map(({ name, headers }) => [name, headers]));
  const completed = byName.get('a completed checkout, in UTF-8');
  // printf '%s%s' "$SECRET" "$BODY" | sha256sum
  const auth = '99271059856b4d91322ff9b524b1013a455669ed00c2c17110577b19cd77c76a';
  assert.equal(completed?.['X-Webhook-Auth'], auth);
  // printf '%s' "$ID.$TIMESTAMP.$BODY" | openssl dgst -sha256 -mac HMAC -macopt hexkey:$KEY -binary | base64
  assert.equal(completed?.['webhook-signature'], 'v1,wyARIwm7zsbkRGMABsTH+ITbylKFmgERH8u2DSHgFIY=');
  const example = byName.get('the example of Standard Webhooks')?.['webhook-signature'];
  assert.equal(example, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
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
