/** Parts of pages about the own sign-in: the password, the app with codes, and the proof that a form needs. */
import { addMs } from '../../lib/clock.ts';
import type { Person } from '../../people/person.ts';
import { freshMs } from '../../people/session.ts';
import { type Html, html } from '../../web/html.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { hasOnlyPassword } from '../frame/demand-proof.ts';
import { newFormName } from '../frame/send-once.ts';

/** In every form that changes something of the account: which one it is meant for, and which form it is. */
export const accountField = ({ signedIn, now }: AccountLook): Html =>
  html`<input type="hidden" name="account" value="${signedIn?.merchant?.id ?? ''}"><input type="hidden" name="form" value="${newFormName(now)}">`;

/** Who has no passkey types a code, where there is an app, or else the password. */
export const proofField = ({ say, signedIn }: AccountLook): Html | false => {
  const person = signedIn?.person;
  if (!person || person.passkeys > 0) return false;
  if (hasOnlyPassword(person))
    return html`<div class="field"><label>${say('proofWithPassword')}<input class="input" name="current-password" type="password" maxlength="200" autocomplete="current-password"></label></div>`;
  if (!person.hasTotp) return false;
  return html`<div class="field"><label>${say('proofWithCode')}<input class="input mono" name="code" maxlength="20" autocomplete="one-time-code" inputmode="numeric"></label></div>`;
};

/** Marks a form whose sending asks for the passkey first, once the last proof is too old. */
export const proving = ({ signedIn }: AccountLook): Html | false => {
  if (!signedIn || signedIn.person.passkeys === 0) return false;
  const until = signedIn.session.provedAt ? addMs(signedIn.session.provedAt, freshMs).toISOString() : '';
  return html` data-prove="${until}"`;
};

/** Marks a form whose passkey signs what is about to be done. Goes with `orderProof` inside it. */
export const signing = ({ signedIn }: AccountLook): Html | false =>
  (signedIn?.person.passkeys ?? 0) > 0 && html` data-sign`;

export const orderProof = (look: AccountLook): Html | false =>
  (look.signedIn?.person.passkeys ?? 0) > 0 ? html`<input type="hidden" name="proof">` : proofField(look);

/**
 * The answers of whoever may approve what another asked for. Only a passkey approves; refusing needs the proof of any other
 * change.
 */
export function approvalAnswers(
  look: AccountLook,
  path: string,
  approves: 'approveButton' | 'policyApproveButton' = 'approveButton',
): Html {
  const { say } = look;
  const hasPasskey = (look.signedIn?.person.passkeys ?? 0) > 0;
  return html`<div class="answers">${hasPasskey && html`<form class="form" method="post" action="${path}/approve"${signing(look)}>${accountField(look)}${orderProof(look)}<button class="btn primary">${say(approves)}</button></form>`}<form class="form" method="post" action="${path}/refuse"${proving(look)}>${accountField(look)}${proofField(look)}<button class="btn">${say('refuseButton')}</button></form><p class="small quiet">${say(hasPasskey ? 'asksForPasskey' : 'approvalNeedsPasskey')}</p></div>`;
}

export const passwordForm = (look: AccountLook, { signInName }: Person): Html =>
  html`<form class="form" method="post" action="/account/my-sign-in/password"${proving(look)}>
<input type="hidden" name="username" autocomplete="username" value="${signInName}">
<div class="field"><label for="new-password">${look.say('newPassword')}</label><input class="input" id="new-password" name="password" type="password" required minlength="12" maxlength="200" autocomplete="new-password" aria-describedby="password-help"><p class="help" id="password-help">${look.say('passwordHelp')}</p></div>
${proofField(look)}
<button class="btn">${look.say('setPassword')}</button>
</form>`;

export const totpPart = (look: AccountLook, { hasTotp }: Person): Html =>
  hasTotp
    ? html`<p>${look.say('totpOn')}</p>
<form class="form" method="post" action="/account/my-sign-in/totp/remove"${proving(look)}>${proofField(look)}<button class="btn danger">${look.say('totpRemove')}</button></form>`
    : html`<p>${look.say('totpOff')}</p><p><a class="btn" href="/account/my-sign-in/totp">${look.say('totpSetUp')}</a></p>`;
