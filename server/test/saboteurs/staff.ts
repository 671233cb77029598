/** The operator's staff: what they may do with accounts and with the operator's own money. */
import type { Saboteur } from './saboteur.ts';

const merchants = 'server/test/operator-merchants.test.ts';
const money = 'server/test/operator-money.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'account/account-route.ts',
    fault: 'who only looks at an account sends forms in it',
    find: "if (method === 'POST' && signedIn.isLooking) throw onlyLooking();",
    replace: "if (method === 'POST' && signedIn.isLooking && access.may !== 'webhooks') throw onlyLooking();",
    noticedBy: merchants,
    test: 'who looks at an account',
  },
  {
    file: 'people/look-at-merchant.ts',
    fault: 'a look at an account never ends',
    find: 'looksAt && now < looksAt.until ? looksAt.merchantId : null;',
    replace: 'looksAt ? looksAt.merchantId : null;',
    noticedBy: merchants,
    test: 'who looks at an account',
  },
  {
    file: 'people/open-account.ts',
    fault: 'the operator invites an owner of its own making into an account',
    find: 'if (await isOwned(tx, merchantId)) throw hasOwner();',
    replace: 'if ((await isOwned(tx, merchantId)) && address === merchantId) throw hasOwner();',
    noticedBy: merchants,
    test: 'an account is opened',
  },
  {
    file: 'people/join-account.ts',
    fault: 'a second link for a first owner is good after the first was used',
    find: '(await isOwned(tx, seen.merchantId))) throw linkNotGood();',
    replace: '(await isOwned(tx, seen.merchantId)) && now < seen.createdAt) throw linkNotGood();',
    noticedBy: merchants,
    test: 'an account is opened',
  },
  {
    file: 'merchants/suspend-merchant.ts',
    fault: 'people of an account read from where the staff suspended it',
    find: 'await leavingNoTrail(() => insertAudit(tx, { merchantId, at: clock.now(), actor, action, detail }));',
    replace: 'await insertAudit(tx, { merchantId, at: clock.now(), actor, action, detail });',
    noticedBy: merchants,
    test: 'a suspended account',
  },
  {
    file: 'auth/authenticate.ts',
    fault: 'a key of a suspended account charges',
    find: 'demandKeyWorks(merchant, request.permission);',
    replace: "if (request.permission !== 'charge') demandKeyWorks(merchant, request.permission);",
    noticedBy: merchants,
    test: 'a suspended account',
  },
  {
    file: 'account/account-route.ts',
    fault: 'people of a suspended account charge',
    find: "if (method === 'POST') demandFormWorks(merchant, { permission: access.may, isProtective });",
    replace: "if (method !== 'POST') demandFormWorks(merchant, { permission: access.may, isProtective });",
    noticedBy: merchants,
    test: 'a suspended account',
  },
  {
    file: 'people/staff-approvers.ts',
    fault: 'who asked for a withdrawal approves it',
    find: 'if (asker === approver) throw ownOrder();',
    replace: "if (asker === approver && asker === 'operator') throw ownOrder();",
    noticedBy: money,
    test: 'once two move money',
  },
  {
    file: 'people/staff-approvers.ts',
    fault: 'who was invited a minute ago approves a withdrawal',
    find: 'if (now < from) throw tooNew(from);',
    replace: 'if (now < second.roleSince) throw tooNew(from);',
    noticedBy: money,
    test: 'once two move money',
  },
  {
    file: 'people/staff-approvers.ts',
    fault: 'a second hand is made before the other one is put out, and approves after a day',
    find: 'if (lostOver <= usual) return usual;',
    replace: 'if (lostOver <= usual || lostAt !== null) return usual;',
    noticedBy: money,
    test: 'nobody makes a second hand',
  },
  {
    file: 'people/staff-approvers.ts',
    fault: 'whoever puts out the other one takes out money alone',
    find: 'return hands > 1 || (lostAt !== null && now < addMs(lostAt, lostMs));',
    replace: 'return hands > 1 || (lostAt !== null && now < lostAt);',
    noticedBy: money,
    test: 'who is put out',
  },
];
