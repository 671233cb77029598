/** The first page that somebody new sees. */
import type { GatewayError } from '../../lib/errors.ts';
import type { LinkReading } from '../../people/join-account.ts';
import type { OneTimeLink } from '../../people/one-time-link-store.ts';
import type { Person } from '../../people/person.ts';
import { type Html, html } from '../../web/html.ts';
import { bareAccountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { tokenForm } from './sign-in-page.ts';

export type ReadInvitation = {
  readonly token: string;
  readonly link: OneTimeLink;
  readonly accountName: string | null;
  /** What an account of one's own shall be called, where the link is for that. */
  readonly business: string | null;
};

export const welcomePage = (look: AccountLook, problem: GatewayError | null): Html =>
  bareAccountPage(look, {
    title: look.say('welcomeTitle'),
    main: html`${problemNotice(look, problem)}${tokenForm(look, '/account/welcome')}`,
  });

export const namePage = (
  look: AccountLook,
  { token, link, accountName, business }: ReadInvitation,
  given: { readonly name: string; readonly email: string },
  problem: GatewayError | null,
): Html => {
  const { say } = look;
  const role = link.role && say(`role_${link.role}`);
  return bareAccountPage(look, {
    title: say('welcomeTitle'),
    main: html`${link.staffRole !== null && html`<p>${say('welcomeStaff')}</p>`}
${accountName !== null && role !== null && html`<p>${say('welcomeJoin', { account: accountName, role })}</p>`}
${business !== null && html`<p>${say('signUpAsks', { business })}</p>`}
${problemNotice(look, problem)}
<form class="form" method="post" action="/account/welcome/name">
<input type="hidden" name="token" value="${token}">
<div class="field"><label for="name">${say('name')}</label><input class="input" id="name" name="name" required maxlength="100" autocomplete="name" value="${given.name}" aria-describedby="name-help"><p class="help" id="name-help">${say('nameHelp')}</p></div>
${
  link.email === null
    ? html`<div class="field"><label for="email">${say('email')}</label><input class="input" id="email" name="email" type="email" required maxlength="254" autocomplete="email" value="${given.email}"></div>`
    : html`<p class="quiet">${link.email}</p>`
}
<button class="btn primary big wide">${say('welcomeGo')}</button>
</form>
<p class="quiet">${say('welcomeKnown')} <a href="/account/sign-in">${say('signIn')}</a></p>`,
  });
};

/** For who signs in already. */
export const joinPage = (
  look: AccountLook,
  { token, link, accountName, business }: ReadInvitation & { readonly link: LinkReading },
  person: Person | null,
): Html => {
  const { say } = look;
  const account = accountName ?? business ?? 'Quittance';
  if (link.purpose === 'prove') return provePage(look, token, person);
  return bareAccountPage(look, {
    title: business === null ? say('joinTitle', { account }) : say('signUpTitle'),
    main: person
      ? html`${business !== null && html`<p>${say('signUpAsks', { business })}</p>`}${link.role && html`<p>${say('joinAs', { role: say(`role_${link.role}`) })}</p>`}
<p class="quiet">${say('signedInAs', { name: person.signInName })}</p>
<form method="post" action="/account/welcome/join"><input type="hidden" name="token" value="${token}"><button class="btn primary big wide">${business === null ? say('join', { account }) : say('signUpAsk')}</button></form>
${link.isFor === 'anybody' && html`<form method="post" action="/account/welcome"><input type="hidden" name="token" value="${token}"><input type="hidden" name="as" value="new"><button class="btn quiet wide">${say('joinAsNew')}</button></form>`}`
      : html`<p>${say('joinSignIn', { email: link.email ?? '' })}</p><p><a class="btn primary wide" href="/account/sign-in">${say('signIn')}</a></p>`,
  });
};

const provePage = (look: AccountLook, token: string, person: Person | null): Html =>
  bareAccountPage(look, {
    title: look.say('proveTitle'),
    main: person
      ? html`<p>${look.say('proveSure', { email: person.email })}</p>
<form method="post" action="/account/welcome/join"><input type="hidden" name="token" value="${token}"><button class="btn primary big wide">${look.say('proveGo')}</button></form>`
      : html`<p>${look.say('proveSignIn')}</p><p><a class="btn primary wide" href="/account/sign-in">${look.say('signIn')}</a></p>`,
  });

/** For who has lost every way to sign in. */
export const recoverPage = (look: AccountLook, { token, link }: ReadInvitation): Html =>
  bareAccountPage(look, {
    title: look.say('recoverTitle'),
    main: html`<p>${look.say('recoverText', { email: link.email ?? '' })}</p>
<form method="post" action="/account/welcome/recover"><input type="hidden" name="token" value="${token}"><button class="btn primary big wide">${look.say('recoverGo')}</button></form>`,
  });
