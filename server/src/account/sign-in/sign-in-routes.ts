/** Signing in and out: passkey first, else password or a link by e-mail, then the second step. */
import type { PageReply } from '../../http/route.ts';
import { GatewayError } from '../../lib/errors.ts';
import { Secret } from '../../lib/secret.ts';
import { addPasskey } from '../../people/change-sign-in.ts';
import { askForPasskey, askToRegister, checkPasskey } from '../../people/passkey-ceremony.ts';
import { sendSignInLink } from '../../people/send-sign-in-link.ts';
import { hashOf, newToken } from '../../people/session.ts';
import { deleteSession } from '../../people/session-store.ts';
import {
  anyCode,
  noteWayIn,
  proveSession,
  type SignedIn,
  showCode,
  signInWithLink,
  signInWithPasskey,
  signInWithPassword,
  signOut,
} from '../../people/sign-in.ts';
import { findLatestSignUp } from '../../people/sign-up-store.ts';
import { cookieNames, keptCookie, readCookie, setCookie } from '../frame/account-cookies.ts';
import { accountReply, problemReply } from '../frame/account-layout.ts';
import { json, readAnswer, redirect, safeNext, sessionCookie, visitorOf } from '../frame/account-request.ts';
import {
  type AccountDeps,
  type AccountRoute,
  createAccountRoutes,
  type VisitorContext,
} from '../frame/account-route.ts';
import { codePage, linkPage, linkSentPage, noAccountPage, securePage, signInPage } from './sign-in-page.ts';

