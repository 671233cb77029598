/** The stores of people, as far as they are about members of an account. */

import * as hides from '../src/finding/hidden-need-store.ts';
import * as notifications from '../src/finding/notification-store.ts';
import { personActor } from '../src/http/actor.ts';
import * as audit from '../src/merchants/audit-store.ts';
import { insertAudit } from '../src/merchants/merchant-store.ts';
import { newLink } from '../src/people/join-account.ts';
import * as lost from '../src/people/lost-approver-store.ts';
import * as safety from '../src/people/member-safety-store.ts';
import * as links from '../src/people/one-time-link-store.ts';
import * as people from '../src/people/person-store.ts';
import { policyChangeStates } from '../src/people/policy-change-state.ts';
import * as policies from '../src/people/policy-change-store.ts';
import type { Call, StoreCalls } from './store-call.ts';

const personId = 'a-person-0001';
const email = 'member@example.com';
const hash = Buffer.alloc(32, 7);
const linkId = 'a-link-000001';

const join: Call = async (tx, merchantId, { now }) => {
  await people.insertPerson(tx, { id: personId, email, name: 'A member', language: 'en', isProven: true }, now);
  await people.saveMembership(tx, { merchantId, personId, role: 'owner' }, now);
};
const invite: Call = async (tx, merchantId, { now }) => {
  const link = newLink({ email, merchantId, role: 'viewer', staffRole: null }, 'join', personActor(personId), now);
  await links.insertLink(tx, hash, link);
  await tx`update one_time_link set id = ${linkId} where token_hash = ${hash}`; // Else it is another one each time.
};

const somebody = personActor('somebody');
const everyAction = { actor: null, beginnings: null, from: null, to: null, before: null };
const did: Call = (tx, merchantId, { now }) =>
  insertAudit(tx, { merchantId, at: now, actor: somebody, action: 'address.allowed', detail: {} });

const choose: Call = async (tx, merchantId, own) => {
  await join(tx, merchantId, own);
  await notifications.saveChoice(tx, merchantId, { personId, kind: 'underpaid', choice: 'never', chosenAt: null });
};

const hide: Call = async (tx, merchantId, own) => {
  if ((await people.findRole(tx, merchantId, personId)) === undefined) await join(tx, merchantId, own);
  const until = new Date('2100-01-01');
  await hides.saveHiddenNeed(tx, merchantId, { personId, item: 'onlyOneOwner.', since: own.now, until });
};

const changeId = 'a-change-0001';
const waiting = (now: Date): policies.PolicyChange => ({
  id: changeId,
  policy: { kind: 'settings', change: { disallow: '127.0.0.1' } },
  state: 'WAITING',
  requestedBy: personId,
  requestedAt: now,
});
const ask: Call = async (tx, merchantId, own) => {
  await join(tx, merchantId, own);
  await policies.insertPolicyChange(tx, merchantId, waiting(own.now));
};

const everBefore = { from: new Date(0), to: new Date('2100-01-01') };

