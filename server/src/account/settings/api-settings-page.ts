/** How programs reach the account: from which addresses, and with which signature. */
import { type Html, html } from '../../web/html.ts';
import { partOf } from '../developers/developer-parts.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { accountField, proofField, proving } from '../sign-in/sign-in-parts.ts';
import { policyPart, type WaitingPolicies } from './policy-words.ts';
import { apiPath, choiceOf, formOf, type SettingsFacts, settingsPage, textField } from './settings-parts.ts';

export type ApiFacts = SettingsFacts & {
  readonly addresses: readonly { readonly range: string; readonly note: string }[];
  /** Where this person sits. */
  readonly address: string;
  readonly policies: WaitingPolicies;
};

export const apiSettingsPage = (look: AccountLook, facts: ApiFacts): Html => {
  const { say } = look;
  return settingsPage(look, {
    name: 'menuApi',
    facts,
    main: html`${policyPart(look, facts.policies)}
${partOf('list', say('addressesTitle'), html`<div class="part-body"><p>${say('addressesText')}</p>${addressTable(look, facts)}${addForm(look, facts)}</div>`)}
${partOf('from', say('addressesFrom'), fromForm(look, facts))}
${partOf('auth', say('authTitle'), authForm(look, facts), html`<a href="/account/developers/keys">${say('menuKeys')}</a>`)}`,
  });
};

function addressTable(look: AccountLook, { addresses }: ApiFacts): Html {
  const { say } = look;
  if (addresses.length === 0) return html`<p class="quiet">${say('addressesNone')}</p>`;
  const rows = addresses.map(
    ({ range, note }) =>
      html`<tr><th scope="row" class="mono wrap breaks">${range}<span class="sub">${note}</span></th><td class="desk">${note}</td><td class="n"><form method="post" action="${apiPath}/disallow"${proving(look)}>${accountField(look)}<input type="hidden" name="range" value="${range}">${proofField(look)}<button class="btn quiet danger">${say('addressRemove')}<span class="unseen">: ${range}</span></button></form></td></tr>`,
  );
  return html`<div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-list"><table class="table list"><thead><tr><th scope="col">${say('address')}</th><th scope="col" class="desk">${say('addressNote')}</th><td></td></tr></thead><tbody>${rows}</tbody></table></div>`;
}

const addForm = (look: AccountLook, { form, address }: ApiFacts): Html => {
  const { say } = look;
  const body = html`${textField({ name: 'range', label: say('addressAdd'), value: form?.get('range') ?? '', help: say('addressAddHelp', { address }), attributes: html`required maxlength="60" spellcheck="false"` })}
${textField({ name: 'note', label: say('addressNote'), value: form?.get('note') ?? '', help: say('addressNoteHelp'), attributes: html`maxlength="200"` })}`;
  return formOf(look, `${apiPath}/allow`, body, say('addressAddButton'));
};

const fromForm = (look: AccountLook, { merchant, form }: ApiFacts): Html => {
  const { say } = look;
  const from = form?.get('from') ?? (merchant.isAddressListEnforced ? 'list' : 'any');
  const isForPeople = form ? form.get('people') === 'yes' : merchant.isAddressListForPeople;
  const body = html`<fieldset class="rows"><legend>${say('keysFrom')}</legend>${(['any', 'list'] as const).map((each) => choiceOf('from', each, { isChecked: from === each, title: say(`keysFrom_${each}`), means: say(`keysFromMeans_${each}`) }))}</fieldset>
<fieldset class="rows"><legend>${say('peopleFrom')}</legend>${choiceOf('people', 'yes', { kind: 'checkbox', isChecked: isForPeople, title: say('peopleFromList'), means: say('peopleFromListMeans') })}</fieldset>`;
  return formOf(look, `${apiPath}/from`, body, say('settingsSave'));
};

const authForm = (look: AccountLook, { merchant, form }: ApiFacts): Html => {
  const { say } = look;
  const preferred = form?.get('preferred') ?? merchant.preferredAuth;
  const isBasic = form?.has('preferred') ? form.get('basic') === 'yes' : merchant.isBasicAllowed;
  const body = html`<fieldset class="rows"><legend>${say('authPreferred')}</legend>${(['digest', 'basic'] as const).map((each) => choiceOf('preferred', each, { isChecked: preferred === each, title: say(`auth_${each}`), means: say(`authMeans_${each}`) }))}</fieldset>
<label class="switch"><input type="checkbox" role="switch" name="basic" value="yes"${isBasic && html` checked`}>${say('basicAllowed')}</label>
<p class="help">${say('basicHelp')}</p>`;
  return formOf(look, `${apiPath}/auth`, body, say('settingsSave'));
};
