/** People who ask for accounts of their own. */
import type { Saboteur } from './saboteur.ts';

const signUp = 'server/test/account-sign-up.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'people/decide-sign-up.ts',
    fault: 'a way back in of before leads into the account that was opened',
    find: "    await deleteLinksFor(tx, email, 'recover');\n",
    replace: '',
    noticedBy: signUp,
    test: 'no way back in of before leads there',
  },
  {
    file: 'people/sign-up-store.ts',
    fault: 'two yeses at once open two accounts',
    find: 'merchant_id = ${merchantId}, decided_at = ${at}\n     where id = ${id} and state = any(${from}::text[])',
    replace: 'merchant_id = ${merchantId}, decided_at = ${at}\n     where id = ${id} and ${from}::text[] is not null',
    noticedBy: signUp,
    test: 'two who say yes at once',
  },
  {
    file: 'people/request-sign-up.ts',
    fault: 'an address is written to as often as somebody likes',
    find: 'now >= addMs(open.askedAt, mailAgainMs)',
    replace: 'now >= open.askedAt',
    noticedBy: signUp,
    test: 'nothing is mailed twice in ten minutes',
  },
  {
    file: 'people/request-sign-up.ts',
    fault: 'anybody renames what somebody has proven',
    find: 'isMailed ? business : open.business',
    replace: 'business',
    noticedBy: signUp,
    test: 'the answer does not tell who is known',
  },
  {
    file: 'people/request-sign-up.ts',
    fault: 'the limit of a network tells which addresses have a request',
    find: '        network,\n        askedAt:',
    replace: '        network: open.network,\n        askedAt:',
    noticedBy: signUp,
    test: 'the limit of a network does not tell',
  },
  {
    file: 'people/request-sign-up.ts',
    fault: 'one network asks for as many accounts as it likes',
    find: 'if ((await countOpenSignUps(tx, network, email)) >= openPerNetworkMax) throw signUpsFromHere();',
    replace: '',
    noticedBy: signUp,
    test: 'one network has five requests open',
  },
  {
    file: 'people/prove-sign-up.ts',
    fault: 'more than an operator can read wait, by links of before',
    find: 'if ((await countWaitingSignUps(tx)) >= waitingSignUpsMax) throw signUpsFull();',
    replace: '',
    noticedBy: signUp,
    test: 'no more than 200 wait',
  },
  {
    file: 'people/forget-old-sign-ins.ts',
    fault: 'requests for accounts are kept for ever',
    find: "    forgetSignUps(db, ['WAITING', 'APPROVED', 'REFUSED'], addMs(now, -hours(24 * 30))),\n",
    replace: '',
    noticedBy: signUp,
    test: 'is forgotten after thirty days',
  },
  {
    file: 'people/request-sign-up.ts',
    fault: 'who asks for accounts in the name of somebody keeps them from signing in',
    find: 'takeAttempt(db, `sign-up ${email}`',
    replace: 'takeAttempt(db, `${email}`',
    noticedBy: signUp,
    test: 'the answer does not tell who is known',
  },
  {
    file: 'people/request-sign-up.ts',
    fault: 'anybody renames what a link was just sent for',
    find: 'isMailed ? business : open.business',
    replace: 'isProven ? open.business : business',
    noticedBy: signUp,
    test: 'the answer does not tell who is known',
  },
];
