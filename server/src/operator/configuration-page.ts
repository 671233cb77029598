/** Configuration: every setting with its meaning and value. Changed in the environment only, so there is nothing to press. */
import { type Html, html } from '../web/html.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { part, tableIn } from './operator-parts.ts';

export type ShownSetting = {
  readonly name: string;
  readonly meaning: string;
  readonly fallback: string;
  readonly isSet: boolean;
  /** Null: it is a secret, or not set. */
  readonly value: string | null;
};

export function configurationPage(look: OperatorLook, settings: readonly ShownSetting[]): Html {
  const own = settings.filter(({ isSet }) => isSet);
  const others = settings.filter(({ isSet }) => !isSet);
  return operatorPage(look, {
    title: 'Configuration',
    lead: 'As this process was started with it. Change it in the environment of the processes, and start them again; of secrets is shown only that they are set.',
    main: html`${part('set', 'Set in the environment', settingTable('set', own), html`<span class="more quiet">${own.length}</span>`)}
${part('usual', 'Not set', settingTable('usual', others), html`<span class="more quiet">${others.length}</span>`)}`,
  });
}

const settingTable = (id: string, settings: readonly ShownSetting[]): Html =>
  tableIn(
    id,
    html`<th scope="col">Setting</th><th scope="col">Value</th><th scope="col" class="desk roomy">Meaning</th>`,
    settings.map(
      ({ name, meaning, fallback, isSet, value }) =>
        html`<tr><th scope="row" class="wrap"><span class="mono nowrap setting">${name}</span><span class="sub cramped">${meaning}</span></th><td class="wrap breaks">${isSet ? (value === null ? html`<span class="quiet">set</span>` : html`<span class="mono">${value}</span>`) : fallback === '' ? html`<span class="quiet">none</span>` : html`<span class="quiet">${fallback}</span>`}</td><td class="wrap desk roomy">${meaning}</td></tr>`,
    ),
  );
