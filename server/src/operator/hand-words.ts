/**
 * Who asked for money to leave, and who decided it, so that nobody takes one for another. A name is changed by whoever has it,
 * without anybody's yes; the address is not, and a hand that was made for one order has not been one for long.
 */
import type { Query } from '../db/database.ts';
import { type Actor, isPersonActor, personIdOf } from '../http/actor.ts';
import { findPeople } from '../people/person-store.ts';
import { movesMoney } from '../people/staff-approvers.ts';
import { listStaff } from '../people/staff-store.ts';
import { type Html, html } from '../web/html.ts';
import { houseMoment } from './operator-parts.ts';

export type HandWords = {
  /** Name and address. */
  nameOf(actor: Actor): string;
  /** Likewise, and since when they count as one of the two. */
  askerOf(actor: Actor): Html;
};

export async function readHandWords(query: Query, actors: readonly Actor[]): Promise<HandWords> {
  const ids = actors.flatMap((actor) => (isPersonActor(actor) ? [personIdOf(actor)] : []));
  const [people, staff] = await Promise.all([findPeople(query, ids), listStaff(query)]);
  const idOf = (actor: Actor): string => (isPersonActor(actor) ? personIdOf(actor) : '');
  const nameOf = (actor: Actor): string => {
    if (actor === 'operator') return 'a command';
    const person = people.get(idOf(actor));
    return person ? `${person.name} (${person.email})` : 'somebody';
  };
  return {
    nameOf,
    askerOf(actor) {
      if (actor === 'operator') return html`${nameOf(actor)}`;
      const hand = staff.find(({ personId, role }) => personId === idOf(actor) && movesMoney(role));
      return hand
        ? html`${nameOf(actor)}, who counts as one of the two since ${houseMoment(hand.roleSince)}`
        : html`${nameOf(actor)}, who moves no money any more`;
    },
  };
}
