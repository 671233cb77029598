/** Name, address, e-mail, currency and time zone of the business. */
import { findCurrency } from '../../catalog/currency-catalog.ts';
import { personActor } from '../../http/actor.ts';
import { invalidRequest } from '../../lib/errors.ts';
import { vatIdOf } from '../../lib/vat-number.ts';
import { changeSettings } from '../../merchants/change-settings.ts';
import { sellerDataNames } from '../../merchants/seller-data.ts';
import type { SettingsChange } from '../../merchants/settings-problems.ts';
import { readTimeZone } from '../../merchants/time-zone.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { businessSettingsPage } from './business-settings-page.ts';
import { businessPath } from './settings-parts.ts';
import { settingsReplies } from './settings-replies.ts';

export function businessSettingsRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { shown, saved } = settingsReplies(businessSettingsPage, businessPath);
  const access = { may: 'business' } as const;
  return [
    accountRoute({ method: 'GET', path: businessPath, access, handle: shown }),
    accountRoute({
      method: 'POST',
      path: businessPath,
      access,
      handle: (context) =>
        saved(context, async () => {
          const { merchant, signedIn, form, db } = context;
          await changeSettings({ ...deps, db }, merchant.id, readBusiness(form), personActor(signedIn.person.id));
        }),
    }),
  ];
}

function readBusiness(form: URLSearchParams): SettingsChange {
  const text = (name: string): string => (form.get(name) ?? '').trim();
  const accountCurrency = text('currency');
  if (findCurrency(accountCurrency) === undefined)
    throw invalidRequest('The account currency must be a currency code such as EUR.');
  const lines = text('postal-address')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return {
    name: text('name'),
    email: text('email') || null,
    accountCurrency,
    pageSettings: {
      postalAddress: lines.join('\n') || null,
      timeZone: readTimeZone(text('time-zone')),
      ...readSeller(form),
    },
  };
}

/** What is not on the form stays as it is. */
const readSeller = (form: URLSearchParams): Record<string, string | null> =>
  Object.fromEntries(
    sellerDataNames
      .filter((name) => form.has(name))
      .map((name) => {
        const typed = (form.get(name) ?? '').trim();
        return [name, (name === 'vatId' ? (vatIdOf(typed) ?? typed) : typed) || null];
      }),
  );
