/**
 * What we sent and somebody's mail server took came back later. Only what has an id of ours that nobody guesses counts, and
 * only what will not be otherwise tomorrow: then the address gets no more mails about orders until it is another one, or
 * somebody says try again.
 */
import { markReceiptBounced } from '../checkouts/email-store.ts';
import { markBounced } from '../checkouts/status-mail-store.ts';
import { saveFailure } from '../counterparties/mail-address-store.ts';
import { isOfAddress, mailFailure } from '../counterparties/mail-failure.ts';
import type { Db } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { isId } from '../lib/ids.ts';
import { readBounce } from './read-bounce.ts';

export type NotedBounce =
  | { readonly is: 'noted'; readonly merchantId: string; readonly checkoutId: string; readonly failure: string }
  /** No report, a report of a delay, or about something else than a mail to a customer that came back for the first time. */
  | { readonly is: 'no report' | 'temporary' | 'not ours' };

export async function noteBounce(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  raw: Uint8Array,
): Promise<NotedBounce> {
  const bounce = await readBounce(raw);
  if (!bounce) return { is: 'no report' };
  if (!bounce.status.startsWith('5.')) return { is: 'temporary' };
  const [, name = '', id = ''] = /^(status|receipt-again|paper|receipt)\.([a-z0-9]+)@/.exec(bounce.messageId) ?? [];
  if (!isId(id)) return { is: 'not ours' };
  const failure = mailFailure(bounce.status);
  const at = clock.now();
  return db.begin(async (tx): Promise<NotedBounce> => {
    const mail = await (name === 'receipt' ? markReceiptBounced : markBounced)(tx, id, failure, at);
    if (!mail) return { is: 'not ours' };
    const { merchantId, checkoutId, addressHash } = mail;
    if (addressHash && isOfAddress(failure)) await saveFailure(tx, { merchantId, addressHash }, { at, failure });
    return { is: 'noted', merchantId, checkoutId, failure };
  });
}

/** One message, or a mailbox of many (mbox), each of which begins with a line `From …`. */
export function messagesIn(raw: Buffer): Buffer[] {
  const text = raw.toString('latin1');
  if (!text.startsWith('From ')) return [raw];
  return text
    .split(/^From .*\r?\n/m)
    .filter((message) => message.trim() !== '')
    .map((message) => Buffer.from(message, 'latin1'));
}
