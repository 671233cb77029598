/** What is credited, of which risk, and when less, late or little is enough. */
import type { CatalogAsset } from '../../catalog/asset-catalog.ts';
import { type Html, html } from '../../web/html.ts';
import { partOf } from '../developers/developer-parts.ts';
import type { AccountLook } from '../frame/account-look.ts';
import {
  choiceOf,
  formOf,
  type SettingsFacts,
  selectField,
  settingsPage,
  settlementPath,
  textField,
} from './settings-parts.ts';

export type SettlementFacts = SettingsFacts & {
  /** What can be chosen as the one asset that is credited. */
  readonly choices: readonly CatalogAsset[];
  readonly highRisk: readonly CatalogAsset[];
  /** Whether customers can pay by bank at all. */
  readonly hasBank: boolean;
};

export const settlementSettingsPage = (look: AccountLook, facts: SettlementFacts): Html => {
  const { say } = look;
  const { merchant, form, choices, highRisk, hasBank } = facts;
  const given = (name: string, stored: string): string => form?.get(name) ?? stored;
  const risk = given('risk', merchant.riskTolerance);
  const enabled = form ? form.getAll('high-risk') : merchant.highRiskAssets;
  const asset = given(
    'asset',
    choices.find(({ id, assetCode }) => [id, assetCode].includes(merchant.settlementAsset))?.id ??
      merchant.settlementAsset,
  );
  const assets: (readonly [string, string])[] = [
    ['ORIGIN', say('creditAsPaid')],
    ...choices.map(({ id, assetCode, name, issuerName }) => [id, `${assetCode} · ${name} (${issuerName})`] as const),
    ...(asset !== 'ORIGIN' && !choices.some(({ id }) => id === asset)
      ? [[asset, say('creditGone', { asset })] as const]
      : []),
  ];
  const isAtBooking = form ? form.has('rate-of-booking') : merchant.takesRateOfBooking;
  const bankRate = hasBank
    ? html`<fieldset class="rows"><legend>${say('rateOfBookingTitle')}</legend>${choiceOf('rate-of-booking', 'on', { kind: 'checkbox', isChecked: isAtBooking, title: say('rateOfBooking'), means: say('rateOfBookingMeans') })}</fieldset>`
    : isAtBooking && html`<input type="hidden" name="rate-of-booking" value="on">`;
  const percent = html`inputmode="decimal" maxlength="12" required`;
  const body = html`${partOf(
    'credit',
    say('creditTitle'),
    html`<div class="part-body">${selectField({ name: 'asset', label: say('creditAsset'), value: asset, help: say('creditAssetHelp') }, assets)}
<fieldset class="rows"><legend>${say('riskTitle')}</legend>${(['MEDIUM', 'LOW'] as const).map((level) => choiceOf('risk', level, { isChecked: risk === level, title: say(`risk_${level}`), means: say(`riskMeans_${level}`) }))}</fieldset>
${highRisk.length > 0 && html`<fieldset class="rows"><legend>${say('riskHigh')}</legend>${highRisk.map(({ assetCode, name, id }) => choiceOf('high-risk', assetCode, { kind: 'checkbox', isChecked: enabled.includes(assetCode) || enabled.includes(id), title: `${assetCode} · ${name}`, means: say('riskMeans_HIGH') }))}</fieldset>`}
${bankRate}</div>`,
  )}
${partOf(
  'tolerance',
  say('toleranceTitle'),
  html`<div class="part-body">${textField({ name: 'tolerance-percent', label: say('tolerancePercent'), value: given('tolerance-percent', merchant.tolerancePercent), unit: '%', help: say('tolerancePercentHelp'), attributes: percent })}
${textField({ name: 'tolerance-amount', label: say('toleranceAmount'), value: given('tolerance-amount', merchant.toleranceAbsolute), unit: merchant.accountCurrency, help: say('toleranceAmountHelp'), attributes: percent })}
${textField({ name: 'late-percent', label: say('latePercent'), value: given('late-percent', merchant.lateTolerancePercent), unit: '%', help: say('latePercentHelp'), attributes: percent })}
${textField({ name: 'accept-percent', label: say('acceptPercent'), value: given('accept-percent', merchant.underpaidAcceptPercent ?? ''), unit: '%', help: say('acceptPercentHelp'), attributes: html`inputmode="decimal" maxlength="12"` })}
${textField({ name: 'confirmations', label: say('extraConfirmations'), value: given('confirmations', String(merchant.extraConfirmations)), help: say('extraConfirmationsHelp'), attributes: html`type="number" min="0" max="100" required` })}</div>`,
)}`;
  return settingsPage(look, {
    name: 'menuSettlement',
    facts,
    main: formOf(look, settlementPath, body, say('settingsSave')),
  });
};
