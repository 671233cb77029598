/** The people of an account, what they may do, and who is invited. */
import { handFrom, isHand } from '../../people/new-hand.ts';
import type { OpenInvitation, OpenRecovery } from '../../people/one-time-link-store.ts';
import type { Member } from '../../people/person-store.ts';
import { type Role, roles } from '../../people/roles.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { listed } from '../../web/number-text.ts';
import { keysPath, partOf } from '../developers/developer-parts.ts';
import type { KeyInOtherHands } from '../developers/keys-in-other-hands.ts';
import { accountPage } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import { accountField, proofField, proving } from '../sign-in/sign-in-parts.ts';
import { type WaitingPolicies, waitingPart } from './policy-words.ts';

export type PeopleFacts = {
  readonly members: readonly Member[];
  readonly invitations: readonly OpenInvitation[];
  /** Whoever looks at the page. */
  readonly own: string;
  readonly role: Role;
  readonly recoveries: readonly OpenRecovery[];
  /** To whom an e-mail is on its way since the last form. */
  readonly told: {
    readonly invited: string | null;
    readonly recovering: string | null;
    /** By name. */
    readonly signedOut: string | null;
    readonly isWaiting: boolean;
  };
  readonly policies: WaitingPolicies;
  readonly otherHands: readonly KeyInOtherHands[];
  /** Also of those who have left. */
  readonly names: ReadonlyMap<string, string>;
};

export const peoplePage = (look: AccountLook, facts: PeopleFacts): Html => {
  const { say } = look;
  return accountPage(look, {
    title: say('people'),
    main: html`<p class="lead">${say('peopleLead')}</p>
${facts.told.invited !== null && html`<p class="notice paid" role="status">${icon('check')}<span>${say('inviteMailed', { email: facts.told.invited })}</span></p>`}
${facts.told.recovering !== null && html`<p class="notice paid" role="status">${icon('check')}<span>${say('recoveryMailed', { email: facts.told.recovering })}</span></p>`}
${facts.told.signedOut !== null && html`<p class="notice paid" role="status">${icon('check')}<span>${say('memberSignedOut', { name: facts.told.signedOut })}</span></p>`}
${facts.told.isWaiting && html`<p class="notice wait" role="status">${icon('wait')}<span>${say('settings_waiting')}</span></p>`}
${waitingPart(look, peoplePolicies(facts.policies))}
<div class="scroll bleed" tabindex="0" role="region" aria-label="${say('people')}"><table class="table list names"><thead><tr><th scope="col">${say('memberName')}</th><th scope="col" class="desk">${say('email')}</th><th scope="col">${say('role')}</th><th scope="col" class="desk">${say('secondFactor')}</th><th scope="col" class="desk">${say('seen')}</th><td></td></tr></thead>
<tbody>${facts.members.map((member) => memberRow(look, member, facts))}</tbody></table></div>
${facts.otherHands.length > 0 && otherHandsPart(look, facts)}
${facts.recoveries.length > 0 && recoveryPart(look, facts)}
${facts.invitations.length > 0 && invitationPart(look, facts.invitations)}
<section class="part"><div class="part-head"><h2>${say('inviteTitle')}</h2></div>${inviteForm(look, facts.role)}</section>`,
  });
};

/** Of what waits only who would approve from then on. */
const peoplePolicies = (policies: WaitingPolicies): WaitingPolicies => ({
  ...policies,
  changes: policies.changes.filter(({ policy }) => policy.kind !== 'settings'),
});

