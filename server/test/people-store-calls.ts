/** The stores of people, as far as they are about members of an account. */
import { personActor } from '../src/http/actor.ts';
import { newLink } from '../src/people/join-account.ts';
import * as links from '../src/people/one-time-link-store.ts';
import * as people from '../src/people/person-store.ts';
import type { Call, StoreCalls } from './store-call.ts';

const personId = 'a-person-0001';
const email = 'member@example.com';
const hash = Buffer.alloc(32, 7);

const join: Call = async (tx, merchantId, { now }) => {
  await people.insertPerson(tx, { id: personId, email, name: 'A member', language: 'en' }, now);
  await people.saveMembership(tx, { merchantId, personId, role: 'owner' }, now);
};
const invite: Call = (tx, merchantId, { now }) =>
  links.insertLink(
    tx,
    hash,
    newLink({ email, merchantId, role: 'viewer', staffRole: null }, 'join', personActor(personId), now),
  );

export const peopleStoreCalls: StoreCalls = {
  'people/person-store.ts': {
    membersOf: { first: join, ask: (tx, merchantId) => people.membersOf(tx, merchantId) },
    findRole: { first: join, ask: (tx, merchantId) => people.findRole(tx, merchantId, personId) },
    lockOwners: { first: join, ask: (tx, merchantId) => people.lockOwners(tx, merchantId) },
    saveMembership: {
      first: join,
      ask: (tx, merchantId, { now }) => people.saveMembership(tx, { merchantId, personId, role: 'viewer' }, now),
    },
    deleteMembership: {
      first: join,
      ask: (tx, merchantId) => people.deleteMembership(tx, merchantId, personId),
      strangerGets: false,
    },
  },
  'people/one-time-link-store.ts': {
    openInvitations: { first: invite, ask: (tx, merchantId, { now }) => links.openInvitations(tx, merchantId, now) },
    deleteInvitation: {
      first: invite,
      ask: (tx, merchantId) => links.deleteInvitation(tx, merchantId, hash),
      strangerGets: false,
    },
    deleteInvitationsFor: { first: invite, ask: (tx, merchantId) => links.deleteInvitationsFor(tx, merchantId, email) },
    openRecoveries: {
      first: async (tx, merchantId, at) => {
        await join(tx, merchantId, at);
        const link = newLink({ email, merchantId, role: null, staffRole: null }, 'recover', 'operator', at.now);
        await links.insertLink(tx, hash, link);
      },
      ask: (tx, merchantId, { now }) => links.openRecoveries(tx, merchantId, now),
    },
    deleteInvitationsBy: {
      first: invite,
      ask: (tx, merchantId) => links.deleteInvitationsBy(tx, merchantId, `person:${personId}`),
    },
  },
};
