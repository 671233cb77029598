/** People: how they come in, prove who they are, and what a role may do. */
import type { Saboteur } from './saboteur.ts';

const attacks = 'server/test/account-attacks.test.ts';
const guessing = 'server/test/account-guessing.test.ts';
const matrix = 'server/test/account-matrix.sampled.test.ts';
const recovery = 'server/test/account-recovery.test.ts';
const sessions = 'server/test/account-sessions.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'people/recover-member.ts',
    fault: 'who may move money in another account does not wait, and its owners are not told',
    find: 'const concerned = memberships.filter(({ role }) => mayMoveMoney(role));',
    replace:
      'const concerned = memberships.filter((each) => mayMoveMoney(each.role) && each.merchantId === merchantId);',
    noticedBy: recovery,
  },
  {
    file: 'people/recover-member.ts',
    fault: 'a link into another account is shown to who runs this one',
    find: 'const isElsewhere = memberships.length > 1 ||',
    replace: 'const isElsewhere = memberships.length > 9 ||',
    noticedBy: recovery,
  },
  {
    file: 'people/join-account.ts',
    fault: 'a link that was shown in one account leads into one that was joined later',
    find: "await deleteLinksFor(tx, link.email, 'recover');",
    replace: "await deleteLinksFor(tx, link.email, 'sign-in');",
    noticedBy: recovery,
  },
  {
    file: 'people/change-member.ts',
    fault: 'who was put out comes back by an invitation that was open',
    find: 'if (role === null) await deleteInvitationsFor(tx, merchantId, person.email);',
    replace: "if (role === null) await deleteInvitationsFor(tx, merchantId, '');",
    noticedBy: recovery,
    test: 'does not come back',
  },
  {
    file: 'people/change-staff.ts',
    fault: 'a link to sign in anew survives another role among the staff',
    find: "else await deleteLinksFor(tx, member.email, 'recover');",
    replace: "else await deleteLinksFor(tx, member.email, 'sign-up');",
    noticedBy: recovery,
    test: 'made for a small role',
  },
  {
    file: 'account/people-routes.ts',
    fault: 'who is put out in this moment still lets somebody in anew',
    find: 'const email = await recoverMemberByEmail(held, change);',
    replace: 'const email = await recoverMemberByEmail(deps, change);',
    noticedBy: recovery,
    test: 'put out in the moment',
  },
  {
    file: 'account/answer-person.ts',
    fault: 'a form from another site is carried out',
    find: "if (method === 'POST' && !isOurOwn(request, origin)) throw forged();",
    replace: "if (method === 'POST' && !isOurOwn(request, origin) && origin === '') throw forged();",
    noticedBy: guessing,
    test: 'another site sent',
  },
  {
    file: 'account/account-route.ts',
    fault: 'a form of another tab changes the account that was chosen since',
    find: "if (method === 'POST' && form.get('account') !== merchant.id) throw otherAccount();",
    replace: "if (method === 'POST' && form.get('account') === null) throw otherAccount();",
    noticedBy: attacks,
  },
  {
    file: 'account/account-route.ts',
    fault: 'a role may do what the table says no to',
    find: "if (grant === 'no') throw notYours();",
    replace: "if (grant === 'no' && method === 'GET') throw notYours();",
    noticedBy: matrix,
  },
  {
    file: 'operator/operator-route.ts',
    fault: "an owner of an account walks into the operator's area",
    find: 'if (staffRole === null) throw nothingHere();',
    replace: "if (staffRole === null && signedIn.role !== 'owner') throw nothingHere();",
    noticedBy: 'server/test/operator-matrix.test.ts',
    test: 'for people of an account there is nothing here',
  },
  {
    file: 'auth/authenticate-person.ts',
    fault: 'staff may be signed in without a second factor',
    find: 'const needsMore = staffRole !== null || memberships',
    replace: 'const needsMore = memberships',
    noticedBy: 'server/test/operator-matrix.test.ts',
    test: 'staff without a second factor',
  },
  {
    file: 'account/demand-proof.ts',
    fault: 'an old session is proof enough',
    find: 'if (isFresh(session, deps.clock.now()))',
    replace: 'if (session.provedAt !== null)',
    noticedBy: matrix,
  },
  {
    file: 'account/demand-proof.ts',
    fault: 'a thief adds a first passkey to who has a password',
    find: 'if (demand.isFirstSetUp && hasNothing(person))',
    replace: 'if (demand.isFirstSetUp && person.passkeys === 0)',
    noticedBy: attacks,
  },
  {
    file: 'people/guessing.ts',
    fault: 'the password in between makes codes guessable',
    find: 'isAllTheWayIn ? forgetFailures(query, subjects.email) : takeBackFailure(query, subjects.email)',
    replace: 'isAllTheWayIn ? forgetFailures(query, subjects.email) : forgetFailures(query, subjects.email)',
    noticedBy: guessing,
    test: 'codes cannot be guessed',
  },
  {
    file: 'people/credential-store.ts',
    fault: 'a code of an app is good twice',
    find: '(totp_step is null or totp_step < ${step})',
    replace: '(totp_step is null or totp_step <= ${step})',
    noticedBy: guessing,
    test: 'two browsers with one code',
  },
  {
    file: 'people/challenge-store.ts',
    fault: 'an answer of a passkey is good twice',
    find: 'and used_at is null and expires_at > ${now}',
    replace: 'and expires_at > ${now}',
    noticedBy: attacks,
    test: 'an answer of a passkey is good once',
  },
  {
    file: 'people/passkey-ceremony.ts',
    fault: 'an answer counts for another purpose',
    find: 'if (asked?.purpose !== expected.purpose || asked.personId !== expected.personId) throw challengeNotGood();',
    replace: 'if (!asked) throw challengeNotGood();',
    noticedBy: attacks,
  },
  {
    file: 'people/join-account.ts',
    fault: 'an invitation makes less of an owner',
    find: 'if ((await findRole(tx, merchantId, personId)) !== undefined) throw alreadyMember();',
    replace: '',
    noticedBy: attacks,
  },
  {
    file: 'people/session.ts',
    fault: 'staff stay signed in as long as members',
    find: 'isStaff ? limits.staff : limits.member',
    replace: 'isStaff ? limits.member : limits.member',
    noticedBy: sessions,
  },
];
