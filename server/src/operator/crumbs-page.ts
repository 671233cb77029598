/** What matched nobody and is too small to be read one by one: told in one line, and listed for who looks for one of them. */
import { pagerOf } from '../account/developers/developer-parts.ts';
import { textField } from '../account/settings/settings-parts.ts';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import { rescale } from '../money/amount.ts';
import type { Connector } from '../networks/port/connector.ts';
import { carriedAsset } from '../networks/port/definition.ts';
import { type CrumbAdoption, crumbsTakenMost, type FreeCrumbs } from '../watching/crumb-adoption-store.ts';
import type { CrumbRail, CrumbSum } from '../watching/unmatched-crumb-store.ts';
import type { UnmatchedPayment } from '../watching/unmatched-store.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { emptyPart, houseMoment, part, tableIn, unitsOf } from './operator-parts.ts';
import { signedForm, staffForm } from './staff-form.ts';

const suspense = '/operator/suspense';
export const crumbsPath = `${suspense}/crumbs`;

type WordDeps = { readonly assets: AssetCatalog; readonly connectors: ReadonlyMap<string, Connector> };

const networkName = (id: string): string => findNetwork(id)?.name ?? id;
export const crumbsOf = ({ network, asset }: CrumbRail): string =>
  `${crumbsPath}?${new URLSearchParams({ network, asset }).toString()}`;

/** Below which amount nobody reads them, in words; of a network that is not configured any more nobody knows. */
function limitWords({ assets, connectors }: WordDeps, { network, asset: id }: CrumbRail): string {
  const definition = connectors.get(network)?.network;
  const asset = findAsset(assets, id);
  const carried = definition && asset && carriedAsset(definition, asset.assetCode);
  if (!asset || !carried) return '';
  const { scale, minimumUnits, unmatchedMinimumUnits = minimumUnits } = carried;
  return `below ${unitsOf(assets, { asset: id, units: rescale(unmatchedMinimumUnits, scale, asset.ledgerScale, 'up') })}`;
}

const sumWords = (deps: WordDeps, sum: CrumbSum): string => {
  const limit = limitWords(deps, sum);
  const each = limit === '' ? '' : `, each ${limit}`;
  return `${sum.count.toLocaleString('en')} by ${networkName(sum.network)}${each}: ${unitsOf(deps.assets, sum)} in all`;
};

export const crumbsPart = (deps: WordDeps, sums: readonly CrumbSum[]): Html =>
  part(
    'crumbs',
    'Too small to read one by one',
    html`<ul>${sums.map((sum) => html`<li><a href="${crumbsOf(sum)}">${sumWords(deps, sum)}</a></li>`)}</ul>`,
  );

/** `isOwn`: whoever looks asked for it. */
export type WaitingCrumbsFacts = CrumbAdoption & { readonly asker: Html; readonly isOwn: boolean };

/** Orders to take them as our own that wait for a second signature. */
export const waitingCrumbsPart = (
  { assets }: WordDeps,
  look: OperatorLook,
  orders: readonly WaitingCrumbsFacts[],
): Html | false =>
  orders.length > 0 &&
  html`<ul class="asks">${orders.map(({ id, network, asset, count, units, reason, asker, isOwn, requestedAt }) => {
    const path = `${crumbsPath}/adoptions/${id}`;
    return html`<li class="decide" id="s-${id}">${icon('decide')}<div><b>Take ${count.toLocaleString('en')} small payments by ${networkName(network)} as our own, ${unitsOf(assets, { asset, units })} in all</b><p class="breaks">${reason}</p><p class="small quiet">Asked for by ${asker} · ${houseMoment(requestedAt)}${isOwn && ' · somebody else approves it'}</p></div>${look.staffMay('suspense') && html`<div class="bar">${!isOwn && signedForm(look, { action: `${path}/approve`, button: 'Approve', kind: 'primary', isSmall: true })}${staffForm(look, { action: `${path}/refuse`, button: isOwn ? 'Take back' : 'Refuse', isSmall: true })}</div>`}</li>`;
  })}</ul>`;

function takePart(deps: WordDeps, look: OperatorLook, { sum, free, areTwoNeeded, reason }: CrumbFacts): Html | false {
  if (free.count === 0 || !look.staffMay('suspense')) return false;
  const upTo = free.ids.at(-1) ?? '';
  const { network, asset } = sum;
  const hidden = { network, asset, upTo, count: free.count, units: String(free.units) };
  const which = free.count === crumbsTakenMost ? 'The oldest' : 'All that wait';
  return part(
    'own',
    'They are our own',
    signedForm(look, {
      action: `${crumbsPath}/own`,
      button: areTwoNeeded ? 'Sign and ask to take them as our own' : 'Take them as our own',
      kind: 'danger',
      body: html`<p class="help">${which}: ${free.count.toLocaleString('en')}, ${unitsOf(deps.assets, { asset, units: free.units })}. They cannot be assigned or sent back afterwards.</p>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${textField({ name: 'reason', label: 'Why they are ours', value: reason, help: 'Such as: cents that strangers sent, and nobody has asked for since.', attributes: html`required maxlength="200"` })}`,
    }),
  );
}

export type CrumbFacts = {
  readonly sum: CrumbSum;
  /** What can be taken as the operator's own at once. */
  readonly free: FreeCrumbs;
  readonly waiting: WaitingCrumbsFacts | null;
  readonly areTwoNeeded: boolean;
  /** As it was typed. */
  readonly reason: string;
  readonly refusal: Html | false;
  readonly payments: readonly UnmatchedPayment[];
  readonly wanted: string;
  readonly next: string | null;
  readonly isFirst: boolean;
};

export function crumbsPage(deps: WordDeps, look: OperatorLook, facts: CrumbFacts): Html {
  const { sum, payments, waiting, wanted, next, isFirst } = facts;
  const rows = payments.map((payment) => {
    const { id, memo, sender, seenAt } = payment;
    return html`<tr><th scope="row" class="wrap"><a href="${suspense}/${id}">${unitsOf(deps.assets, payment)}</a><span class="sub breaks">${memo ?? 'no memo'}</span></th><td class="desk wrap breaks mono small">${sender ?? 'unknown'}</td><td class="n desk">${houseMoment(seenAt)}</td></tr>`;
  });
  const head = html`<th scope="col">Payment</th><th scope="col" class="desk">From</th><th scope="col" class="n desk">Seen</th>`;
  const none = wanted === '' ? 'None waits.' : 'None of them says that.';
  const { network, asset } = sum;
  return operatorPage(look, {
    title: `Small payments by ${networkName(network)}`,
    crumb: html`<a href="${suspense}">Suspense</a>`,
    lead: `They named no checkout: ${sumWords(deps, sum)}. Anybody can send any number of them, so nobody has to read them. Whoever asks for one of theirs is found here.`,
    main: html`${facts.refusal}${waiting !== null && waitingCrumbsPart(deps, look, [waiting])}
<form class="filters low" method="get" action="${crumbsPath}" role="search"><input type="hidden" name="network" value="${network}"><input type="hidden" name="asset" value="${asset}">${textField({ name: 'q', label: 'A part of who sent it, or of its text', value: wanted, attributes: html`type="search" maxlength="100"` })}<button class="btn">${icon('search')}Find</button></form>
${part('payments', 'The newest first', rows.length === 0 ? emptyPart(none) : tableIn('payments', head, rows))}
${pagerOf(look, crumbsPath, { next, isFirst, rest: new URLSearchParams({ network, asset, q: wanted }).toString() })}
${waiting === null && takePart(deps, look, facts)}`,
  });
}
