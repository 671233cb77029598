/** The set-up as one walk: all steps with where one is, and the first of them, which has a page of its own. */
import type { CatalogAsset } from '../../catalog/asset-catalog.ts';
import { knownCurrencies } from '../../catalog/known-currencies.ts';
import { timeZoneOf } from '../../merchants/time-zone.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { sendBackPath } from '../checkouts/one-checkout-page.ts';
import { accountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { timeZones } from '../settings/business-settings-page.ts';
import { formOf, type SettingsFacts, selectField, textField } from '../settings/settings-parts.ts';
import { accountField } from '../sign-in/sign-in-parts.ts';
import { type SetUp, type SetUpStep, setUpPath, setUpPlaces } from './set-up-steps.ts';

/** `firstPayment`: the own one that has arrived and may go back; null: there is none. */
export function setUpPage(look: AccountLook, setUp: SetUp | null, firstPayment: string | null): Html {
  const { say } = look;
  const first = setUp?.left[0];
  return accountPage(look, {
    title: say('setUp'),
    main:
      setUp === null || first === undefined
        ? html`<p class="notice paid" role="status">${icon('check')}<span>${say('setUpAllDone')}</span></p><p class="part"><a class="btn primary" href="/account">${say('setUpHome')}</a></p>`
        : html`<p class="lead">${say('setUpLead')}</p>
<ol class="line-list part walk-steps">${setUp.steps.map((step) => stepItem(look, step, { isDone: !setUp.left.includes(step), isNext: step === first, back: step === 'payment' ? firstPayment : null }))}</ol>
<form class="part" method="post" action="${setUpPath}/leave">${accountField(look)}<button class="btn quiet">${say('setUpLater')}</button></form>`,
  });
}

function stepItem(
  { say }: AccountLook,
  step: SetUpStep,
  { isDone, isNext, back }: { readonly isDone: boolean; readonly isNext: boolean; readonly back: string | null },
): Html {
  const { path } = setUpPlaces[step];
  const mark = isDone
    ? html`<span class="state paid">${icon('paid')}<span class="unseen">${say('setUpStepDone')}</span></span>`
    : html`<span class="state">${icon('none')}</span>`;
  return html`<li${isNext && html` aria-current="step"`}>${mark}<span><b>${say(`setUpTitle_${step}`)}</b><br><small>${say(`setUpMeans_${step}`)}</small></span>${!isDone && html`<span class="sum"><a class="btn${isNext && ' primary'}" href="${path}" aria-label="${say('setUpDo')}: ${say(`setUpTitle_${step}`)}">${say('setUpDo')}</a></span>`}${isDone && back !== null && html`<span class="sum"><a class="btn" href="${sendBackPath(back)}">${say('choice_refund')}</a></span>`}</li>`;
}

/** Who it is, in what it counts, and what it is credited in: what every number of the account depends on. */
export function setUpBusinessPage(
  look: AccountLook,
  { merchant, form, error }: SettingsFacts,
  choices: readonly CatalogAsset[],
): Html {
  const { say } = look;
  const given = (name: string, stored: string): string => form?.get(name) ?? stored;
  const currencies = knownCurrencies
    .filter(({ isBilled }) => isBilled)
    .map(({ code, name }) => [code, `${code} · ${name}`] as const);
  const zones = timeZones(timeZoneOf(merchant.pageSettings)).map((zone) => [zone, zone.replaceAll('_', ' ')] as const);
  // Nobody has chosen one yet: the script proposes that of the browser.
  const isOpen = form === null && merchant.pageSettings['timeZone'] === undefined;
  const stored = merchant.settlementAsset;
  const asset = choices.find(({ id, assetCode }) => [id, assetCode].includes(stored))?.id ?? stored;
  const assets = [
    ['ORIGIN', say('creditAsPaid')] as const,
    ...choices.map(({ id, assetCode, name }) => [id, `${assetCode} · ${name}`] as const),
    // What nobody can choose any more stays until somebody chooses something else.
    ...(asset !== 'ORIGIN' && !choices.some(({ id }) => id === asset)
      ? [[asset, say('creditGone', { asset })] as const]
      : []),
  ];
  return accountPage(look, {
    title: say('setUpTitle_business'),
    main: html`${problemNotice(look, error)}<p class="lead">${say('setUpMeans_business')}</p>
${formOf(
  look,
  setUpPlaces.business.path,
  html`${textField({ name: 'name', label: say('businessName'), value: given('name', merchant.name), help: say('businessNameHelp'), attributes: html`required maxlength="100"` })}
${selectField({ name: 'currency', label: say('businessCurrency'), value: given('currency', merchant.accountCurrency) }, currencies)}
${selectField({ name: 'time-zone', label: say('businessZone'), value: given('time-zone', timeZoneOf(merchant.pageSettings)), help: say('businessZoneHelp'), ...(isOpen && { attributes: html`data-own-zone` }) }, zones)}
${selectField({ name: 'asset', label: say('creditAsset'), value: given('asset', asset), help: say('creditAssetHelp') }, assets)}`,
  say('setUpGoOn'),
)}`,
  });
}
