/**
 * Gives a payment file up. What nobody has downloaded is void at once, and its payments wait for another file. What was downloaded may
 * have been signed: the operator declares that it was not, and each of its payments waits again only when statements have said all
 * about the days on which it could have been booked.
 */
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { notFound } from '../lib/errors.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { operatorId } from '../people/audit-sign-in.ts';
import { countOrders } from '../sending/file-order-store.ts';
import { declareOrdersVoid } from '../sending/order-store.ts';
import { voidOrders } from '../sending/void-orders.ts';
import { allDecided, declarationNeeded, fileIsVoid } from './payment-file-errors.ts';
import { paymentFileStates } from './payment-file-state.ts';
import { lockPaymentFile, markVoid } from './payment-file-store.ts';

export type VoidedFile = {
  readonly id: string;
  readonly isDeclared: boolean;
  /** How many payments wait for another file, at once or when statements have shown that they were not booked. */
  readonly orderCount: number;
};

export type VoidAsked = {
  readonly id: string;
  /** The operator says that it was not signed, or was deleted at the bank. */
  readonly isDeclared: boolean;
  readonly actor: Actor;
  readonly begin: Begin<VoidedFile>;
};

export async function voidPaymentFile(
  { clock }: { readonly clock: Clock },
  { id, isDeclared, actor, begin }: VoidAsked,
): Promise<VoidedFile> {
  return begin(async (tx) => {
    const at = clock.now();
    const file = await lockPaymentFile(tx, id);
    if (!file) throw notFound('payment file', id);
    const { network, state } = file;
    const isSeen = paymentFileStates.can(state, 'declareVoid');
    if (!isSeen && !paymentFileStates.can(state, 'void')) throw fileIsVoid();
    if (isSeen && !isDeclared) throw declarationNeeded();
    const open = (await countOrders(tx, network, [id])).find((each) => each.state === 'OPEN')?.count ?? 0;
    if (open === 0) throw allDecided();
    assert(await markVoid(tx, id, isSeen ? 'declareVoid' : 'void', { by: actor, at }), 'a file that is locked stays');
    if (isSeen) await declareOrdersVoid(tx, network, id, at);
    const orderCount = isSeen ? open : await voidOrders(tx, network, id, at);
    const action = isSeen ? 'bank.file_declared_void' : 'bank.file_voided';
    await insertAudit(tx, { merchantId: operatorId, at, actor, action, detail: { id, network, orders: orderCount } });
    return { id, isDeclared: isSeen, orderCount };
  });
}
