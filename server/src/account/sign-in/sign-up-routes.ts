/** Where the operator lets people ask for accounts. What the link in the e-mail leads to is in `welcome-routes`. */
import { GatewayError } from '../../lib/errors.ts';
import { signUpClosed } from '../../people/people-errors.ts';
import { requestSignUp } from '../../people/request-sign-up.ts';
import { findLatestSignUp } from '../../people/sign-up-store.ts';
import { accountReply, problemReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { signUpPage, signUpSentPage, signUpWaitingPage } from './sign-up-page.ts';

export function signUpRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  return [
    accountRoute({
      method: 'GET',
      path: '/account/sign-up',
      access: 'anybody',
      handle({ look }) {
        if (!deps.isSignUpOpen) throw signUpClosed();
        return accountReply(200, look, signUpPage(look, { business: '', email: '' }, null));
      },
    }),
    accountRoute({
      method: 'POST',
      path: '/account/sign-up',
      access: 'anybody',
      async handle({ look, form, request }) {
        if (!deps.isSignUpOpen) throw signUpClosed();
        const given = { business: form.get('business') ?? '', email: form.get('email') ?? '' };
        try {
          await requestSignUp(deps, { ...given, language: look.language }, request.address);
        } catch (problem) {
          if (!(problem instanceof GatewayError)) throw problem;
          return problemReply(look, problem, signUpPage(look, given, problem));
        }
        return accountReply(200, look, signUpSentPage(look, given.email.trim()));
      },
    }),
    accountRoute({
      method: 'GET',
      path: '/account/sign-up/waiting',
      access: 'person',
      async handle({ look, signedIn }) {
        const signUp = await findLatestSignUp(deps.db, signedIn.person.id);
        if (!signUp || signUp.state === 'APPROVED') return redirect('/account');
        return accountReply(200, look, signUpWaitingPage(look, signUp));
      },
    }),
  ];
}
