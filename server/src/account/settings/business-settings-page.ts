/** Who the business is, and in which currency and time zone it counts. */
import { knownCurrencies } from '../../catalog/known-currencies.ts';
import { countryCodes } from '../../lib/country-codes.ts';
import { type SellerData, sellerDataOf, untaxedKinds } from '../../merchants/seller-data.ts';
import { postalAddressOf } from '../../merchants/settings-record.ts';
import { timeZoneOf } from '../../merchants/time-zone.ts';
import { type Html, html } from '../../web/html.ts';
import { partOf } from '../developers/developer-parts.ts';
import type { AccountLook } from '../frame/account-look.ts';
import {
  businessPath,
  fieldOf,
  formOf,
  type SettingsFacts,
  selectField,
  settingsPage,
  textField,
} from './settings-parts.ts';

export const businessSettingsPage = (look: AccountLook, facts: SettingsFacts): Html => {
  const { say } = look;
  const { merchant, form } = facts;
  const given = (name: string, stored: string): string => form?.get(name) ?? stored;
  const currencies = knownCurrencies
    .filter(({ isBilled }) => isBilled)
    .map(({ code, name }) => [code, `${code} · ${name}`] as const);
  const zones = timeZones(timeZoneOf(merchant.pageSettings)).map((zone) => [zone, zone.replaceAll('_', ' ')] as const);
  const body = html`${textField({ name: 'name', label: say('businessName'), value: given('name', merchant.name), help: say('businessNameHelp'), attributes: html`required maxlength="100"` })}
${fieldOf('postal-address', say('businessAddress'), html`<textarea class="input" id="postal-address" name="postal-address" rows="4" maxlength="300" aria-describedby="postal-address-help">${given('postal-address', postalAddressOf(merchant) ?? '')}</textarea>`, say('businessAddressHelp'))}
${textField({ name: 'email', label: say('email'), value: given('email', merchant.email ?? ''), help: say('businessEmailHelp'), attributes: html`type="email" maxlength="254"` })}
${selectField({ name: 'currency', label: say('businessCurrency'), value: given('currency', merchant.accountCurrency), help: say('businessCurrencyHelp') }, currencies)}
${selectField({ name: 'time-zone', label: say('businessZone'), value: given('time-zone', timeZoneOf(merchant.pageSettings)), help: say('businessZoneHelp') }, zones)}
${partOf('seller', say('sellerTitle'), sellerPart(look, facts))}`;
  return settingsPage(look, {
    name: 'menuBusiness',
    facts,
    main: formOf(look, businessPath, body, say('settingsSave')),
  });
};

/** What an electronic invoice must have in parts. */
function sellerPart({ say, language }: AccountLook, { merchant, form }: SettingsFacts): Html {
  const stored = sellerDataOf(merchant);
  const facts = (name: keyof SellerData, label: string, help?: string) => ({
    name,
    label,
    value: form?.get(name) ?? stored[name] ?? '',
    ...(help !== undefined && { help }),
  });
  const text = (...given: Parameters<typeof facts>): Html =>
    textField({ ...facts(...given), attributes: html`maxlength="100"` });
  const notSaid = ['', say('sellerNotSaid')] as const;
  const kinds = untaxedKinds.map((kind) => [kind, say(`untaxed_${kind}`)] as const);
  return html`<div class="part-body"><p class="quiet">${say('sellerText')}</p>
${text('street', say('sellerStreet'))}
${text('postcode', say('sellerPostcode'))}
${text('city', say('sellerCity'))}
${selectField(facts('country', say('sellerCountry')), [notSaid, ...countriesIn(language)])}
${text('vatId', say('sellerVatId'), say('sellerVatIdHelp'))}
${text('taxNumber', say('sellerTaxNumber'), say('sellerTaxNumberHelp'))}
${selectField(facts('untaxedAs', say('untaxedTitle'), say('untaxedHelp')), [notSaid, ...kinds])}
${text('exemptBecause', say('exemptBecause'), say('exemptBecauseHelp'))}</div>`;
}

/** By their names. */
function countriesIn(language: string): (readonly [code: string, name: string])[] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  return countryCodes()
    .map((code) => [code, names.of(code) ?? code] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, language));
}

/** UTC is missing in the list that JavaScript has. */
export function timeZones(present: string): string[] {
  return [...new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')])];
}
