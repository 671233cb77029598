/** Networks: whether each answers, how far it was read, and what is going on there. */
import type { PageNews } from '../account/frame/account-layout.ts';
import { type Html, type HtmlValue, html } from '../web/html.ts';
import { coinText } from '../web/number-text.ts';
import { durationWords } from './duration-words.ts';
import { countedMax, type HouseNetwork } from './house-facts.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { countText, houseAgo, houseMoment, part, stateMark, tableIn } from './operator-parts.ts';

export const networkTable = (networks: readonly HouseNetwork[], now: Date): Html => {
  const rows = networks.map((network) => {
    const { name, imageSrc, status, awaited, confirming, sending } = network;
    return html`<tr><th scope="row"><span class="with-coin"><img class="coin small" src="${imageSrc}" alt="" width="18" height="18">${name}</span></th><td>${networkState(network, now)}</td><td class="n desk">${status?.tipHeight?.toLocaleString('en') ?? '–'}</td><td class="n">${status?.blocksBehind.toLocaleString('en') ?? '–'}</td><td class="n desk">${countText(awaited, countedMax)}</td><td class="n desk">${countText(confirming, countedMax)}</td><td class="n desk">${countText(sending, countedMax)}</td><td class="n desk quiet">${feeText(network)}</td></tr>`;
  });
  const head = html`<th scope="col">Network</th><th scope="col">State</th><th scope="col" class="n desk">Height</th><th scope="col" class="n">Behind</th><th scope="col" class="n desk">Awaited</th><th scope="col" class="n desk">Confirming</th><th scope="col" class="n desk">Sending</th><th scope="col" class="n desk">Fee now</th>`;
  return tableIn('networks', head, rows);
};

function networkState({ isUp, status }: HouseNetwork, now: Date): Html {
  if (isUp) return (status?.blocksBehind ?? 0) > 0 ? stateMark('wait', 'reading') : stateMark('paid', 'well');
  const since = status?.failingSince ?? status?.observedAt;
  return stateMark('decide', since ? `silent for ${durationWords(now.getTime() - since.getTime())}` : 'never answered');
}

const feeText = ({ fee }: HouseNetwork): string => (fee === null ? '–' : coinText('en', fee.amount, fee.code));

export const networksPage = (
  look: OperatorLook,
  facts: { readonly networks: readonly HouseNetwork[]; readonly now: Date; readonly news: PageNews },
): Html =>
  operatorPage(look, {
    title: 'Networks',
    lead: 'What is awaited, confirming and on its way out is of all merchants together. Which networks there are is set in the environment.',
    news: facts.news,
    main: html`${part('networks', 'All networks', networkTable(facts.networks, facts.now))}
${facts.networks.map((network) => nodePart(look, network))}`,
  });

/** What its node says about itself. */
function nodePart(look: OperatorLook, { id, name, status }: HouseNetwork): Html {
  const limits = (of: Readonly<Record<string, string>> = {}): string => Object.keys(of).join(', ');
  const rows: (readonly [string, HtmlValue])[] = [
    ['Last answer', status?.observedAt ? houseAgo(look, status.observedAt) : 'never'],
    ...(status?.failingSince ? [['Silent since', houseMoment(status.failingSince)] as const] : []),
    ...(status?.lastError ? [['Last error', status.lastError] as const] : []),
    ...(status?.facts.nodeId ? [['Node', html`<span class="mono">${status.facts.nodeId}</span>`] as const] : []),
    ...(status?.facts.nodeName ? [['Name of the node', status.facts.nodeName] as const] : []),
    ...(status?.facts.receivable ? [['Limited in what can come in', limits(status.facts.receivable)] as const] : []),
    ...(status?.facts.sendable ? [['Limited in what can go out', limits(status.facts.sendable)] as const] : []),
  ];
  return part(
    `network-${id}`,
    name,
    html`<dl class="kv part-body">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`,
  );
}