function memberRow(look: AccountLook, member: Member, { own, role }: PeopleFacts): Html {
  const { say } = look;
  const from = isHand(member.role) && handFrom(member) > look.now ? handFrom(member) : null;
  const newHand = from && html`<span class="sub">${say.html('countsFrom', { from: momentText(look, from) })}</span>`;
  const isChangeable = member.personId !== own && (role === 'owner' || member.role !== 'owner');
  return html`<tr><th scope="row">${member.name}${member.personId === own && html` <span class="pill bare">${say('you')}</span>`}<span class="sub">${member.email}${!member.isProven && html` · ${say('addressUnproven')}`}</span>${newHand}</th><td class="desk">${member.email}${!member.isProven && html`<br><span class="quiet">${say('addressUnproven')}</span>`}</td><td>${say(`role_${member.role}`)}</td><td class="desk">${
    member.hasSecondFactor
      ? html`<span class="state paid">${icon('paid')}${say('hasSecondFactor')}</span>`
      : html`<span class="state decide">${icon('decide')}${say('lacksSecondFactor')}</span>`
  }</td><td class="desk">${member.seenAt ? momentText(look, member.seenAt) : say('never')}</td><td class="n">${isChangeable && changeMember(look, member, role)}</td></tr>`;
}

const changeMember = (look: AccountLook, { personId, name, role, isProven }: Member, own: Role): Html =>
  html`<details class="own"><summary class="btn small">${look.say('changeMember')}<span class="unseen">: ${name}</span></summary><div class="own-menu">
<form class="form" method="post" action="/account/people/role"${proving(look)}>${accountField(look)}<input type="hidden" name="person" value="${personId}">
<label>${look.say('role')}<span class="select"><select class="input" name="role">${roleOptions(look, own, role)}</select></span></label>${proofField(look)}<button class="btn">${look.say('changeRole')}</button></form>
${
  look.sendsEmail && isProven
    ? html`<form class="form" method="post" action="/account/people/recover"${proving(look)}>${accountField(look)}<input type="hidden" name="person" value="${personId}">${proofField(look)}<button class="btn">${look.say('recoverMember')}</button><p class="help">${look.say('recoverHelp')}</p></form>`
    : html`<p class="help">${look.say('recoverElsewhere')}</p>`
}
<form class="form" method="post" action="/account/people/sign-out"${proving(look)}>${accountField(look)}<input type="hidden" name="person" value="${personId}">${proofField(look)}<button class="btn">${look.say('signMemberOut')}</button></form>
<form class="form" method="post" action="/account/people/remove"${proving(look)}>${accountField(look)}<input type="hidden" name="person" value="${personId}">${proofField(look)}<button class="btn danger">${look.say('removeMember')}</button></form></div></details>`;

const roleOptions = ({ say }: AccountLook, own: Role, chosen: Role): Html[] =>
  roles
    .filter((role) => own === 'owner' || role !== 'owner')
    .map((role) => html`<option value="${role}"${role === chosen && html` selected`}>${say(`role_${role}`)}</option>`);

const invitationPart = (look: AccountLook, invitations: readonly OpenInvitation[]): Html => {
  const { say } = look;
  const rows = invitations.map(
    ({ id, email, role, expiresAt, mailFailedAt }) =>
      html`<tr><th scope="row" class="wrap">${email}<span class="sub">${say(`role_${role}`)} · ${say('until')} ${momentText(look, expiresAt)}</span>${mailFailedAt && notMailed(look)}</th><td class="desk">${say(`role_${role}`)}</td><td class="desk">${momentText(look, expiresAt)}</td><td class="n"><form method="post" action="/account/people/take-back"${proving(look)}>${accountField(look)}<input type="hidden" name="invitation" value="${id}">${proofField(look)}<button class="btn small">${say('takeBack')}</button></form></td></tr>`,
  );
  return html`<section class="part"><div class="part-head"><h2>${say('openInvitations')}</h2></div>
<div class="scroll bleed" tabindex="0" role="region" aria-label="${say('openInvitations')}"><table class="table list"><thead><tr><th scope="col">${say('email')}</th><th scope="col" class="desk">${say('role')}</th><th scope="col" class="desk">${say('until')}</th><td></td></tr></thead><tbody>${rows}</tbody></table></div></section>`;
};

