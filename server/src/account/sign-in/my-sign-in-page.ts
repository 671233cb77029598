/** The page about the own sign-in. */

import type { GatewayError } from '../../lib/errors.ts';
import type { Secret } from '../../lib/secret.ts';
import { browserName } from '../../people/change-sign-in.ts';
import type { Passkey } from '../../people/credential-store.ts';
import type { Person } from '../../people/person.ts';
import type { Membership } from '../../people/person-store.ts';
import type { Session } from '../../people/session.ts';
import { totpUri } from '../../people/totp.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { qrCode } from '../../web/qr-code.ts';
import { languageCodes, pageLanguages } from '../../web/texts/page-texts.ts';
import { accountPage, bareAccountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import { isAccountLanguage } from '../texts/account-texts.ts';
import { passwordForm, proofField, proving, totpPart } from './sign-in-parts.ts';

export type SignInFacts = {
  readonly person: Person;
  readonly session: Session;
  readonly passkeys: readonly Passkey[];
  readonly sessions: readonly Session[];
  /** Where this person belongs. */
  readonly memberships: readonly Membership[];
  /** A link that proves the address is on its way. */
  readonly isProving: boolean;
  readonly now: Date;
};

const part = (title: string, body: Html): Html =>
  html`<section class="part"><div class="part-head"><h2>${title}</h2></div><div class="part-body">${body}</div></section>`;

export const mySignInPage = (look: AccountLook, facts: SignInFacts): Html => {
  const { say } = look;
  const { person } = facts;
  return accountPage(look, {
    title: say('mySignIn'),
    main: html`${part(say('profile'), html`${profileForm(look, person)}${addressPart(look, facts)}`)}
${part(say('passkeys'), passkeyList(look, facts))}
${part(say('totp'), totpPart(look, person))}
${part(
  say('codes'),
  html`<p>${person.codesLeft === 0 ? say('codesNone') : say('codesLeft', { count: person.codesLeft })}</p>
<form class="form" method="post" action="/account/my-sign-in/codes"${proving(look)}>${proofField(look)}<button class="btn">${icon('print')}${say('codesNew')}</button></form>`,
)}
${part(say('passwordPart'), html`<p>${say(person.hasPassword ? 'passwordSet' : 'passwordUnset')}</p>${passwordForm(look, person)}`)}
${part(say('keysPart'), keysSwitch(look))}
${part(say('sessions'), sessionTable(look, facts))}
${facts.memberships.length > 0 && part(say('ownAccounts'), leavePart(look, facts))}`,
  });
};

/** What somebody signs in by, and whether the address is theirs. */
const addressPart = (look: AccountLook, { person, isProving }: SignInFacts): Html => {
  const { say } = look;
  const { email, signInName, isProven } = person;
  if (isProven) return html`<p class="quiet">${say('signedInAs', { name: signInName })}</p>`;
  const ask = html`<form class="form" method="post" action="/account/my-sign-in/prove-address"${proving(look)}>${proofField(look)}<button class="btn">${icon('mail')}${say('proveAsk')}</button></form>`;
  return html`<p>${say('signedInAs', { name: signInName })}</p><p>${say('addressUnprovenText', { email })}</p>
${isProving ? html`<p class="notice paid" role="status">${icon('check')}<span>${say('proveMailed', { email })}</span></p>` : look.sendsEmail && ask}`;
};

const leavePart = (look: AccountLook, { memberships }: SignInFacts): Html => {
  const { say } = look;
  const rows = memberships.map(
    ({ merchantId, merchantName, role }) =>
      html`<tr><th scope="row" class="wrap">${merchantName}<span class="sub">${say(`role_${role}`)}</span></th><td class="n"><details class="own"><summary class="btn small">${say('leaveAccount')}<span class="unseen">: ${merchantName}</span></summary><div class="own-menu"><form class="form" method="post" action="/account/my-sign-in/leave"${proving(look)}><p>${say('leaveSure', { account: merchantName })}</p><input type="hidden" name="leave" value="${merchantId}">${proofField(look)}<button class="btn danger">${say('leaveAccount')}</button></form></div></details></td></tr>`,
  );
  return html`<table class="table list"><tbody>${rows}</tbody></table>`;
};

/** Single keys get in the way of who speaks to a computer, or touches keys by accident (WCAG 2.1.4). */
const keysSwitch = ({ say, hasKeys }: AccountLook): Html =>
  html`<form class="form" id="keys-switch" method="post" action="/account/my-sign-in/keys"><p>${say(hasKeys ? 'keysOnText' : 'keysOffText')}</p><button class="btn" name="keys" value="${hasKeys ? 'off' : 'on'}">${say(hasKeys ? 'keysTurnOff' : 'keysTurnOn')}</button></form>`;

const profileForm = ({ say, language }: AccountLook, person: Person): Html =>
  html`<form class="form" method="post" action="/account/my-sign-in/profile">
<div class="field"><label for="name">${say('name')}</label><input class="input" id="name" name="name" required maxlength="100" autocomplete="name" value="${person.name}"></div>
<div class="field"><label for="language">${say('language')}</label><span class="select"><select class="input" id="language" name="language">${languageCodes
    .filter(isAccountLanguage)
    .map(
      (code) =>
        html`<option value="${code}"${code === language && html` selected`}>${pageLanguages[code].languageName}</option>`,
    )}</select></span></div>
<button class="btn">${say('save')}</button>
</form>`;

const passkeyList = (look: AccountLook, { passkeys }: SignInFacts): Html => {
  const { say } = look;
  const rows = passkeys.map(
    ({ id, label, createdAt, lastUsedAt }) =>
      html`<tr><th scope="row" class="wrap">${label}<span class="sub">${say('lastUsed')}: ${lastUsedAt ? momentText(look, lastUsedAt) : say('never')}</span></th><td class="desk">${momentText(look, createdAt)}</td><td class="desk">${lastUsedAt ? momentText(look, lastUsedAt) : say('never')}</td><td class="n"><form method="post" action="/account/my-sign-in/passkey/remove"${proving(look)}><input type="hidden" name="passkey" value="${id}">${proofField(look)}<button class="btn small danger" aria-label="${say('removePasskey', { label })}">${say('remove')}</button></form></td></tr>`,
  );
  return html`${
    passkeys.length === 0
      ? html`<p>${say('noPasskeys')}</p>`
      : html`<div class="scroll bleed" tabindex="0" role="region" aria-label="${say('passkeys')}"><table class="table list"><thead><tr><th scope="col">${say('passkeyName')}</th><th scope="col" class="desk">${say('created')}</th><th scope="col" class="desk">${say('lastUsed')}</th><td></td></tr></thead><tbody>${rows}</tbody></table></div>`
  }
<form class="form" data-register="/account/my-sign-in/passkey" method="post" action="/account/my-sign-in/passkey"${proving(look)}>
<input type="hidden" name="answer">
<div class="field"><label for="label">${say('passkeyName')}</label><input class="input" id="label" name="label" maxlength="60" autocomplete="off"></div>
${proofField(look)}
<button class="btn needs-script">${icon('plus')}${say('addPasskey')}</button>
</form>`;
};

const sessionTable = (look: AccountLook, { sessions, session }: SignInFacts): Html => {
  const { say } = look;
  const rows = sessions.map(
    (each) =>
      html`<tr><th scope="row" class="wrap">${browserName(each.browser)}${each.id === session.id && html` <span class="pill bare">${say('sessionHere')}</span>`}<span class="sub">${each.address} · ${momentText(look, each.seenAt)}</span></th><td class="mono desk">${each.address}</td><td class="desk">${momentText(look, each.seenAt)}</td><td class="n">${
        each.id !== session.id &&
        html`<form method="post" action="/account/my-sign-in/session/end"><input type="hidden" name="session" value="${each.id}"><button class="btn small">${say('sessionEnd')}</button></form>`
      }</td></tr>`,
  );
  return html`<div class="scroll bleed" tabindex="0" role="region" aria-label="${say('sessions')}"><table class="table list"><thead><tr><th scope="col">${say('browser')}</th><th scope="col" class="desk">${say('from')}</th><th scope="col" class="desk">${say('seen')}</th><td></td></tr></thead><tbody>${rows}</tbody></table></div>`;
};

export const totpPage = (look: AccountLook, person: Person, secret: Secret, problem: GatewayError | null): Html => {
  const { say } = look;
  const uri = totpUri(secret, { issuer: 'Quittance', email: person.email });
  return bareAccountPage(look, {
    title: say('totp'),
    main: html`${problemNotice(look, problem)}<p>${say('totpScan')}</p>
<div class="qr">${qrCode(uri, say('totp'))}</div>
<form class="form" method="post" action="/account/my-sign-in/totp"${proving(look)}>
<div class="field"><label for="secret">${say('totpKey')}</label><input class="input mono" id="secret" name="secret" readonly value="${secret.reveal()}"></div>
<div class="field"><label for="new-code">${say('code')}</label><input class="input mono" id="new-code" name="new-code" required maxlength="8" inputmode="numeric" autocomplete="one-time-code"></div>
${proofField(look)}
<button class="btn primary wide">${say('totpConfirm')}</button>
</form>`,
  });
};

export const codesPage = (look: AccountLook, codes: readonly string[]): Html =>
  accountPage(look, {
    title: look.say('codes'),
    main: html`<p>${look.say('codesShown')}</p>
<ol class="codes mono">${codes.map((code) => html`<li>${code}</li>`)}</ol>
<p><a class="btn primary" href="/account/my-sign-in">${look.say('codesDone')}</a></p>`,
  });
