/** How to pay: one row per coin, and in it the networks that carry the coin. With a single way there is no choice. */
import { paymentUnits } from '../catalog/payment-units.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { coinText, listed } from '../web/number-text.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { PublicCheckout } from './public-checkout.ts';
import type { PublicCoin, PublicWay } from './public-coins.ts';
import { hasPart } from './state-view.ts';
import { costText, timeText, wayName, wayTitle } from './way-text.ts';

export function methodChoice(look: PageLook, checkout: PublicCheckout): Html {
  const { say, language } = look;
  const { coins, pay, sums } = checkout;
  const isRest = hasPart(checkout) && sums.missingPrice !== null;
  const action = `/${language}/checkout/${checkout.id}/commit`;
  const [first] = coins;
  const [only, ...others] = coins.flatMap(({ ways }) => ways);
  if (!first || !only)
    return html`<p class="notice decide" id="choose" role="alert">${icon('alert')}<span>${say('noMethod')}</span></p>`;
  // A button, which the script presses: a mail program that only opens links must not start the clock.
  if (others.length === 0)
    return html`<section id="choose"><form method="post" action="${action}"${checkout.state === 'CREATED' && html` data-submit`}>
<input type="hidden" name="method" value="${only.value}">
<button class="btn primary big wide">${payWords(look, first)}</button></form></section>`;

  const current = pay && `${pay.network} ${pay.assetId}`;
  const chosen = coins.find(({ ways }) => ways.some(({ value }) => value === current)) ?? first;
  return html`<section id="choose"><h2 id="how">${say(isRest ? 'chooseRest' : 'chooseMethod')}</h2>
<form method="post" action="${action}">
<fieldset class="coins" aria-labelledby="how">
${coins.map((coin) => coinRow(look, coin, coin === chosen, current))}
</fieldset>
<div class="dock"><button class="btn primary big wide"><span class="any">${say('continue')}</span>${coins.map((coin) => html`<span class="which">${payWords(look, coin)}</span>`)}</button></div></form></section>`;
}

/** Where a coin can travel on several networks, the button names the chosen one: the stylesheet shows its words. */
function payWords({ say, language }: PageLook, { name, ways, offeredAs }: PublicCoin): Html | string {
  const asset = wayName(language, name);
  if (ways.length === 1) return offeredAs ? offeredAs.button[language] : say('payWith', { asset });
  return html`${ways.map(({ name }) => html`<span>${say('payWithBy', { asset, way: wayName(language, name) })}</span>`)}`;
}

function coinRow(
  look: PageLook,
  { key, name: coinName, imageSrc, ways }: PublicCoin,
  isChosen: boolean,
  current: string | null,
): Html {
  const { say, language } = look;
  const way = ways.find(({ value }) => value === current) ?? ways[0];
  if (!way) return html``;
  const name = wayTitle(language, coinName);
  const isChoice = ways.length > 1;
  const said = isChoice
    ? ways.map((each, at) => (at === 0 ? wayTitle : wayName)(language, each.name))
    : facts(look, way, name);
  return html`<div class="coin-row"><label><img class="coin" src="${imageSrc}" alt="" width="36" height="36"><span><input type="radio" name="coin" value="${key}" required${isChosen && html` checked`}><b>${name}</b><span class="small">${listed(language, said)}</span></span>
${sums(look, ways, way)}</label>
${
  isChoice
    ? html`<div class="nets" role="radiogroup" aria-label="${say('waysOf', { coin: name })}">${ways.map((each) => wayOption(look, key, each, each === way))}${unitsIn(ways).map(({ meaning }) => html`<p class="small quiet">${meaning[language]}</p>`)}</div>`
    : html`<input type="hidden" name="way-${key}" value="${way.value}">`
}</div>`;
}

/** What few people know, each once. */
const unitsIn = (ways: readonly PublicWay[]) =>
  [...new Set(ways.map(({ assetCode }) => paymentUnits.get(assetCode)))].filter((unit) => unit !== undefined);

/** How much is to be paid. If the ways differ, all amounts are there, and the stylesheet shows the chosen one. */
function sums({ language }: PageLook, ways: readonly PublicWay[], chosen: PublicWay): Html | false {
  const textOf = ({ amount, assetCode }: PublicWay): string =>
    amount === null ? '' : coinText(language, amount, assetCode);
  if (chosen.amount === null) return false;
  const isSame = ways.every((way) => textOf(way) === textOf(chosen));
  return html`<span class="sum">${(isSame ? [chosen] : ways).map((way) => html`<span>${textOf(way)}</span>`)}</span>`;
}

/** The network is not named if it has the same name as the coin. */
function facts(look: PageLook, way: PublicWay, coinName: string): string[] {
  const [title, time] = [wayTitle(look.language, way.name), timeText(look, way)];
  return [
    ...(title === coinName ? [] : [title]),
    ...(time === null ? [] : [title === coinName && way.takes ? wayTitle(look.language, time) : time]),
    ...(way.cost ? [costText(look, way.cost)] : []),
  ];
}

function wayOption(look: PageLook, key: string, way: PublicWay, isChosen: boolean): Html {
  const { name, value, cost, isBest } = way;
  const time = timeText(look, way);
  return html`<label><input type="radio" name="way-${key}" value="${value}"${isChosen && html` checked`}><span>${wayTitle(look.language, name)} ${time !== null && html`<span class="small">${time}</span>`}</span><span class="cost">${cost && costText(look, cost)}${isBest && html`<span class="small best">${look.say('bestWay')}</span>`}</span></label>`;
}

/** Reads what the form sends: one field, or two from a page of an earlier release. */
export function readMethod(form: URLSearchParams): { network: string; asset: string | undefined } {
  const chosen = form.get('method') ?? form.get(`way-${form.get('coin') ?? ''}`) ?? '';
  const [network, asset] = chosen.split(' ');
  return { network: network || (form.get('network') ?? ''), asset: asset ?? form.get('asset') ?? undefined };
}
