/** Each of the staff chooses what to be told of by e-mail, and how often. */
import { type HouseNeedKind, houseNeedWords } from '../finding/house-needs.ts';
import { type NotificationChoice, notificationChoices } from '../finding/notification-choices.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { needsPath, operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';

export const notificationsPath = `${needsPath}/notifications`;

const choiceWords: Readonly<Record<NotificationChoice, string>> = {
  atOnce: 'At once',
  daily: 'Once a day',
  never: 'Not',
};

export const staffNotificationsPage = (
  look: OperatorLook,
  { choices, isSaved }: { readonly choices: ReadonlyMap<HouseNeedKind, NotificationChoice>; readonly isSaved: boolean },
): Html =>
  operatorPage(look, {
    title: 'Be told by e-mail',
    crumb: html`<a href="${needsPath}">Needs you</a>`,
    main: html`${isSaved && html`<p class="notice paid" role="status">${icon('check')}<span>Saved.</span></p>`}
${!look.sendsEmail && html`<p class="notice">${icon('alert')}<span>No mail server is set, so nobody is told anything.</span></p>`}
${
  choices.size === 0
    ? html`<p class="lead">Your role sees how the house is, and nothing in it waits for you.</p>`
    : html`<p class="lead">Written to ${look.signedIn?.person.email ?? ''}. Once a day is at eight o’clock UTC.</p>
<form method="post" action="${notificationsPath}"><ul class="line-list notify" aria-label="How to be told">${[
        ...choices,
      ].map(
        ([kind, chosen]) =>
          html`<li><label for="${kind}">${houseNeedWords[kind]}</label><span class="select sum"><select class="input" id="${kind}" name="${kind}">${notificationChoices.map((choice) => html`<option value="${choice}"${choice === chosen && html` selected`}>${choiceWords[choice]}</option>`)}</select></span></li>`,
      )}</ul><div class="bar"><button class="btn primary">Save</button></div></form>`
}`,
  });
