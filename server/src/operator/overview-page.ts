/** The first page: one sentence that says whether all is well, then the numbers behind it. */
import type { PageNews } from '../account/frame/account-layout.ts';
import { findAsset } from '../catalog/asset-catalog.ts';
import { waitingMax } from '../jobs/sample-queue.ts';
import { formatUnits } from '../money/amount.ts';
import { decimal, formatDecimal, formatFixed, isLess, roundTo, zero } from '../money/decimal.ts';
import { type Html, type HtmlValue, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { lineChart } from '../web/line-chart.ts';
import { coinDigits, numberText, priceHtml, priceText } from '../web/number-text.ts';
import { durationWords } from './duration-words.ts';
import { booksAgree, countedMax, type HouseDeps, type HouseFacts, houseZone, needsFor } from './house-facts.ts';
import { houseSentence } from './house-sentence.ts';
import { needItem } from './need-sentences.ts';
import { networkTable } from './networks-page.ts';
import { needsPath, operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { countText, emptyPart, linkTo, part, stateMark } from './operator-parts.ts';

const needsShown = 5;
const dollars = (value: HouseFacts['credited'], decimals = 2): string =>
  formatFixed(roundTo(value, decimals, 'down'), decimals);

export function overviewPage(deps: HouseDeps, look: OperatorLook, facts: HouseFacts, news: PageNews): Html {
  const { tone, text, others } = houseSentence(facts);
  return operatorPage(look, {
    title: 'Overview',
    heading: html`<h1 class="good ${tone}">${icon(tone)}<span>${text}</span></h1>`,
    lead: html`${others.map((other) => html`${other} `)}As of <time datetime="${facts.now.toISOString()}">${facts.now.toISOString().slice(11, 19)} ${houseZone}</time>.`,
    actions: html`<a class="btn" href="/operator" data-plain>${icon('refresh')}Look again</a>`,
    news: { ...news, announce: text },
    main: html`${stats(look, facts)}
${part('networks', 'Networks', networkTable(facts.networks, facts.now), linkTo(look, '/operator/networks', 'Details'))}
<div class="work part" id="house" data-parts><div id="house-work" data-parts>${queuePart(facts)}${needsPart(deps, look, facts)}</div>
<div class="rail" id="house-rail" data-parts>${booksPart(deps, look, facts)}${merchantsPart(look, facts)}</div></div>`,
  });
}

function stats(look: OperatorLook, { credited, isValued, open, queue, undelivered, now }: HouseFacts): Html {
  const stat = (path: string, label: string, amount: HtmlValue): Html =>
    linkTo(look, path, html`<span class="label">${label}</span><span class="amount">${amount}</span>`, 'stat');
  const [number = '', unit = ''] =
    queue.oldest === null ? ['–'] : durationWords(now.getTime() - queue.oldest.getTime()).split(' ');
  return html`<div class="stats" id="stats">${stat('/operator/merchants', isValued ? 'Credited today' : 'Credited today, in part', priceHtml('en', dollars(credited, 0), 'USD'))}${stat('/operator/merchants', 'Checkouts open', countText(open, countedMax))}${stat('/operator/jobs', 'Jobs waiting', countText(queue.waiting, waitingMax))}${stat('/operator/jobs', 'Oldest job', html`${number} <span class="unit">${unit}</span>`)}${stat('/operator/jobs', 'Undelivered webhooks', countText(undelivered, countedMax))}</div>`;
}

const hourText = (slot: Date): string => slot.toISOString().slice(11, 16);

function queuePart({ samples }: HouseFacts): Html {
  const known = samples.flatMap(({ slot, waiting }) => (waiting === null ? [] : [{ slot, waiting }]));
  const peak = known.reduce<{ slot: Date; waiting: number } | null>(
    (most, each) => (most === null || each.waiting > most.waiting ? each : most),
    null,
  );
  const points = samples.map(({ slot, waiting }) => ({
    value: waiting === null ? null : decimal(waiting),
    title: `${hourText(slot)}: ${waiting ?? 'nobody looked'}`,
  }));
  const labels = samples.filter((_, at) => at % 24 === 0).map(({ slot }) => hourText(slot));
  const hours = Array.from({ length: samples.length / 4 }, (_, at) => samples.slice(at * 4, at * 4 + 4)).toReversed();
  const rows = hours.map((slots) => {
    const counts = slots.flatMap(({ waiting }) => waiting ?? []);
    return html`<tr><th scope="row">${hourText(slots[0]?.slot ?? new Date(0))}</th><td class="n">${counts.length === 0 ? '–' : Math.max(...counts).toLocaleString('en')}</td></tr>`;
  });
  return part(
    'queue',
    'Jobs waiting, 24 hours',
    peak === null
      ? emptyPart('A worker looks once a minute; what it finds will be drawn here.')
      : html`${lineChart({ points, labels, scaleText: (value) => numberText('en', formatDecimal(value)) })}
<details class="numbers" id="queue-numbers"><summary>As a table</summary><table class="table"><thead><tr><th scope="col">Hour from, ${houseZone}</th><th scope="col" class="n">At most</th></tr></thead><tbody>${rows}</tbody></table></details>`,
    peak !== null &&
      html`<span class="more quiet">peak ${peak.waiting.toLocaleString('en')} at ${hourText(peak.slot)} ${houseZone}</span>`,
  );
}

function needsPart(deps: HouseDeps, look: OperatorLook, { needs }: HouseFacts): Html {
  const mine = needsFor(needs, look.staffMay);
  return part(
    'needs',
    'Needs you',
    mine.length === 0
      ? emptyPart('Nothing waits for you.')
      : html`<ul class="asks">${mine.slice(0, needsShown).map((need) => needItem(deps, look, need))}</ul>`,
    mine.length > 0 && linkTo(look, needsPath, `All ${mine.length}`),
  );
}

function booksPart({ assets }: HouseDeps, look: OperatorLook, { books }: HouseFacts): Html {
  const isCounted = books.reconciliations.length > 0;
  const state = !isCounted
    ? stateMark('none', 'not counted yet')
    : booksAgree(books)
      ? stateMark('paid', 'agree')
      : stateMark('fail', 'differ');
  const amount = ({ id, assetCode }: { id: string; assetCode: string }, units: bigint): string =>
    coinDigits('en', formatUnits(units, findAsset(assets, id)?.ledgerScale ?? 0), assetCode);
  const rows = books.coverage.map(
    ({ asset, heldUnits, owedUnits }) =>
      html`<li><span>${asset.assetCode}</span><span class="sum">${amount(asset, heldUnits)} <span class="quiet">held</span><small>${amount(asset, owedUnits)} owed</small></span></li>`,
  );
  return part(
    'books',
    'Books and networks',
    rows.length === 0 ? emptyPart('Nothing is owed to anybody.') : html`<ul class="line-list">${rows}</ul>`,
    html`<span class="more">${linkTo(look, '/operator/money', state)}</span>`,
  );
}

function merchantsPart(look: OperatorLook, { merchants }: HouseFacts): Html {
  const lines = merchants.shown.map(
    ({ id, name, credited }) =>
      html`<li><span>${linkTo(look, `/operator/merchants/${id}`, name, 'plain')}<br><small class="quiet">${isLess(zero, credited) ? 'today' : 'nothing today'}</small></span><span class="sum">${isLess(zero, credited) ? priceText('en', dollars(credited), 'USD') : '–'}</span></li>`,
  );
  return part(
    'merchants',
    'Merchants',
    lines.length === 0 ? emptyPart('There is no merchant yet.') : html`<ul class="line-list">${lines}</ul>`,
    merchants.count > 0 &&
      html`<span class="more">${linkTo(look, '/operator/merchants', `All ${merchants.count.toLocaleString('en')}`)}</span>`,
  );
}
