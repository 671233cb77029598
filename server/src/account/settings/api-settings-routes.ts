/**
 * How programs reach the account. What would stop others from reaching it is asked once more, in words; and no list
 * applies to people that the person who sets it is not on.
 */
import { personActor } from '../../http/actor.ts';
import type { PageReply } from '../../http/route.ts';
import { type AccountChange, changeSettings } from '../../merchants/change-settings.ts';
import { listAllowedAddresses } from '../../merchants/merchant-store.ts';
import type { SettingsChange } from '../../merchants/settings-problems.ts';
import { requestPolicy } from '../../people/request-policy.ts';
import { accountReply } from '../frame/account-layout.ts';
import {
  type AccountDeps,
  type AccountRoute,
  createAccountRoutes,
  type MemberContext,
} from '../frame/account-route.ts';
import { apiSettingsPage } from './api-settings-page.ts';
import { waitingPolicies } from './policy-routes.ts';
import { apiPath, type Outcome, surePage } from './settings-parts.ts';
import { settingsReplies } from './settings-replies.ts';

export function apiSettingsRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { shown, saved } = settingsReplies(async (look, facts, context) => {
    const [addresses, policies] = await Promise.all([
      listAllowedAddresses(deps.db, facts.merchant.id),
      waitingPolicies(deps, context),
    ]);
    return apiSettingsPage(look, { ...facts, addresses, policies, address: context.request.address });
  }, apiPath);

  async function ask({ merchant, signedIn, request }: MemberContext, change: AccountChange): Promise<Outcome> {
    const by = { merchantId: merchant.id, personId: signedIn.person.id, address: request.address };
    const { isWaiting } = await requestPolicy(deps, by, { kind: 'settings', change });
    return isWaiting ? 'waiting' : 'saved';
  }

  return [
    accountRoute({ method: 'GET', path: apiPath, access: { may: 'business' }, handle: shown }),
    accountRoute({
      method: 'POST',
      path: `${apiPath}/allow`,
      access: { may: 'limits' },
      handle: (context) =>
        saved(context, () => {
          const [range, note] = [context.form.get('range') ?? '', (context.form.get('note') ?? '').trim()];
          return ask(context, { allow: { range, note } });
        }),
    }),
    accountRoute({
      method: 'POST',
      path: `${apiPath}/disallow`,
      access: { may: 'limits' },
      handle: (context) => saved(context, () => ask(context, { disallow: context.form.get('range') ?? '' })),
    }),
    accountRoute({
      method: 'POST',
      path: `${apiPath}/from`,
      access: { may: 'limits' },
      handle: (context) =>
        saved(context, async () => {
          const { merchant, form } = context;
          const isAddressListEnforced = form.get('from') === 'list';
          const isAddressListForPeople = form.get('people') === 'yes';
          const settings: SettingsChange = {
            ...(isAddressListEnforced !== merchant.isAddressListEnforced && { isAddressListEnforced }),
            ...(isAddressListForPeople !== merchant.isAddressListForPeople && { isAddressListForPeople }),
          };
          if (Object.keys(settings).length === 0) return 'saved';
          const shuts = settings.isAddressListEnforced === true || settings.isAddressListForPeople === true;
          if (shuts && form.get('sure') !== 'yes') return sureAbout(context, 'from');
          return ask(context, { settings });
        }),
    }),
    accountRoute({
      method: 'POST',
      path: `${apiPath}/auth`,
      access: { may: 'business' },
      handle: (context) =>
        saved(context, async () => {
          const { merchant, form, signedIn, db } = context;
          const isBasicAllowed = form.get('basic') === 'yes';
          const isShut = merchant.isBasicAllowed && !isBasicAllowed;
          if (isShut && form.get('sure') !== 'yes') return sureAbout(context, 'auth');
          const preferredAuth = form.get('preferred') === 'basic' ? 'basic' : 'digest';
          const actor = personActor(signedIn.person.id);
          await changeSettings({ ...deps, db }, merchant.id, { isBasicAllowed, preferredAuth }, actor);
          return 'saved';
        }),
    }),
  ];

  async function sureAbout({ look, form, merchant }: MemberContext, what: 'from' | 'auth'): Promise<PageReply> {
    const addresses = (await listAllowedAddresses(deps.db, merchant.id)).map(({ range }) => range);
    const list = new Intl.ListFormat(look.language).format(addresses) || look.say('addressesNone');
    const page = surePage(look, {
      title: look.say(`sure_${what}`),
      warning: look.say(`sureText_${what}`, { list }),
      action: `${apiPath}/${what}`,
      back: apiPath,
      button: look.say(`sureDo_${what}`),
      form,
    });
    return accountReply(200, look, page);
  }
}