export function signInRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { accountUrl, db } = deps;
  const names = cookieNames(accountUrl);

  /** Whoever was signed in in this browser before is not any more. */
  async function enter({ request, signedIn, form }: VisitorContext, entered: SignedIn): Promise<PageReply> {
    if (signedIn) await deleteSession(db, signedIn.person.id, signedIn.session.id);
    const cookie = sessionCookie(accountUrl, entered.token);
    const next = safeNext(form.get('next'));
    return request.headers['accept'] === 'application/json' ? json({ next }, cookie) : redirect(next, cookie);
  }

  /** The page again, with what was wrong; a script gets the sentence. */
  async function orPage(
    work: () => Promise<PageReply>,
    page: (problem: GatewayError) => PageReply,
  ): Promise<PageReply> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof GatewayError) return page(error);
      throw error;
    }
  }

  return [
    accountRoute({
      method: 'GET',
      path: '/account/sign-in',
      access: 'anybody',
      handle({ look, request, signedIn }) {
        const next = safeNext(String(request.query['next'] ?? ''));
        if (signedIn?.standing === 'in') return redirect(next);
        const page = signInPage(look, { next, email: '', problem: null });
        // By which this browser is known again, once somebody is in.
        const isNamed = readCookie(request, names.browser) !== null;
        return accountReply(200, look, page, isNamed ? {} : keptCookie(accountUrl, names.browser, newToken()));
      },
    }),
    accountRoute({
      method: 'POST',
      path: '/account/sign-in',
      access: 'anybody',
      handle(context) {
        const { form, request, look } = context;
        const email = form.get('email') ?? '';
        return orPage(
          async () => {
            const password = new Secret(form.get('password') ?? '');
            return enter(context, await signInWithPassword(deps, { email, password }, visitorOf(request, accountUrl)));
          },
          (problem) =>
            problemReply(look, problem, signInPage(look, { next: safeNext(form.get('next')), email, problem })),
        );
      },
    }),
    accountRoute({
      method: 'POST',
      path: '/account/sign-in/passkey-challenge',
      access: 'anybody',
      handle: async () => json(await askForPasskey(deps, { purpose: 'sign-in', personId: null })),
    }),
    accountRoute({
      method: 'POST',
      path: '/account/sign-in/passkey',
      access: 'anybody',
      handle(context) {
        const { form, look, request } = context;
        return orPage(
          async () =>
            enter(
              context,
              await signInWithPasskey(deps, readAnswer(form.get('answer') ?? ''), visitorOf(request, accountUrl)),
            ),
          (problem) =>
            problemReply(look, problem, signInPage(look, { next: safeNext(form.get('next')), email: '', problem })),
        );
      },
    }),
    accountRoute({
      method: 'POST',
      path: '/account/sign-in/send-link',
      access: 'anybody',
      async handle({ form, look, request }) {
        const email = form.get('email') ?? '';
        const browserToken = readCookie(request, names.browser) ?? newToken();
        await sendSignInLink(deps, { email, browser: hashOf(browserToken) }, visitorOf(request, accountUrl));
        const cookie = keptCookie(accountUrl, names.browser, browserToken);
        return accountReply(200, look, linkSentPage(look, email), cookie);
      },
    }),
    // The token is in the fragment, which reaches no log; the page's script, or the person, posts it.
    accountRoute({
      method: 'GET',
      path: '/account/sign-in/link',
      access: 'anybody',
      handle: ({ look }) => accountReply(200, look, linkPage(look, null)),
    }),
    accountRoute({
      method: 'POST',
      path: '/account/sign-in/link',
      access: 'anybody',
      handle(context) {
        const { form, look, request } = context;
        const given = { token: form.get('token') ?? '', browserToken: readCookie(request, names.browser) };
        return orPage(
          async () => enter(context, await signInWithLink(deps, given, visitorOf(request, accountUrl))),
          (problem) => problemReply(look, problem, linkPage(look, problem)),
        );
      },
    }),
    accountRoute({
      method: 'GET',
      path: '/account/sign-in/code',
      access: 'halfway',
      handle({ look, signedIn }) {
        if (signedIn.standing !== 'code') return redirect('/account');
        return accountReply(200, look, codePage(look, signedIn.person, null));
      },
    }),
    accountRoute({
      method: 'POST',
      path: '/account/sign-in/code',
      access: 'halfway',
      handle({ look, signedIn, form, request }) {
        return orPage(
          async () => {
            const { token } = await showCode(
              deps,
              signedIn.session,
              { code: form.get('code') ?? '', kinds: anyCode },
              visitorOf(request, accountUrl),
            );
            return redirect(safeNext(form.get('next')), sessionCookie(accountUrl, token));
          },
          (problem) => problemReply(look, problem, codePage(look, signedIn.person, problem)),
        );
      },
    }),
    // The second step with a passkey, after a password or a link.
    accountRoute({
      method: 'POST',
      path: '/account/sign-in/prove-challenge',
      access: 'halfway',
      handle: async ({ signedIn }) =>
        json(await askForPasskey(deps, { purpose: 'prove', personId: signedIn.person.id })),
    }),
    accountRoute({
      method: 'POST',
      path: '/account/sign-in/prove',
      access: 'halfway',
      async handle({ signedIn, form, request }) {
        const { person, session } = signedIn;
        const token = await db.begin(async (tx) => {
          await checkPasskey(deps, tx, readAnswer(form.get('answer') ?? ''), { purpose: 'prove', personId: person.id });
          await noteWayIn(deps, tx, person.id, visitorOf(request, accountUrl));
          return proveSession(deps, tx, session.id, 'passkey');
        });
        return json({ next: safeNext(form.get('next')) }, sessionCookie(accountUrl, token));
      },
    }),
    accountRoute({
      method: 'GET',
      path: '/account/sign-in/secure',
      access: 'halfway',
      handle: ({ look, signedIn }) => accountReply(200, look, securePage(look, signedIn)),
    }),
    accountRoute({
      method: 'POST',
      path: '/account/sign-in/first-passkey-challenge',
      access: 'halfway',
      needsProof: 'unlessFirst',
      async handle({ signedIn }) {
        if (signedIn.standing === 'code') return redirect('/account/sign-in/code');
        return json(await askToRegister(deps, signedIn.person));
      },
    }),
    accountRoute({
      method: 'POST',
      path: '/account/sign-in/first-passkey',
      access: 'halfway',
      needsProof: 'unlessFirst',
      async handle({ signedIn, form }) {
        if (signedIn.standing === 'code') return redirect('/account/sign-in/code');
        if (signedIn.person.passkeys > 0) return redirect('/account/my-sign-in');
        const answer = { answer: readAnswer(form.get('answer') ?? ''), label: '' };
        const token = await addPasskey(deps, signedIn.session, answer);
        return json({ next: '/account' }, sessionCookie(accountUrl, token));
      },
    }),
    accountRoute({
      method: 'POST',
      path: '/account/sign-out',
      access: 'halfway',
      async handle({ signedIn }) {
        await signOut(deps, signedIn.session);
        return redirect('/account/sign-in', setCookie(accountUrl, names.session, ''));
      },
    }),
    accountRoute({
      method: 'GET',
      path: '/account/no-account',
      access: 'person',
      async handle({ look, signedIn }) {
        if (signedIn.merchant || signedIn.staffRole) return redirect('/account');
        const signUp = await findLatestSignUp(db, signedIn.person.id);
        if (signUp && signUp.state !== 'APPROVED') return redirect('/account/sign-up/waiting');
        return accountReply(200, look, noAccountPage(look, signedIn.person));
      },
    }),
  ];
}
