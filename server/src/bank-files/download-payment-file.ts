/**
 * Gives a payment file to whoever hands it to the bank. That it was given is committed before its bytes leave: from then on it may be
 * signed at any moment, also by who died before they arrived. A second time it is given only to who confirms it, and never when
 * something of it was paid or refused: it pays what it says, also what was paid under another name or is its merchant's again.
 */
import { createHash } from 'node:crypto';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { notFound } from '../lib/errors.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { payoutsInDoubt } from '../payments/movement-store.ts';
import { operatorId } from '../people/audit-sign-in.ts';
import { ordersOfFile } from '../sending/file-order-store.ts';
import { paymentBytes } from './bank-file-bytes.ts';
import {
  bytesForgotten,
  downloadedBefore,
  fileHeld,
  fileInDoubt,
  fileIsVoid,
  partsDecided,
} from './payment-file-errors.ts';
import { lockPaymentFile, markDownloaded } from './payment-file-store.ts';

export type DownloadedFile = { readonly fileName: string; readonly mediaType: string; readonly bytes: Buffer };

export type DownloadAsked = {
  readonly id: string;
  /** Whoever asks knows that it was downloaded before. */
  readonly isAgain: boolean;
  readonly actor: Actor;
  readonly begin: Begin<DownloadedFile>;
};

export async function downloadPaymentFile(
  { clock, encryption }: { readonly clock: Clock; readonly encryption: Encryption },
  { id, isAgain, actor, begin }: DownloadAsked,
): Promise<DownloadedFile> {
  return begin(async (tx) => {
    const at = clock.now();
    const file = await lockPaymentFile(tx, id);
    if (!file) throw notFound('payment file', id);
    const { network, fileName, mediaType, downloads } = file;
    if (file.state === 'VOID' || file.state === 'VOID_DECLARED') throw fileIsVoid();
    if (downloads > 0 && !isAgain) throw downloadedBefore(downloads);
    const orders = await ordersOfFile(tx, network, id);
    const decided = orders.filter(({ state }) => state !== 'OPEN').map(({ payoutId }) => payoutId);
    if (decided.length > 0) throw partsDecided(decided, orders.length);
    const held = orders.filter(({ isHeld }) => isHeld).map(({ payoutId }) => payoutId);
    if (held.length > 0) throw fileHeld(held);
    const payoutIds = orders.map(({ payoutId }) => payoutId);
    const inDoubt = await payoutsInDoubt(tx, network, payoutIds);
    if (inDoubt.size > 0) throw fileInDoubt([...inDoubt]);
    const bytes = await paymentBytes(tx, encryption, id);
    if (bytes === null) throw bytesForgotten();
    assert(createHash('sha256').update(bytes).digest('hex') === file.digest, 'a payment file is as it was written');
    assert(await markDownloaded(tx, id, at), 'a file that is locked stays as it is');
    const detail = { id, network, times: downloads + 1 };
    await insertAudit(tx, { merchantId: operatorId, at, actor, action: 'bank.file_downloaded', detail });
    return { fileName, mediaType, bytes };
  });
}
