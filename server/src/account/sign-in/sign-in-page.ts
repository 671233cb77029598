/** What somebody sees who is not in the account yet. */
import type { SignedInPerson } from '../../auth/authenticate-person.ts';
import type { GatewayError } from '../../lib/errors.ts';
import type { Person } from '../../people/person.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { bareAccountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { passwordForm, totpPart } from './sign-in-parts.ts';

/** Where nobody could press a button that only a script makes work. */
const needsScript = ({ say }: AccountLook): Html =>
  html`<noscript><p class="quiet">${say('passkeysNeedScript')}</p></noscript>`;

export const signInPage = (
  look: AccountLook,
  { next, email, problem }: { next: string; email: string; problem: GatewayError | null },
): Html => {
  const { say } = look;
  return bareAccountPage(look, {
    title: say('signIn'),
    main: html`${problemNotice(look, problem)}
<form class="form" data-passkey="/account/sign-in/passkey" method="post" action="/account/sign-in/passkey">
<input type="hidden" name="next" value="${next}"><input type="hidden" name="answer">
<button class="btn primary big wide needs-script">${icon('finger')}${say('signInWithPasskey')}</button>${needsScript(look)}
</form>
<p class="or"><span>${say('or')}</span></p>
<form class="form" method="post" action="/account/sign-in">
<input type="hidden" name="next" value="${next}">
<div class="field"><label for="email">${say('email')}</label><input class="input" id="email" name="email" inputmode="email" autocapitalize="none" spellcheck="false" required maxlength="254" autocomplete="username webauthn" value="${email}"></div>
<div class="field"><label for="password">${say('password')}</label><input class="input" id="password" name="password" type="password" maxlength="200" autocomplete="current-password"></div>
<button class="btn wide">${say('signInWithPassword')}</button>
${look.sendsEmail && html`<button class="btn quiet wide" formaction="/account/sign-in/send-link">${icon('mail')}${say('sendLink')}</button>`}
</form>
${look.isSignUpOpen && html`<p class="quiet">${say('signUpQuestion')} <a href="/account/sign-up">${say('signUpLink')}</a></p>`}`,
  });
};

export const linkSentPage = (look: AccountLook, email: string): Html =>
  bareAccountPage(look, { title: look.say('linkSentTitle'), main: html`<p>${look.say('linkSent', { email })}</p>` });

/** The script posts what is behind the #; without it, people copy it over. */
export const linkPage = (look: AccountLook, problem: GatewayError | null): Html =>
  bareAccountPage(look, {
    title: look.say('signIn'),
    main: html`${problemNotice(look, problem)}${tokenForm(look, '/account/sign-in/link')}`,
  });

export const tokenForm = ({ say }: AccountLook, action: string): Html =>
  html`<form class="form" method="post" action="${action}" data-token>
<div class="field"><label for="token">${say('welcomeCode')}</label><input class="input mono" id="token" name="token" required maxlength="100" autocomplete="off" spellcheck="false"></div>
<button class="btn primary wide">${say('welcomeOpen')}</button>
</form>`;

export const codePage = (look: AccountLook, person: Person, problem: GatewayError | null): Html => {
  const { say } = look;
  return bareAccountPage(look, {
    title: say('codeTitle'),
    main: html`${problemNotice(look, problem)}
${
  person.passkeys > 0 &&
  html`<form class="form" data-passkey="/account/sign-in/prove" method="post" action="/account/sign-in/prove">
<input type="hidden" name="next" value="/account"><input type="hidden" name="answer">
<button class="btn primary big wide needs-script">${icon('finger')}${say('usePasskey')}</button>${needsScript(look)}</form>
<p class="or"><span>${say('or')}</span></p>`
}
<form class="form" method="post" action="/account/sign-in/code">
<p>${say('codeText')}</p>
<div class="field"><label for="code">${say('code')}</label><input class="input mono" id="code" name="code" required maxlength="20" inputmode="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false"></div>
<button class="btn wide">${say('confirmCode')}</button>
</form>
<form method="post" action="/account/sign-out"><button class="btn quiet wide">${say('signOut')}</button></form>`,
  });
};

/** The first time: a passkey, or a password and an app. */
export const securePage = (look: AccountLook, { person, standing }: SignedInPerson): Html => {
  const { say } = look;
  return bareAccountPage(look, {
    title: say('secureTitle'),
    main: html`<p>${say('secureText')}</p>
<form class="form" data-register="/account/sign-in/first-passkey" method="post" action="/account/sign-in/first-passkey">
<input type="hidden" name="answer">
<button class="btn primary big wide needs-script">${icon('finger')}${say('createPasskey')}</button>${needsScript(look)}
</form>
<details class="fold"><summary>${say('otherWay')}</summary><div class="stack"><p>${say('secureOther')}</p>
${passwordForm(look, person)}
${person.hasPassword && totpPart(look, person)}</div></details>
${standing === 'in' && html`<p><a href="/account">${say('skipForNow')}</a></p>`}`,
  });
};

export const noAccountPage = (look: AccountLook, { email }: Person): Html =>
  bareAccountPage(look, {
    title: look.say('noAccountTitle'),
    main: html`<p>${look.say('noAccountText', { email })}</p>
<form method="post" action="/account/sign-out"><button class="btn wide">${look.say('signOut')}</button></form>`,
  });
