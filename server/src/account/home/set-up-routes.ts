/** The set-up, one step after another. Who walks has a cookie, by which every page offers the next step. */
import { findCurrency } from '../../catalog/currency-catalog.ts';
import { demandFittingSettlement, settlementChoices } from '../../checkouts/settlement-choices.ts';
import { personActor } from '../../http/actor.ts';
import { GatewayError, invalidRequest } from '../../lib/errors.ts';
import { changeSettings } from '../../merchants/change-settings.ts';
import { readTimeZone } from '../../merchants/time-zone.ts';
import { setUpCookie } from '../frame/account-cookies.ts';
import { accountReply } from '../frame/account-layout.ts';
import { redirect } from '../frame/account-request.ts';
import { type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import type { SettlementPageDeps } from '../settings/settlement-settings-routes.ts';
import { findFirstPayment, findSetUp } from './set-up-facts.ts';
import { setUpBusinessPage, setUpPage } from './set-up-page.ts';
import { setUpPath, setUpPlaces, setUpSteps, stepAfter } from './set-up-steps.ts';

const walking = { 'set-cookie': `${setUpCookie}=on; Path=/account; HttpOnly; SameSite=Lax` };
const notWalking = { 'set-cookie': `${setUpCookie}=; Path=/account; Max-Age=0; HttpOnly; SameSite=Lax` };

export function setUpRoutes(deps: SettlementPageDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const access = { may: 'seeCheckouts' } as const;
  return [
    accountRoute({
      method: 'GET',
      path: setUpPath,
      access,
      async handle({ look, merchant }) {
        const setUp = await findSetUp(deps, look, merchant);
        const first = setUp && (await findFirstPayment(deps, look, merchant.id));
        return accountReply(200, look, setUpPage(look, setUp, first), setUp === null ? notWalking : walking);
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${setUpPath}/after/:step`,
      access,
      async handle({ look, merchant, request }) {
        const setUp = await findSetUp(deps, look, merchant);
        const done = setUpSteps.find((each) => each === request.params['step']);
        const next = setUp && done && stepAfter(setUp.left, done);
        return redirect(next ? setUpPlaces[next].path : setUpPath, walking);
      },
    }),
    accountRoute({
      method: 'POST',
      path: `${setUpPath}/leave`,
      access,
      handle: () => redirect('/account', notWalking),
    }),
    accountRoute({
      method: 'GET',
      path: setUpPlaces.business.path,
      access: { may: 'business' },
      handle: ({ look, merchant }) => {
        const facts = { merchant, outcome: null, error: null, form: null };
        return accountReply(200, look, setUpBusinessPage(look, facts, settlementChoices(deps, merchant)));
      },
    }),
    accountRoute({
      method: 'POST',
      path: setUpPlaces.business.path,
      access: { may: 'business' },
      async handle({ look, merchant, signedIn, form, db }) {
        const text = (name: string): string => (form.get(name) ?? '').trim();
        try {
          const accountCurrency = text('currency');
          if (findCurrency(accountCurrency) === undefined)
            throw invalidRequest('The account currency must be a currency code such as EUR.');
          const change = {
            name: text('name'),
            accountCurrency,
            pageSettings: { timeZone: readTimeZone(text('time-zone')) },
            settlementAsset: text('asset'),
          };
          const check = demandFittingSettlement(deps);
          await changeSettings({ ...deps, db }, merchant.id, change, personActor(signedIn.person.id), { check });
          return redirect(`${setUpPath}/after/business`);
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          const facts = { merchant, outcome: null, error, form };
          const page = setUpBusinessPage(look, facts, settlementChoices(deps, merchant));
          return accountReply(error.httpStatus, look, page);
        }
      },
    }),
  ];
}
