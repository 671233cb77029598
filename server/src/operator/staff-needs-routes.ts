/** The operator's *Needs you*, and how each of the staff is told of it. */
import { accountReply } from '../account/frame/account-layout.ts';
import { redirect } from '../account/frame/account-request.ts';
import { houseKindsFor } from '../finding/house-needs.ts';
import { type NotificationChoice, notificationChoices } from '../finding/notification-choices.ts';
import { chooseStaffNotifications, readStaffChoices } from '../finding/notify-staff.ts';
import { houseNeedsOf, needsFor } from './house-facts.ts';
import type { OperatorPageDeps } from './operator-area.ts';
import { needsPath } from './operator-layout.ts';
import { createOperatorRoutes, type OperatorRoute } from './operator-route.ts';
import { staffNeedsPage } from './staff-needs-page.ts';
import { notificationsPath, staffNotificationsPage } from './staff-notifications-page.ts';

export function staffNeedsRoutes(deps: OperatorPageDeps): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const access = { may: 'seeHouse' } as const;
  return [
    operatorRoute({
      method: 'GET',
      path: needsPath,
      access,
      async handle({ look }) {
        const news = await deps.houseNews.pageNews();
        const needs = needsFor(await houseNeedsOf(deps), look.staffMay);
        const seen = { ...look, waiting: needs.length };
        return accountReply(200, seen, staffNeedsPage(deps, seen, { needs, news }));
      },
    }),
    operatorRoute({
      method: 'GET',
      path: notificationsPath,
      access,
      async handle({ look, signedIn, request }) {
        const choiceOf = await readStaffChoices(deps.db);
        const choices = new Map(
          houseKindsFor(look.staffMay).map((kind) => [kind, choiceOf(signedIn.person.id, kind).choice]),
        );
        const isSaved = request.query['did'] === 'saved';
        return accountReply(200, look, staffNotificationsPage(look, { choices, isSaved }));
      },
    }),
    // The own choice, so no proof is needed.
    operatorRoute({
      method: 'POST',
      path: notificationsPath,
      access,
      async handle({ look, signedIn, form, audited, now }) {
        // Only of what this role sees; what makes no sense stays as it is.
        const chosen = houseKindsFor(look.staffMay).flatMap((kind) => {
          const choice: NotificationChoice | undefined = notificationChoices.find((each) => each === form.get(kind));
          return choice ? [[kind, choice] as const] : [];
        });
        const detail = { person: signedIn.person.id, ...Object.fromEntries(chosen) };
        await audited('person.notifications_changed', detail, (tx) =>
          chooseStaffNotifications(tx, signedIn.person.id, new Map(chosen), now),
        );
        return redirect(`${notificationsPath}?did=saved`);
      },
    }),
  ];
}
