/** Who the business is, and in which currency and time zone it counts. */
import { knownCurrencies } from '../catalog/known-currencies.ts';
import { postalAddressOf } from '../merchants/settings-record.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';
import { type Html, html } from '../web/html.ts';
import type { AccountLook } from './account-look.ts';
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
${selectField({ name: 'time-zone', label: say('businessZone'), value: given('time-zone', timeZoneOf(merchant.pageSettings)), help: say('businessZoneHelp') }, zones)}`;
  return settingsPage(look, {
    name: 'menuBusiness',
    facts,
    main: formOf(look, businessPath, body, say('settingsSave')),
  });
};

/** UTC is missing in the list that JavaScript has. */
export function timeZones(present: string): string[] {
  return [...new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')])];
}
