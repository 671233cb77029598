/** What is credited, risk and tolerances: for checkouts that are made from then on. */
import { demandFittingSettlement, settlementChoices } from '../../checkouts/settlement-choices.ts';
import { personActor } from '../../http/actor.ts';
import { changeSettings } from '../../merchants/change-settings.ts';
import type { SettingsChange } from '../../merchants/settings-problems.ts';
import type { ConvertibleDeps } from '../../venues/convertible.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { numberOf, settlementPath } from './settings-parts.ts';
import { settingsReplies } from './settings-replies.ts';
import { settlementSettingsPage } from './settlement-settings-page.ts';

export type SettlementPageDeps = AccountDeps & ConvertibleDeps;

export function settlementSettingsRoutes(deps: SettlementPageDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { shown, saved } = settingsReplies((look, facts) => {
    const choices = settlementChoices(deps, facts.merchant);
    const highRisk = deps.assets.assets.filter(({ riskLevel, isRetired }) => riskLevel === 'HIGH' && !isRetired);
    const hasBank = Array.from(deps.connectors.values()).some(({ network }) => network.takesOwnCurrencyOnly);
    return settlementSettingsPage(look, { ...facts, choices, highRisk, hasBank });
  }, settlementPath);
  const access = { may: 'settlement' } as const;
  return [
    accountRoute({ method: 'GET', path: settlementPath, access, handle: shown }),
    accountRoute({
      method: 'POST',
      path: settlementPath,
      access,
      handle: (context) =>
        saved(context, async () => {
          const { merchant, signedIn, form, db } = context;
          const actor = personActor(signedIn.person.id);
          const check = demandFittingSettlement(deps);
          await changeSettings({ ...deps, db }, merchant.id, readSettlement(form), actor, { check });
        }),
    }),
  ];
}

function readSettlement(form: URLSearchParams): SettingsChange {
  const acceptFrom = numberOf(form, 'accept-percent');
  return {
    settlementAsset: form.get('asset') ?? '',
    riskTolerance: (form.get('risk') ?? '') as 'LOW' | 'MEDIUM',
    highRiskAssets: form.getAll('high-risk'),
    tolerancePercent: numberOf(form, 'tolerance-percent'),
    toleranceAbsolute: numberOf(form, 'tolerance-amount'),
    lateTolerancePercent: numberOf(form, 'late-percent'),
    underpaidAcceptPercent: acceptFrom === '' ? null : acceptFrom,
    takesRateOfBooking: form.has('rate-of-booking'),
    extraConfirmations: numberOf(form, 'confirmations') === '' ? Number.NaN : Number(numberOf(form, 'confirmations')),
  };
}