const notMailed = ({ say }: AccountLook): Html =>
  html`<span class="state fail">${icon('fail')}${say('mailFailed')}</span>`;

const otherHandsPart = (look: AccountLook, { otherHands, names }: PeopleFacts): Html => {
  const { say } = look;
  const items = otherHands.map(({ key, personIds }) => {
    const known = personIds.map((id) => names.get(id) ?? say('somebodyElse'));
    const line = say('otherHandsBy', { names: listed(look.language, known) });
    return html`<li class="decide">${icon('key')}<div><b>${key.label || say('keyUnnamed')}</b><p>${line} · ${listed(
      look.language,
      key.scopes.map((scope) => say(`scope_${scope}`)),
    )}</p></div><div class="bar"><a class="btn" href="${keysPath}/${encodeURIComponent(key.apiKey)}">${say('otherHandsDo')}</a></div></li>`;
  });
  return partOf(
    'other-hands',
    say('otherHandsTitle'),
    html`<p>${say('otherHandsText')}</p><ul class="asks">${items}</ul>`,
  );
};

const recoveryPart = (look: AccountLook, { recoveries, members, own, role }: PeopleFacts): Html => {
  const { say } = look;
  const rows = recoveries.map(({ personId, goodFrom, expiresAt, mailFailedAt }) => {
    const member = members.find((each) => each.personId === personId);
    const isMine = personId !== own && (role === 'owner' || member?.role !== 'owner');
    return html`<tr><th scope="row">${member?.name}<span class="sub">${member?.email}</span>${mailFailedAt && notMailed(look)}</th><td class="wrap">${momentText(look, goodFrom)}</td><td class="wrap">${momentText(look, expiresAt)}</td><td class="n">${isMine && html`<form method="post" action="/account/people/take-back-recovery"${proving(look)}>${accountField(look)}<input type="hidden" name="person" value="${personId}">${proofField(look)}<button class="btn small">${say('takeBack')}</button></form>`}</td></tr>`;
  });
  return html`<section class="part"><div class="part-head"><h2>${say('openRecoveries')}</h2></div>
<div class="scroll bleed" tabindex="0" role="region" aria-label="${say('openRecoveries')}"><table class="table list"><thead><tr><th scope="col">${say('memberName')}</th><th scope="col">${say('worksFrom')}</th><th scope="col">${say('until')}</th><td></td></tr></thead><tbody>${rows}</tbody></table></div></section>`;
};

const inviteForm = (look: AccountLook, own: Role): Html => {
  const { say } = look;
  const choices = roles
    .filter((role) => own === 'owner' || role !== 'owner')
    .map(
      (role) =>
        html`<label class="choice"><input type="radio" name="role" value="${role}" required><b>${say(`role_${role}`)}</b><span>${say(`roleMeans_${role}`)}</span></label>`,
    );
  return html`<form class="form part-body" method="post" action="/account/people/invite"${proving(look)}>${accountField(look)}
<div class="field"><label for="invite-email">${say('email')}</label><input class="input" id="invite-email" name="email" type="email" required maxlength="254" autocomplete="off" aria-describedby="invite-help"><p class="help" id="invite-help">${say(look.sendsEmail ? 'inviteByMail' : 'inviteByHand')}</p></div>
<fieldset class="rows"><legend>${say('inviteRole')}</legend>${choices}</fieldset>
${proofField(look)}
<button class="btn primary">${say('inviteSend')}</button>
</form>`;
};

export const invitedPage = (look: AccountLook, email: string, url: string): Html =>
  accountPage(look, {
    title: look.say('inviteMade', { email }),
    main: html`<p>${look.say('inviteMadeText')}</p>
<div class="copyfield"><span class="value mono">${url}</span><button class="btn" type="button" data-copy="${url}" data-copied="${look.say('copied')}">${icon('copy')}${look.say('copy')}</button></div>
<p><a class="btn" href="/account/people">${look.say('back')}</a></p>`,
  });
