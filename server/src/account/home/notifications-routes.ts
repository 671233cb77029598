/** What somebody is told of by e-mail: the own choice, so no proof is needed. */
import { needKindsFor } from '../../finding/need-kinds.ts';
import {
  chooseNotifications,
  type NotificationChoice,
  newsChoices,
  newsKindsFor,
  notificationChoices,
  readChoices,
  type ToldKind,
} from '../../finding/notification-choices.ts';
import { timeZoneOf } from '../../merchants/time-zone.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { notificationsPath, outcomeOf } from '../settings/settings-parts.ts';
import { notificationsPage } from './notifications-page.ts';

export function notificationsRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const access = { may: 'seeCheckouts' } as const;
  return [
    accountRoute({
      method: 'GET',
      path: notificationsPath,
      access,
      async handle({ look, merchant, signedIn, request }) {
        const choiceOf = await readChoices(deps.db, merchant.id);
        const choices = new Map(
          needKindsFor(look.may).map((kind) => [kind, choiceOf(signedIn.person.id, kind).choice]),
        );
        const news = new Map(newsKindsFor(look.may).map((kind) => [kind, choiceOf(signedIn.person.id, kind).choice]));
        const timeZone = timeZoneOf(merchant.pageSettings);
        const page = notificationsPage(look, { choices, news, outcome: outcomeOf(request.query), timeZone });
        return accountReply(200, look, page);
      },
    }),
    accountRoute({
      method: 'POST',
      path: notificationsPath,
      access,
      async handle({ look, merchant, signedIn, form, db }) {
        const by = { merchantId: merchant.id, personId: signedIn.person.id };
        const chosen = [
          ...readChosen(needKindsFor(look.may), notificationChoices, form),
          ...readChosen(newsKindsFor(look.may), newsChoices, form),
        ];
        await chooseNotifications({ ...deps, db }, by, new Map<ToldKind, NotificationChoice>(chosen));
        return redirect(`${notificationsPath}?did=saved`);
      },
    }),
  ];
}

/** Only of what this role sees; what makes no sense stays as it is. */
const readChosen = (
  kinds: readonly ToldKind[],
  choices: readonly NotificationChoice[],
  form: URLSearchParams,
): [ToldKind, NotificationChoice][] =>
  kinds.flatMap((kind) => {
    const chosen = choices.find((choice) => choice === form.get(kind));
    return chosen ? [[kind, chosen]] : [];
  });
