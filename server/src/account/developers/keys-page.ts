/** The keys with which programs call: which there are, a new one, one of them, and a secret that is shown once. */
import { scopes as allScopes, type Scope } from '@quittance/contract/permissions';
import { isKeyActor } from '../../http/actor.ts';
import { addMs, hours } from '../../lib/clock.ts';
import type { Secret } from '../../lib/secret.ts';
import type { ListedKey } from '../../merchants/api-key-store.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { accountPage } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { agoText } from '../frame/ago-text.ts';
import { momentText } from '../frame/moment-text.ts';
import { setUpPath } from '../home/set-up-steps.ts';
import { accountField, proofField, proving } from '../sign-in/sign-in-parts.ts';
import { copyField, developerPage, keysPath, partOf, storedForm, tryItPath } from './developer-parts.ts';
import { mayGive } from './key-rights.ts';

/** Who made a key, by their actor: the names of those who belong to the account. */
export type MakerNames = ReadonlyMap<string, string>;

export type KeysFacts = {
  readonly keys: readonly ListedKey[];
  readonly makers: MakerNames;
  readonly now: Date;
  readonly isRevokedNow: boolean;
};

/** A key that nobody uses is one that nobody would miss, but a thief. */
const unusedMs = hours(24 * 90);
const revokedMax = 50;

const dangers: Readonly<Record<Scope, string>> = { charge: '', read: '', money: 'decide', approve: 'fail' };

export const keyLabel = ({ say }: AccountLook, { label }: ListedKey): string => label || say('keyUnnamed');

export const scopePills = ({ say }: AccountLook, scopes: readonly Scope[]): Html =>
  html`${scopes.map((scope) => html`<span class="pill bare ${dangers[scope]}">${say(`scope_${scope}`)}</span> `)}`;

export const keysPage = (look: AccountLook, facts: KeysFacts): Html => {
  const { say } = look;
  const inUse = facts.keys.filter(({ revokedAt }) => revokedAt === null);
  const revoked = facts.keys.filter(({ revokedAt }) => revokedAt !== null);
  const newKey = html`<a class="btn primary" href="${keysPath}/new">${icon('plus')}${say('keyNew')}</a>`;
  return developerPage(look, {
    name: 'menuKeys',
    action: inUse.length > 0 && newKey,
    main: html`${facts.isRevokedNow && html`<p class="notice paid" role="status">${icon('check')}<span>${say('keyWasRevoked')}</span></p>`}
${
  inUse.length === 0
    ? html`<div class="empty">${icon('key')}<p>${say('keysEmpty')}</p>${newKey}</div>`
    : partOf('keys', say('keys'), keyTable(look, inUse, facts))
}
${revoked.length > 0 && html`<details class="part"><summary>${say('keyRevokedTitle', { count: revoked.length })}</summary>${revokedTable(look, revoked.slice(-revokedMax).toReversed())}</details>`}`,
  });
};

const keyTable = (look: AccountLook, keys: readonly ListedKey[], facts: KeysFacts): Html => {
  const { say } = look;
  return html`<div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-keys"><table class="table list"><thead><tr><th scope="col">${say('keyName')}</th><th scope="col" class="desk roomy">${say('keyId')}</th><th scope="col">${say('keyMay')}</th><th scope="col">${say('lastUsed')}</th><th scope="col" class="desk">${say('keyMadeBy')}</th><th scope="col" class="desk"><span class="unseen">${say('actions')}</span></th></tr></thead><tbody>${keys.map((key) => keyRow(look, key, facts))}</tbody></table></div>`;
};

function keyRow(look: AccountLook, key: ListedKey, { makers, now }: KeysFacts): Html {
  const { say } = look;
  const label = keyLabel(look, key);
  const path = `${keysPath}/${key.apiKey}`;
  return html`<tr><th scope="row"><div><a href="${path}">${label}</a></div><span class="sub cramped mono">${key.apiKey}</span></th><td class="mono desk roomy">${key.apiKey}</td><td class="wrap">${scopePills(look, key.scopes)}</td><td>${lastUse(look, key, now)}</td><td class="desk">${makerText(look, key, makers)}</td><td class="n desk">${
    mayGive(look, key.scopes) &&
    html`<a class="btn quiet" href="${path}#rotate" aria-label="${say('keyRotateThis', { label })}">${say('keyRotate')}</a><a class="btn quiet danger" href="${path}#revoke" aria-label="${say('keyRevokeThis', { label })}">${say('keyRevoke')}</a>`
  }</td></tr>`;
}

function lastUse(look: AccountLook, { lastUsedAt, createdAt }: ListedKey, now: Date): Html {
  const text = lastUsedAt ? agoText(look, lastUsedAt, now) : html`${look.say('never')}`;
  const isForgotten = addMs(lastUsedAt ?? createdAt, unusedMs) < now;
  return isForgotten ? html`<span class="state decide">${icon('decide')}${text}</span>` : text;
}

function makerText({ say }: AccountLook, { madeBy }: ListedKey, makers: MakerNames): string {
  if (madeBy === null) return say('keyUnknownMaker');
  if (madeBy === 'operator') return say('keyByOperator');
  return isKeyActor(madeBy) ? say('keyByKey') : (makers.get(madeBy) ?? say('keyUnknownMaker'));
}

const revokedTable = (look: AccountLook, keys: readonly ListedKey[]): Html =>
  html`<div class="scroll bleed"><table class="table list"><thead><tr><th scope="col">${look.say('keyName')}</th><th scope="col" class="desk">${look.say('keyId')}</th><th scope="col">${look.say('keyRevokedAt')}</th></tr></thead><tbody>${keys.map(
    (key) =>
      html`<tr><th scope="row">${keyLabel(look, key)}<span class="sub mono">${key.apiKey}</span></th><td class="mono desk">${key.apiKey}</td><td>${key.revokedAt && momentText(look, key.revokedAt)}</td></tr>`,
  )}</tbody></table></div>`;

