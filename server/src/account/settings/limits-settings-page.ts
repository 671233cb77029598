/** What holds money back: approvals, a day's most, what support decides, how long a new destination waits. */
import { type Html, html } from '../../web/html.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { policyPart, type WaitingPolicies } from './policy-words.ts';
import { formOf, limitsPath, type SettingsFacts, settingsPage, textField } from './settings-parts.ts';

export type LimitsFacts = SettingsFacts & { readonly policies: WaitingPolicies };

export const limitFields = {
  transferApprovalAbove: 'approval-above',
  refundApprovalAbove: 'refunds-above',
  dailyLimit: 'per-day',
  supportLimit: 'support',
} as const;

export const limitsSettingsPage = (look: AccountLook, facts: LimitsFacts): Html => {
  const { say } = look;
  const { merchant, form } = facts;
  const amounts = (Object.keys(limitFields) as (keyof typeof limitFields)[]).map((setting) => {
    const name = limitFields[setting];
    return textField({
      name,
      label: say(`setting_${setting}`),
      value: form?.get(name) ?? merchant[setting] ?? '',
      unit: merchant.accountCurrency,
      help: say(`settingHelp_${setting}`),
      attributes: html`inputmode="decimal" maxlength="20" placeholder="${say(`none_${setting}`)}"`,
    });
  });
  const wait = textField({
    name: 'destination-wait',
    label: say('setting_destinationWaitMinutes'),
    value: form?.get('destination-wait') ?? String(merchant.destinationWaitMinutes),
    unit: say('minutesUnit'),
    help: say('settingHelp_destinationWaitMinutes'),
    attributes: html`type="number" min="0" max="43200" required`,
  });
  return settingsPage(look, {
    name: 'menuLimits',
    facts,
    main: html`<p class="lead">${say('limitsLead')}</p>${policyPart(look, facts.policies)}
${formOf(look, limitsPath, html`${amounts}${wait}`, say(facts.policies.hasSecond ? 'limitsAsk' : 'settingsSave'))}
<p class="quiet">${say('limitsAddresses')} <a href="/account/settings/api">${say('menuApi')}</a></p>`,
  });
};
