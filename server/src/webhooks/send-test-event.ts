import type { Db } from '../db/database.ts';
import type { Begin } from '../http/effect.ts';
import { isStorable } from '../http/parse-json.ts';
import { present } from '../lib/assert.ts';
import { type Clock, formatTimestamp } from '../lib/clock.ts';
import { invalidRequest, told } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { markReplaced } from './delivery-list-store.ts';
import { recordEvent } from './record-event.ts';
import { enableWebhook } from './webhook-store.ts';
import { webhookUrlProblems } from './webhook-url-problems.ts';

const urlMax = 2_000;

type Sent = { readonly deliveryId: string };

/**
 * An event that nothing happened for, signed and sent as all others are, so that a receiver can be tried out. It is sent
 * once, whatever is answered. Whoever asks for it wants the URL to be used, even if it answered 410 before.
 */
export async function sendTestEvent(
  { db, clock, begin = db.begin }: { readonly db: Db; readonly clock: Clock; readonly begin?: Begin<Sent> },
  merchant: { readonly id: string; readonly isWebhookHttpsRequired: boolean },
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
): Promise<Sent> {
  const webhook = readUrl(merchant, url);
  const at = clock.now();
  const subject = newId();
  const data = { id: subject, message: 'This is a test. Nothing was paid.', timestamp: formatTimestamp(at) };
  return begin(async (tx) => {
    await enableWebhook(tx, merchant.id, webhook);
    const recorded = await recordEvent(tx, {
      merchantId: merchant.id,
      subject,
      type: 'TEST',
      data,
      webhook,
      apiKey,
      at,
    });
    const deliveryId = present(recorded.deliveryId, 'the delivery of a test event');
    await markReplaced(tx, merchant.id, [{ id: deliveryId, by: deliveryId }]);
    return { deliveryId };
  });
}

function readUrl(merchant: { readonly isWebhookHttpsRequired: boolean }, text: string): string {
  const url = text.trim();
  const parsed = url.length <= urlMax && isStorable(url) ? URL.parse(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw invalidRequest([told('webhook_no_url', 'The webhook must be a URL that begins with https:// or http://.')]);
  const problems = webhookUrlProblems({ allowLoopbackWebhooks: true }, merchant, url); // Its attempt says the rest at once.
  if (problems.length > 0) throw invalidRequest(problems);
  return url;
}
