/**
 * Keys whose secret somebody has who could not make them: who left the account, or has a lesser role since. They go on
 * working, because a shop may run on them; whoever put that person out decides what becomes of them.
 */
import { type Actor, isPersonActor, personIdOf } from '../../http/actor.ts';
import type { ListedKey } from '../../merchants/api-key-store.ts';
import type { Member } from '../../people/person-store.ts';
import { grantOf } from '../../people/roles.ts';
import { permissionToGive } from './key-rights.ts';

export type KeyInOtherHands = { readonly key: ListedKey; readonly personIds: readonly string[] };

export function keysInOtherHands(
  keys: readonly ListedKey[],
  members: readonly Pick<Member, 'personId' | 'role'>[],
  now: Date,
): KeyInOtherHands[] {
  return keys
    .filter(({ revokedAt }) => revokedAt === null)
    .map((key) => ({ key, personIds: handsOf(key, now).filter((personId) => !couldMake(key, personId)) }))
    .filter(({ personIds }) => personIds.length > 0);

  function couldMake({ scopes }: ListedKey, personId: string): boolean {
    const member = members.find((each) => each.personId === personId);
    return member !== undefined && grantOf(permissionToGive(scopes), member.role) !== 'no';
  }
}

/** The person who gave it the secret that it has; while an earlier one works, or no person did, all who ever knew one. */
function handsOf({ secretBy, knownTo, formerUntil }: ListedKey, now: Date): string[] {
  const isAlone = secretBy !== null && isPersonActor(secretBy) && !(formerUntil && formerUntil > now);
  const hands: readonly Actor[] = isAlone ? [secretBy] : knownTo;
  return [...new Set(hands)].filter(isPersonActor).map(personIdOf);
}
