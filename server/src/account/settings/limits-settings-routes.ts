/** Limits of what leaves the account. Where there is a second person who approves, a change waits for that person. */
import type { Merchant } from '../../merchants/merchant.ts';
import type { SettingsChange } from '../../merchants/settings-problems.ts';
import { compare, parseDecimal } from '../../money/decimal.ts';
import { requestPolicy } from '../../people/request-policy.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { limitFields, limitsSettingsPage } from './limits-settings-page.ts';
import { policyRoutes, waitingPolicies } from './policy-routes.ts';
import { limitsPath, numberOf } from './settings-parts.ts';
import { settingsReplies } from './settings-replies.ts';

export function limitsSettingsRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { shown, saved } = settingsReplies(
    async (look, facts, context) =>
      limitsSettingsPage(look, { ...facts, policies: await waitingPolicies(deps, context) }),
    limitsPath,
  );
  const access = { may: 'limits' } as const;
  return [
    accountRoute({ method: 'GET', path: limitsPath, access, handle: shown }),
    accountRoute({
      method: 'POST',
      path: limitsPath,
      access,
      handle: (context) =>
        saved(context, async () => {
          const { merchant, signedIn, form, request } = context;
          const settings = readLimits(merchant, form);
          if (Object.keys(settings).length === 0) return 'saved';
          const by = { merchantId: merchant.id, personId: signedIn.person.id, address: request.address };
          const { isWaiting } = await requestPolicy(deps, by, { kind: 'settings', change: { settings } });
          return isWaiting ? 'waiting' : 'saved';
        }),
    }),
    ...policyRoutes(deps),
  ];
}

/** Only what is different: what waits for somebody else must say what it changes. */
function readLimits(merchant: Merchant, form: URLSearchParams): SettingsChange {
  const amounts = (Object.keys(limitFields) as (keyof typeof limitFields)[]).flatMap((setting) => {
    const typed = numberOf(form, limitFields[setting]);
    const value = typed === '' ? null : typed;
    return isSame(merchant[setting], value) ? [] : [[setting, value] as const];
  });
  const wait = numberOf(form, 'destination-wait');
  const destinationWaitMinutes = wait === '' ? Number.NaN : Number(wait);
  return {
    ...Object.fromEntries(amounts),
    ...(destinationWaitMinutes !== merchant.destinationWaitMinutes && { destinationWaitMinutes }),
  };
}

function isSame(before: string | null, after: string | null): boolean {
  if (before === null || after === null) return before === after;
  const [one, other] = [parseDecimal(before), parseDecimal(after)];
  return one !== undefined && other !== undefined && compare(one, other) === 0;
}
