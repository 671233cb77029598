/** Changes that wait for a second person: what each would do, and who asked for it. */
import type { AccountChange } from '../../merchants/change-settings.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import type { SettingsChange } from '../../merchants/settings-problems.ts';
import type { Member } from '../../people/person-store.ts';
import type { Policy, PolicyChange } from '../../people/policy-change-store.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { priceText } from '../../web/number-text.ts';
import { partOf } from '../developers/developer-parts.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import { accountField, approvalAnswers, proofField, proving } from '../sign-in/sign-in-parts.ts';
import { policiesPath } from './settings-parts.ts';

export type WaitingPolicies = {
  readonly changes: readonly PolicyChange[];
  readonly members: readonly Member[];
  readonly merchant: Merchant;
  /** Whoever looks at the page. */
  readonly own: string;
  /** Whether somebody else approves what this person changes. */
  readonly hasSecond: boolean;
};

/** Settings that can be part of such a change, in the order in which they are told. */
const told = [
  'transferApprovalAbove',
  'refundApprovalAbove',
  'dailyLimit',
  'supportLimit',
  'destinationWaitMinutes',
  'isAddressListEnforced',
  'isAddressListForPeople',
] as const satisfies readonly (keyof SettingsChange)[];
type Told = (typeof told)[number];

export function settingText(
  look: AccountLook,
  { accountCurrency }: Merchant,
  name: Told,
  value: string | number | boolean | null,
): string {
  const { say, language } = look;
  if (typeof value === 'boolean') return say(value ? 'policyOn' : 'policyOff');
  if (value === null) return say(`none_${name as 'dailyLimit'}`);
  if (name === 'destinationWaitMinutes') return say('minutesText', { count: Number(value) });
  return priceText(language, `${value}`, accountCurrency);
}

/** One line for each thing that changes. */
export function policyLines(
  look: AccountLook,
  facts: Pick<WaitingPolicies, 'members' | 'merchant'>,
  policy: Policy,
): string[] {
  const { say } = look;
  if (policy.kind === 'invitation')
    return [say('policyInvites', { email: policy.email, role: say(`role_${policy.role}`) })];
  if (policy.kind === 'role')
    return [
      say('policyRole', { name: nameOf(look, facts.members, policy.personId), role: say(`role_${policy.role}`) }),
    ];
  if (policy.kind === 'removal') return [say('policyRemoval', { name: nameOf(look, facts.members, policy.personId) })];
  return changeLines(look, facts.merchant, policy.change);
}

function changeLines(
  look: AccountLook,
  merchant: Merchant,
  { settings = {}, allow, disallow }: AccountChange,
): string[] {
  const { say } = look;
  const lines = told.flatMap((name) => {
    const value = settings[name];
    if (value === undefined) return [];
    const [before, after] = [merchant[name], value].map((each) => settingText(look, merchant, name, each));
    return [say('policySetting', { name: say(`setting_${name}`), before: before ?? '', after: after ?? '' })];
  });
  if (allow) lines.push(say('policyAllow', { range: allow.range }));
  if (disallow !== undefined) lines.push(say('policyDisallow', { range: disallow }));
  return lines;
}

export const nameOf = ({ say }: AccountLook, members: readonly Member[], personId: string): string =>
  members.find((member) => member.personId === personId)?.name ?? say('somebodyElse');

/** On the pages of settings: what waits, and that what is changed here will wait. */
export const policyPart = (look: AccountLook, facts: WaitingPolicies): Html =>
  html`${facts.hasSecond && html`<p class="notice">${icon('users')}<span>${look.say('secondNeeded')}</span></p>`}${waitingPart(look, facts)}`;

export function waitingPart(look: AccountLook, facts: WaitingPolicies): Html | false {
  const { say } = look;
  return (
    facts.changes.length > 0 &&
    partOf(
      'waiting',
      say('policiesWaiting'),
      html`<ul class="asks">${facts.changes.map((change) => html`<li class="wait">${icon('wait')}<div><b>${policyLines(look, facts, change.policy).join(' · ')}</b><p>${askedLine(look, facts, change)}</p></div><div class="bar"><a class="btn" href="/account/needs-you?open=policyToApprove.${change.id}">${say(change.requestedBy === facts.own ? 'needDo_open' : 'needDo_review')}</a></div></li>`)}</ul>`,
    )
  );
}

export const askedLine = (
  look: AccountLook,
  { members }: Pick<WaitingPolicies, 'members'>,
  change: Pick<PolicyChange, 'requestedBy' | 'requestedAt'>,
): Html =>
  html`${look.say('askedBy', { name: nameOf(look, members, change.requestedBy) })} · ${momentText(look, change.requestedAt)}`;

/** In *Needs you*: who asked takes it back, somebody else approves with a passkey or refuses. */
export function policyDecision(
  look: AccountLook,
  facts: WaitingPolicies,
  change: Pick<PolicyChange, 'id' | 'policy' | 'requestedBy' | 'requestedAt'>,
): Html {
  const { say } = look;
  const path = `${policiesPath}/${encodeURIComponent(change.id)}`;
  const isOwn = change.requestedBy === facts.own;
  return html`<ul>${policyLines(look, facts, change.policy).map((line) => html`<li>${line}</li>`)}</ul>
<p class="quiet">${askedLine(look, facts, change)}</p>
${
  isOwn
    ? html`<p class="quiet">${say('policyOwn')}</p><form class="form" method="post" action="${path}/refuse"${proving(look)}>${accountField(look)}${proofField(look)}<div class="bar"><button class="btn">${say('withdrawButton')}</button></div></form>`
    : approvalAnswers(look, path, 'policyApproveButton')
}`;
}
