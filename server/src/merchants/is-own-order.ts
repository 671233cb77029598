/**
 * Nobody approves an order of their own: not with the key that asked, and not with a key that they made or gave a
 * secret. A key is therefore in its own hands and in those of everybody who ever knew its secret; two keys with a hand
 * in common are one pair of eyes. The operator, who makes the keys of all merchants, is nobody's hand.
 */
import type { Query } from '../db/database.ts';
import { type Actor, apiKeyOf, isKeyActor } from '../http/actor.ts';
import { findKnownTo } from './api-key-store.ts';

export async function isOwnOrder(query: Query, merchantId: string, asker: Actor, approver: Actor): Promise<boolean> {
  const [asking, approving] = await Promise.all([
    handsOf(query, merchantId, asker),
    handsOf(query, merchantId, approver),
  ]);
  return asking.some((hand) => approving.includes(hand));
}

/** The actor itself and, of a key, whoever knows its secret. */
const handsOf = async (query: Query, merchantId: string, actor: Actor): Promise<Actor[]> =>
  isKeyActor(actor) ? [actor, ...(await findKnownTo(query, merchantId, apiKeyOf(actor)))] : [actor];

/** What is kept with a key that this actor makes or rotates. */
export const handsBehind = async (query: Query, merchantId: string, maker: Actor): Promise<Actor[]> =>
  maker === 'operator' ? [] : handsOf(query, merchantId, maker);
