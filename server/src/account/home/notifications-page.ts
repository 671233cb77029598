/** Each person chooses what to be told of by e-mail, and how often. */
import type { NeedKind } from '../../finding/needs-you.ts';
import {
  type NewsKind,
  type NotificationChoice,
  newsChoices,
  notificationChoices,
} from '../../finding/notification-choices.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { notificationsPath, type Outcome, settingsPage } from '../settings/settings-parts.ts';
import { accountField } from '../sign-in/sign-in-parts.ts';

export type NotificationsFacts = {
  /** Of what this role sees. */
  readonly choices: ReadonlyMap<NeedKind, NotificationChoice>;
  /** What waits for nobody. */
  readonly news: ReadonlyMap<NewsKind, NotificationChoice>;
  readonly outcome: Outcome;
  readonly timeZone: string;
};

export const notificationsPage = (look: AccountLook, facts: NotificationsFacts): Html => {
  const { say, signedIn, sendsEmail } = look;
  const { choices, news, outcome, timeZone } = facts;
  const rows = [...choices].map(
    ([kind, chosen]) =>
      html`<li><label for="${kind}">${say(`notify_${kind}`)}</label><span class="select sum"><select class="input" id="${kind}" name="${kind}">${notificationChoices.map((choice) => html`<option value="${choice}"${choice === chosen && html` selected`}>${say(`notifyChoice_${choice}`)}</option>`)}</select></span></li>`,
  );
  const newsRows = [...news].map(
    ([kind, chosen]) =>
      html`<li><label for="${kind}">${say(`notify_${kind}`)}</label><span class="select sum"><select class="input" id="${kind}" name="${kind}">${newsChoices.map((choice) => html`<option value="${choice}"${choice === chosen && html` selected`}>${say(choice === 'never' ? 'notifyChoice_never' : 'notifyNewsChoice_atOnce')}</option>`)}</select></span></li>`,
  );
  return settingsPage(look, {
    name: 'menuNotifications',
    facts: { outcome, error: null },
    main: html`${!sendsEmail && html`<p class="notice">${icon('alert')}<span>${say('notifyNoMail')}</span></p>`}
<p class="lead">${say('notifyLead', { email: signedIn?.person.email ?? '' })}</p>
${
  rows.length + newsRows.length === 0
    ? html`<div class="empty">${icon('inbox')}<p>${say('notifyNothing')}</p></div>`
    : html`<form method="post" action="${notificationsPath}">${accountField(look)}${
        rows.length > 0 &&
        html`<ul class="line-list notify" aria-label="${say('notifyHow')}">${rows}</ul>
<p class="help part-body">${say('notifyDailyHelp', { zone: timeZone.replaceAll('_', ' ') })}</p>`
      }${newsRows.length > 0 && html`<section class="part" aria-labelledby="h-news"><div class="part-head"><h2 id="h-news">${say('notifyNews')}</h2></div><ul class="line-list notify" aria-labelledby="h-news">${newsRows}</ul></section>`}<div class="bar part-body"><button class="btn primary">${say('settingsSave')}</button></div></form>`
}`,
  });
};
