/** Of what customers are told by e-mail: a part of how the shop meets them, like the payment page. */
import { personActor } from '../../http/actor.ts';
import { changeSettings } from '../../merchants/change-settings.ts';
import type { StatusMailChoices } from '../../merchants/status-mails.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { mailsSettingsPage } from './mails-settings-page.ts';
import { mailsPath } from './settings-parts.ts';
import { settingsReplies } from './settings-replies.ts';

export function mailsSettingsRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { shown, saved } = settingsReplies(mailsSettingsPage, mailsPath);
  const access = { may: 'brand' } as const;
  return [
    accountRoute({ method: 'GET', path: mailsPath, access, handle: shown }),
    accountRoute({
      method: 'POST',
      path: mailsPath,
      access,
      handle: (context) =>
        saved(context, async () => {
          const { merchant, signedIn, form, db } = context;
          const pageSettings = { statusMails: readChoices(form) };
          await changeSettings({ ...deps, db }, merchant.id, { pageSettings }, personActor(signedIn.person.id));
        }),
    }),
  ];
}

/** A box that is not ticked is not sent. */
const readChoices = (form: URLSearchParams): StatusMailChoices => ({
  created: form.has('created'),
  paid: form.has('paid'),
  underpaid: form.has('underpaid'),
  expired: form.has('expired'),
  refunded: form.has('refunded'),
});
