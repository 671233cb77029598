/**
 * Nobody approves, nor has asked for what is approved, who is new to it, person or key: otherwise one human would make a second
 * hand for one order. The others have a day to see who it is (docs/decisions/0138-nobody-becomes-somebody-else.md).
 */
import type { Query } from '../db/database.ts';
import { type Actor, apiKeyOf, isKeyActor, isPersonActor, personIdOf } from '../http/actor.ts';
import { addMs } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { findSecretSince } from '../merchants/api-key-store.ts';
import { handFrom, newHandMs } from './new-hand.ts';
import { membersOf } from './person-store.ts';

export async function demandKnownHands(
  query: Query,
  merchantId: string,
  { asker, approver, now }: { readonly asker: Actor | undefined; readonly approver: Actor; readonly now: Date },
): Promise<void> {
  const askerFrom = asker === undefined ? null : await countsFrom(query, merchantId, asker);
  if (askerFrom !== null && now < askerFrom) throw newAsker(askerFrom);
  const approverFrom = await countsFrom(query, merchantId, approver);
  if (approverFrom !== null && now < approverFrom) throw newApprover(approverFrom);
}

/** Null: always. A key is as new as the secret that a person knows; one that only the operator has given is nobody's hand. */
async function countsFrom(query: Query, merchantId: string, actor: Actor): Promise<Date | null> {
  if (isKeyActor(actor)) {
    const since = await findSecretSince(query, merchantId, apiKeyOf(actor));
    return since && addMs(since, newHandMs);
  }
  if (!isPersonActor(actor)) return null;
  const member = (await membersOf(query, merchantId)).find(({ personId }) => personId === personIdOf(actor));
  return member ? handFrom(member) : null;
}

const newAsker = (from: Date) =>
  new GatewayError({
    code: 'new_asker',
    httpStatus: 409,
    message: `Whoever asked for this is new to it here, or signs in with something new: nothing of theirs is approved before ${from.toISOString()}, so that the others see it first.`,
  });
const newApprover = (from: Date) =>
  new GatewayError({
    code: 'new_hand',
    httpStatus: 409,
    message: `Whoever is new to approving here, or signs in with something new, approves nothing for a day: you can from ${from.toISOString()} on.`,
  });