const crumb = ({ say }: AccountLook): Html =>
  html`<a href="${keysPath}">${say('menuDevelopers')}: ${say('menuKeys')}</a>`;

export const newKeyPage = (look: AccountLook): Html => {
  const { say } = look;
  const choices = allScopes.map((scope) => {
    const isMine = mayGive(look, [scope]);
    return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${scope === 'charge' && html` checked`}${!isMine && html` disabled`}><b>${say(`scope_${scope}`)}</b><span>${say(`scopeMeans_${scope}`)}${!isMine && ` ${say('scopeNotYours')}`}</span></label>`;
  });
  return accountPage(look, {
    title: say('keyNew'),
    crumb: crumb(look),
    main: html`<form class="form" method="post" action="${keysPath}"${proving(look)}>${accountField(look)}
<div class="field"><label for="label">${say('keyName')}</label><input class="input" id="label" name="label" required maxlength="60" autocomplete="off" aria-describedby="label-help"><p class="help" id="label-help">${say('keyNameHelp')}</p></div>
<fieldset class="rows"><legend>${say('keyScopes')}</legend>${choices}</fieldset>
${proofField(look)}
<button class="btn primary">${say('keyCreate')}</button>
</form>`,
  });
};

export const keyPage = (look: AccountLook, key: ListedKey, { makers, now }: Omit<KeysFacts, 'keys'>): Html => {
  const { say } = look;
  const facts: [string, Html | string][] = [
    [say('keyId'), html`<span class="mono">${key.apiKey}</span>`],
    [say('keyMay'), scopePills(look, key.scopes)],
    [say('lastUsed'), lastUse(look, key, now)],
    [say('keyMadeBy'), makerText(look, key, makers)],
    [say('keyMade'), momentText(look, key.createdAt)],
  ];
  if (key.rotatedAt) facts.push([say('keyRotated'), momentText(look, key.rotatedAt)]);
  if (key.formerUntil && key.formerUntil > now) facts.push([say('keyFormerUntil'), momentText(look, key.formerUntil)]);
  return accountPage(look, {
    title: keyLabel(look, key),
    crumb: crumb(look),
    main: html`<div class="work"><div>${
      key.revokedAt === null
        ? html`${rotatePart(look, key)}${mayGive(look, key.scopes) && revokePart(look, key)}`
        : html`<p class="notice fail">${icon('lock')}<span>${say('keyIsRevoked')}</span></p>`
    }</div><div class="rail"><dl class="kv">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></div></div>`,
  });
};

/** It approves, or asks for what others approve: with a new secret it is new to that (`people/demand-known-hands`). */
const isHand = ({ scopes }: ListedKey): boolean => scopes.includes('approve') || scopes.includes('money');

const rotatePart = (look: AccountLook, key: ListedKey): Html => {
  const { say } = look;
  const refusal = say(key.scopes.includes('approve') ? 'rotateOnlyOwners' : 'rotateNotYours');
  return partOf(
    'rotate',
    say('rotateTitle'),
    mayGive(look, key.scopes)
      ? html`<div class="part-body" id="rotate"><p>${say('rotateText')}</p>${isHand(key) && html`<p class="notice wait">${icon('wait')}<span>${say('rotatePauses')}</span></p>`}<form class="form" method="post" action="${keysPath}/${key.apiKey}/rotate"${proving(look)}>${accountField(look)}<label class="check"><input type="checkbox" name="at-once" value="yes"><span>${say('rotateAtOnce')}</span></label>${proofField(look)}<button class="btn">${icon('refresh')}${say('rotateGo')}</button></form></div>`
      : html`<div class="part-body" id="rotate"><p>${refusal}</p></div>`,
  );
};

const revokePart = (look: AccountLook, { apiKey }: ListedKey): Html =>
  partOf(
    'revoke',
    look.say('revokeTitle'),
    html`<div class="part-body" id="revoke"><p>${look.say('revokeText')}</p><form class="form" method="post" action="${keysPath}/${apiKey}/revoke"${proving(look)}>${accountField(look)}${proofField(look)}<button class="btn danger">${look.say('revokeGo')}</button></form></div>`,
  );

/** The only page with a secret. It is not kept anywhere that could be looked at again. */
export const keySecretPage = (
  look: AccountLook,
  {
    label,
    apiKey,
    secret,
    text,
    publicUrl,
  }: { label: string; apiKey: string; secret: Secret; text: Html | string; publicUrl: string },
): Html =>
  // The next step is behind the box below, and nowhere else.
  accountPage(
    { ...look, isSettingUp: false },
    {
      title: look.say('keyMadeTitle', { label: label || look.say('keyUnnamed') }),
      crumb: crumb(look),
      main: html`<div class="form"><p class="notice decide" role="status">${icon('key')}<span>${text}</span></p>
${copyField(look, look.say('keyId'), apiKey)}
${copyField(look, look.say('secretOfKey'), secret.reveal())}
${copyField(look, look.say('apiAddress'), `${publicUrl}/api/v1`)}
<p class="small quiet">${look.say.html('keyUseIt', { tryIt: html`<a href="${tryItPath}?key=${apiKey}" target="_blank">${look.say('menuTryIt')}</a>` })}</p></div>
${look.isSettingUp ? storedForm(look, `${setUpPath}/after/key`, 'setUpNext') : storedForm(look, keysPath, 'secretDone')}`,
    },
  );
