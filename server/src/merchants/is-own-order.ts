/**
 * Nobody approves their own order: neither with the key that asked, nor with a key that they made or gave a secret. So
 * a key is in its own hands and in those of everybody who ever knew its secret; if two keys have a hand in common, one
 * cannot approve what the other ordered. The operator, who makes the keys of all merchants, does not count as a hand; and
 * a key in which no person is known to have a hand, or whose secret the operator has given to nobody knows whom, is no
 * second pair of eyes for a person, who may have asked the operator for it
 * (docs/decisions/0050-nobody-becomes-alone-by-force.md).
 */
import type { Query } from '../db/database.ts';
import { type Actor, apiKeyOf, isKeyActor, isPersonActor } from '../http/actor.ts';
import { findKnownTo, knownToOfEach } from './api-key-store.ts';

export async function isOwnOrder(query: Query, merchantId: string, asker: Actor, approver: Actor): Promise<boolean> {
  const [asking, approving] = await Promise.all([
    handsOf(query, merchantId, asker),
    handsOf(query, merchantId, approver),
  ]);
  const isOfNobody = isKeyActor(approver) && (approving.includes('operator') || !approving.some(isPersonActor));
  const isShared = asking.some((hand) => hand !== 'operator' && approving.includes(hand));
  return isShared || (isOfNobody && asking.some(isPersonActor));
}

/** The actor itself and, if it is a key, whoever knows its secret. */
const handsOf = async (query: Query, merchantId: string, actor: Actor): Promise<Actor[]> =>
  isKeyActor(actor) ? [actor, ...(await findKnownTo(query, merchantId, apiKeyOf(actor)))] : [actor];

/** Of each of them, all hands. */
export async function handsOfEach(
  query: Query,
  merchantId: string,
  actors: readonly Actor[],
): Promise<Map<Actor, readonly Actor[]>> {
  const keys = new Set(actors.filter(isKeyActor));
  const known = keys.size === 0 ? new Map() : await knownToOfEach(query, merchantId, [...keys].map(apiKeyOf));
  return new Map(
    actors.map((actor) => [actor, [actor, ...(isKeyActor(actor) ? (known.get(apiKeyOf(actor)) ?? []) : [])]]),
  );
}

/** What is stored with a key that this actor makes or rotates. */
export const handsBehind = async (query: Query, merchantId: string, maker: Actor): Promise<Actor[]> =>
  maker === 'operator' ? [] : handsOf(query, merchantId, maker);