export const peopleStoreCalls: StoreCalls = {
  'people/person-store.ts': {
    membersOf: { first: join, ask: (tx, merchantId) => people.membersOf(tx, merchantId) },
    findRole: { first: join, ask: (tx, merchantId) => people.findRole(tx, merchantId, personId) },
    lockOwners: { first: join, ask: (tx, merchantId) => people.lockOwners(tx, merchantId) },
    restartHand: {
      first: join,
      ask: (tx, merchantId, { now }) => people.restartHand(tx, personId, merchantId, new Date(now.getTime() + 1)),
    },
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
  'people/member-safety-store.ts': {
    loneOwner: { first: join, ask: (tx, merchantId) => safety.loneOwner(tx, merchantId) },
    membersWithoutPasskey: {
      first: async (tx, merchantId, own) => {
        await join(tx, merchantId, own);
        await tx`update person set totp_secret = ${hash} where id = ${personId}`;
      },
      ask: (tx, merchantId) => safety.membersWithoutPasskey(tx, merchantId, ['owner']),
    },
  },
  'finding/hidden-need-store.ts': {
    listHiddenNeeds: { first: hide, ask: (tx, merchantId) => hides.listHiddenNeeds(tx, merchantId) },
    saveHiddenNeed: { first: join, ask: hide },
    deleteHiddenExcept: {
      first: hide,
      ask: (tx, merchantId, { now }) => hides.deleteHiddenExcept(tx, merchantId, [], now),
    },
  },
  'finding/notification-store.ts': {
    listChoices: { first: choose, ask: (tx, merchantId) => notifications.listChoices(tx, merchantId) },
    saveChoice: { first: join, ask: choose },
    insertTold: {
      first: join,
      ask: (tx, merchantId, { now }) => notifications.insertTold(tx, merchantId, personId, ['underpaid.x'], now),
    },
    forgetGone: {
      first: async (tx, merchantId, own) => {
        await join(tx, merchantId, own);
        await notifications.insertTold(tx, merchantId, personId, ['underpaid.x'], own.now);
      },
      ask: (tx, merchantId) => notifications.forgetGone(tx, merchantId, []),
    },
    beginDigest: {
      first: join,
      ask: (tx, merchantId) => notifications.beginDigest(tx, merchantId, personId, '2026-03-01'),
    },
    saveLook: (tx, merchantId, { now }) => notifications.saveLook(tx, merchantId, now),
  },
  'merchants/audit-store.ts': {
    listAudit: {
      first: did,
      ask: async (tx, merchantId) => {
        const rows = await audit.listAudit(tx, merchantId, { ...everyAction, beginnings: ['address.'], limit: 9 });
        return rows.map((row) => ({ ...row, id: null })); // Numbers are given out to all.
      },
    },
    listAuditTexts: {
      first: did,
      ask: async (tx, merchantId) => {
        const texts = await audit.listAuditTexts(tx, merchantId, everBefore, { after: null, limit: 99 });
        return texts.filter(({ text }) => text.includes(somebody)).map(() => somebody);
      },
    },
    countAuditTexts: {
      first: did,
      // That it was made stands in its own log.
      ask: async (tx, merchantId) => (await audit.countAuditTexts(tx, merchantId, everBefore)) > 1,
      strangerGets: false,
    },
    auditActors: {
      first: did,
      ask: async (tx, merchantId) => (await audit.auditActors(tx, merchantId)).filter((actor) => actor === somebody),
    },
  },
  'people/lost-approver-store.ts': {
    saveLostApprover: (tx, merchantId, { now }) => lost.saveLostApprover(tx, merchantId, now),
    findLostApprover: {
      first: (tx, merchantId, { now }) => lost.saveLostApprover(tx, merchantId, now),
      ask: (tx, merchantId) => lost.findLostApprover(tx, merchantId),
    },
  },
  'people/policy-change-store.ts': {
    insertPolicyChange: {
      first: join,
      ask: (tx, merchantId, { now }) => policies.insertPolicyChange(tx, merchantId, waiting(now)),
    },
    findPolicyChange: { first: ask, ask: (tx, merchantId) => policies.findPolicyChange(tx, merchantId, changeId) },
    waitingPolicyChanges: { first: ask, ask: (tx, merchantId) => policies.waitingPolicyChanges(tx, merchantId, 9) },
    movePolicyChange: {
      first: ask,
      ask: (tx, merchantId, { now }) =>
        policies.movePolicyChange(tx, merchantId, changeId, policyChangeStates.pairs('refuse'), {
          by: personId,
          at: now,
        }),
      strangerGets: false,
    },
    movePolicyChangesOf: {
      first: ask,
      ask: (tx, merchantId, { now }) =>
        policies.movePolicyChangesOf(tx, merchantId, personId, policyChangeStates.pairs('withdraw'), now),
    },
  },
  'people/one-time-link-store.ts': {
    openInvitations: { first: invite, ask: (tx, merchantId, { now }) => links.openInvitations(tx, merchantId, now) },
    findWaitingLink: {
      first: invite,
      ask: (tx, merchantId, { now }) => links.findWaitingLink(tx, { purpose: 'join', merchantId, email }, now),
    },
    deleteInvitation: {
      first: invite,
      ask: (tx, merchantId) => links.deleteInvitation(tx, merchantId, linkId),
      strangerGets: false,
    },
    deleteFirstOwnerLink: {
      first: async (tx, merchantId, at) => {
        await invite(tx, merchantId, at);
        await tx`update one_time_link set is_first_owner = true where id = ${linkId}`;
      },
      ask: (tx, merchantId) => links.deleteFirstOwnerLink(tx, merchantId, linkId),
      strangerGets: false,
    },
    deleteInvitationsFor: {
      first: invite,
      ask: (tx, merchantId) => links.deleteInvitationsFor(tx, merchantId, email),
      strangerGets: false,
    },
    openRecoveries: {
      first: async (tx, merchantId, at) => {
        await join(tx, merchantId, at);
        const link = newLink({ email, merchantId, role: null, staffRole: null }, 'recover', 'operator', at.now);
        await links.insertLink(tx, hash, { ...link, personId });
      },
      ask: (tx, merchantId, { now }) => links.openRecoveries(tx, merchantId, now),
    },
    deleteRecovery: {
      first: async (tx, merchantId, at) => {
        await join(tx, merchantId, at);
        const link = newLink({ email, merchantId, role: null, staffRole: null }, 'recover', 'operator', at.now);
        await links.insertLink(tx, hash, { ...link, personId });
      },
      ask: (tx, merchantId) => links.deleteRecovery(tx, personId, merchantId),
      strangerGets: false,
    },
    deleteInvitationsBy: {
      first: invite,
      ask: (tx, merchantId) => links.deleteInvitationsBy(tx, merchantId, `person:${personId}`),
    },
  },
};
