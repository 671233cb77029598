/** What somebody sees who asks for an account of their own, and waits for it. */
import type { GatewayError } from '../../lib/errors.ts';
import type { SignUp } from '../../people/sign-up-store.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { bareAccountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';

export const signUpPage = (
  look: AccountLook,
  given: { readonly business: string; readonly email: string },
  problem: GatewayError | null,
): Html => {
  const { say } = look;
  return bareAccountPage(look, {
    title: say('signUpTitle'),
    main: html`<p>${say('signUpText')}</p>
${problemNotice(look, problem)}
<form class="form" method="post" action="/account/sign-up">
<div class="field"><label for="business">${say('signUpBusiness')}</label><input class="input" id="business" name="business" required maxlength="100" autocomplete="organization" value="${given.business}" aria-describedby="business-help"><p class="help" id="business-help">${say('signUpBusinessHelp')}</p></div>
<div class="field"><label for="email">${say('email')}</label><input class="input" id="email" name="email" type="email" required maxlength="254" autocomplete="email" value="${given.email}"></div>
<button class="btn primary big wide">${icon('mail')}${say('signUpSend')}</button>
</form>
<p class="quiet">${say('signUpHasAccount')} <a href="/account/sign-in">${say('signIn')}</a></p>`,
  });
};

/** The same for every address. */
export const signUpSentPage = (look: AccountLook, email: string): Html =>
  bareAccountPage(look, { title: look.say('linkSentTitle'), main: html`<p>${look.say('signUpSent', { email })}</p>` });

export const signUpWaitingPage = (look: AccountLook, { state, business, email }: SignUp): Html => {
  const { say } = look;
  const isRefused = state === 'REFUSED';
  return bareAccountPage(look, {
    title: say(isRefused ? 'signUpRefusedTitle' : 'signUpWaitingTitle'),
    main: html`<p>${isRefused ? say('signUpRefused', { business }) : say('signUpWaiting', { business, email })}</p>
${look.signedIn?.merchant && html`<p><a class="btn primary wide" href="/account">${say('signUpOtherAccount')}</a></p>`}
<p><a class="btn wide" href="/account/my-sign-in">${say('menuMySignIn')}</a></p>
<form method="post" action="/account/sign-out"><button class="btn quiet wide">${say('signOut')}</button></form>`,
  });
};
