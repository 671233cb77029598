/** Everything about the own sign-in: passkeys, password, codes, sessions, name and language. */
import { notFound } from '../../lib/errors.ts';
import { Secret } from '../../lib/secret.ts';
import {
  addPasskey,
  changePassword,
  printCodes,
  removePasskey,
  removeTotp,
  setUpTotp,
} from '../../people/change-sign-in.ts';
import { passkeysOf } from '../../people/credential-store.ts';
import { leaveAccount } from '../../people/leave-account.ts';
import { askToRegister } from '../../people/passkey-ceremony.ts';
import { readName } from '../../people/person.ts';
import { updatePerson } from '../../people/person-store.ts';
import { askForProofOfAddress } from '../../people/prove-address.ts';
import { chooseAccount, deleteSession, sessionsOf } from '../../people/session-store.ts';
import { newTotpSecret } from '../../people/totp.ts';
import { keptForYear, keysCookie } from '../frame/account-cookies.ts';
import { accountReply } from '../frame/account-layout.ts';
import { json, readAnswer, redirect, safeNext, sessionCookie } from '../frame/account-request.ts';
import {
  type AccountDeps,
  type AccountRoute,
  createAccountRoutes,
  type PersonContext,
} from '../frame/account-route.ts';
import { heldBySession } from '../frame/in-session.ts';
import { isAccountLanguage } from '../texts/account-texts.ts';
import { codesPage, mySignInPage, totpPage } from './my-sign-in-page.ts';

const here = '/account/my-sign-in';
/** Who sets up the first second step is not all the way in yet. */
const backFrom = ({ signedIn }: PersonContext): string =>
  signedIn.standing === 'in' ? here : '/account/sign-in/secure';

export function mySignInRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { db, accountUrl } = deps;
  return [
    accountRoute({
      method: 'GET',
      path: here,
      access: 'person',
      async handle({ look, signedIn, now, request }) {
        const { person, session, memberships } = signedIn;
        const isProving = request.query['did'] === 'proving';
        const facts = { person, session, memberships, isProving, now };
        const [passkeys, sessions] = await Promise.all([passkeysOf(db, person.id), sessionsOf(db, person.id)]);
        return accountReply(200, look, mySignInPage(look, { ...facts, passkeys, sessions }));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/profile`,
      access: 'person',
      async handle({ form, signedIn }) {
        const name = readName(form.get('name') ?? '');
        const wished = form.get('language') ?? '';
        const language = isAccountLanguage(wished) ? wished : signedIn.person.language;
        await db.begin((tx) => updatePerson(tx, signedIn.person.id, { name, language }));
        return redirect(here);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/keys`,
      access: 'person',
      handle: ({ form }) => redirect(here, keptForYear(keysCookie, form.get('keys') === 'off' ? 'off' : 'on')),
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/passkey-challenge`,
      access: 'person',
      needsProof: true,
      handle: async ({ signedIn }) => json(await askToRegister(deps, signedIn.person)),
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/passkey`,
      access: 'person',
      needsProof: true,
      async handle({ form, signedIn }) {
        const answer = readAnswer(form.get('answer') ?? '');
        const token = await addPasskey(deps, signedIn.session, { answer, label: form.get('label') ?? '' });
        return json({ next: here }, sessionCookie(accountUrl, token));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/passkey/remove`,
      access: 'person',
      needsProof: true,
      async handle({ form, signedIn }) {
        await removePasskey(deps, signedIn.session, form.get('passkey') ?? '');
        return redirect(here);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/password`,
      access: 'halfway',
      needsProof: 'unlessFirst',
      async handle(context) {
        const { form, signedIn } = context;
        if (signedIn.standing === 'code') return redirect('/account/sign-in/code');
        const password = new Secret(form.get('password') ?? '');
        await changePassword(deps, signedIn.session, signedIn.person, password);
        return redirect(backFrom(context));
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${here}/totp`,
      access: 'halfway',
      handle({ look, signedIn }) {
        if (signedIn.standing === 'code') return redirect('/account/sign-in/code');
        return accountReply(200, look, totpPage(look, signedIn.person, newTotpSecret(), null));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/totp`,
      access: 'halfway',
      needsProof: 'unlessFirst',
      async handle({ form, signedIn }) {
        if (signedIn.standing === 'code') return redirect('/account/sign-in/code');
        const secret = new Secret((form.get('secret') ?? '').toUpperCase().replace(/[^A-Z2-7]/g, ''));
        const token = await setUpTotp(deps, signedIn.session, { secret, code: form.get('new-code') ?? '' });
        return redirect(here, sessionCookie(accountUrl, token));
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/totp/remove`,
      access: 'person',
      needsProof: true,
      async handle({ signedIn }) {
        await removeTotp(deps, signedIn.session);
        return redirect(here);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/codes`,
      access: 'person',
      needsProof: true,
      handle: async ({ look, signedIn }) =>
        accountReply(200, look, codesPage(look, await printCodes(deps, signedIn.session))),
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/session/end`,
      access: 'person',
      async handle({ form, signedIn }) {
        const id = form.get('session') ?? '';
        if (!(await deleteSession(db, signedIn.person.id, id))) throw notFound('session', id);
        return redirect(here);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${here}/prove-address`,
      access: 'person',
      needsProof: true,
      async handle({ signedIn, request }) {
        await askForProofOfAddress(deps, signedIn.person, request.address);
        return redirect(`${here}?did=proving`);
      },
    }),
    // Of no role: also who may do nothing else there.
    accountRoute({
      method: 'POST',
      path: `${here}/leave`,
      access: 'person',
      needsProof: true,
      async handle({ form, signedIn }) {
        const merchantId = form.get('leave') ?? '';
        await leaveAccount({ ...deps, db: heldBySession(db, signedIn) }, { merchantId, personId: signedIn.person.id });
        return redirect(here);
      },
    }),
    accountRoute({
      method: 'POST',
      path: '/account/choose',
      access: 'person',
      async handle({ form, signedIn }) {
        const merchantId = form.get('merchant') ?? '';
        if (!signedIn.memberships.some((each) => each.merchantId === merchantId)) throw notFound('account', merchantId);
        await db.begin((tx) => chooseAccount(tx, signedIn.session.id, merchantId));
        return redirect(safeNext(form.get('next')));
      },
    }),
  ];
}
