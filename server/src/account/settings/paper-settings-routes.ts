/** How the numbers of papers begin. */
import { personActor } from '../../http/actor.ts';
import { changeSettings } from '../../merchants/change-settings.ts';
import { paperPrefix, paperPrefixNames, prefixMax } from '../../merchants/paper-prefix.ts';
import { lastPaperNumbers } from '../../papers/paper-list-store.ts';
import { seriesOf } from '../../papers/paper-series.ts';
import { type Html, html } from '../../web/html.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { formOf, type SettingsFacts, settingsPage, textField } from './settings-parts.ts';
import { settingsReplies } from './settings-replies.ts';

export const paperNumbersPath = '/account/settings/papers';

const kinds = ['invoice', 'receipt', 'creditNote'] as const;

const paperSettingsPage = (look: AccountLook, facts: SettingsFacts, lastNumbers: ReadonlyMap<string, bigint>): Html => {
  const { say, now } = look;
  const { merchant, form } = facts;
  const body = kinds.map((kind) => {
    const series = seriesOf(merchant, kind, now);
    const last = lastNumbers.get(series) ?? 0n;
    const example = `${series}${String(last + 1n).padStart(5, '0')}`;
    return textField({
      name: kind,
      label: say(`paperTab_${kind}`),
      value: form?.get(kind) ?? paperPrefix(merchant, kind),
      help: say(last === 0n ? 'paperPrefixHelp' : 'paperPrefixNext', { year: '{year}', example }),
      attributes: html`required maxlength="${prefixMax}" spellcheck="false" dir="ltr"`,
    });
  });
  return settingsPage(look, {
    name: 'menuPaperNumbers',
    facts,
    main: html`<p class="lead">${say('paperPrefixMeans')}</p>${formOf(look, paperNumbersPath, body, say('settingsSave'))}`,
  });
};

export function paperSettingsRoutes(deps: AccountDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { shown, saved } = settingsReplies(async (look, facts) => {
    const series = kinds.map((kind) => seriesOf(facts.merchant, kind, look.now));
    return paperSettingsPage(look, facts, await lastPaperNumbers(deps.db, facts.merchant.id, series));
  }, paperNumbersPath);
  const access = { may: 'business' } as const;
  return [
    accountRoute({ method: 'GET', path: paperNumbersPath, access, handle: shown }),
    accountRoute({
      method: 'POST',
      path: paperNumbersPath,
      access,
      handle: (context) =>
        saved(context, async () => {
          const { merchant, signedIn, form, db } = context;
          const pageSettings = Object.fromEntries(
            kinds.map((kind) => [paperPrefixNames[kind], (form.get(kind) ?? '').trim()]),
          );
          await changeSettings({ ...deps, db }, merchant.id, { pageSettings }, personActor(signedIn.person.id));
        }),
    }),
  ];
}
