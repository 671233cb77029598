/** Of what customers are told by e-mail. */
import { statusMailKinds, statusMailsOf } from '../../merchants/status-mails.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { choiceOf, formOf, mailsPath, type SettingsFacts, settingsPage } from './settings-parts.ts';

export const mailsSettingsPage = (look: AccountLook, facts: SettingsFacts): Html => {
  const { say, sendsEmail } = look;
  const chosen = statusMailsOf(facts.merchant);
  const choices = statusMailKinds.map((kind) =>
    choiceOf(kind, 'on', {
      kind: 'checkbox',
      isChecked: facts.form ? facts.form.has(kind) : chosen[kind],
      title: say(`mails_${kind}`),
      means: say(`mailsMeans_${kind}`),
    }),
  );
  return settingsPage(look, {
    name: 'menuMails',
    facts,
    main: html`${!sendsEmail && html`<p class="notice">${icon('alert')}<span>${say('notifyNoMail')}</span></p>`}
<p class="lead">${say('mailsLead')}</p>
${formOf(look, mailsPath, html`<fieldset class="rows"><legend class="unseen">${say('menuMails')}</legend>${choices}</fieldset>`, say('settingsSave'))}`,
  });
};
