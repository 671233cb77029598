/** Rates: what each currency is worth, from which sources, how old, and what is missing. */
import type { PageNews } from '../account/frame/account-layout.ts';
import { formatDecimal, roundTo } from '../money/decimal.ts';
import { type CombinedRate, isRate, type MissingRate } from '../pricing/combine-rates.ts';
import { type Html, html } from '../web/html.ts';
import { numberText } from '../web/number-text.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { emptyPart, houseAgo, part, stateMark, tableIn } from './operator-parts.ts';

export type ShownRate = { readonly code: string; readonly name: string; readonly rate: CombinedRate | MissingRate };
export type ShownSource = { readonly name: string; readonly prices: number; readonly newest: Date | null };

export type RatesFacts = {
  readonly sources: readonly ShownSource[];
  /** Of what merchants are credited in. */
  readonly coins: readonly ShownRate[];
  /** Of what prices are in. */
  readonly currencies: readonly ShownRate[];
  readonly news: PageNews;
};

export function ratesPage(look: OperatorLook, { sources, coins, currencies, news }: RatesFacts): Html {
  const missing = [...coins, ...currencies].filter(({ rate }) => !isRate(rate));
  return operatorPage(look, {
    title: 'Rates',
    lead:
      missing.length === 0
        ? 'Every currency has a rate.'
        : `Without a rate now: ${namesOf(missing)}. What needs one is not offered meanwhile.`,
    news,
    main: html`${part('sources', 'Sources', sourceTable(look, sources))}
${part('coins', 'Coins', rateTable(look, 'coins', coins))}
${part('currencies', 'Currencies', rateTable(look, 'currencies', currencies))}`,
  });
}

const namedMax = 12;
const namesOf = (rates: readonly ShownRate[]): string => {
  const names = rates.slice(0, namedMax).map(({ code }) => code);
  return `${names.join(', ')}${rates.length > namedMax ? ` and ${rates.length - namedMax} more` : ''}`;
};

function sourceTable(look: OperatorLook, sources: readonly ShownSource[]): Html {
  if (sources.length === 0) return emptyPart('No source of rates is set.');
  const rows = sources.map(
    ({ name, prices, newest }) =>
      html`<tr><th scope="row">${name}</th><td>${newest === null ? stateMark('decide', 'has not answered') : stateMark('paid', 'known')}</td><td class="n">${prices.toLocaleString('en')}</td><td class="n">${newest === null ? '–' : houseAgo(look, newest)}</td></tr>`,
  );
  return tableIn(
    'sources',
    html`<th scope="col">Source</th><th scope="col">State</th><th scope="col" class="n">Prices</th><th scope="col" class="n">Newest</th>`,
    rows,
  );
}

/** In dollars: enough decimals for the cheapest money of a state. */
const usdText = ({ usd }: CombinedRate): string => numberText('en', formatDecimal(roundTo(usd, 8, 'half-up')));

function rateTable(look: OperatorLook, id: string, rates: readonly ShownRate[]): Html {
  const rows = rates.map(({ code, name, rate }) =>
    isRate(rate)
      ? html`<tr><th scope="row" class="wrap">${code}<br><small class="quiet">${name}</small></th><td class="n">${usdText(rate)}</td><td class="desk">${rate.sources.join(', ') || '–'}</td><td class="n">${houseAgo(look, rate.at)}</td></tr>`
      : html`<tr><th scope="row" class="wrap">${code}<br><small class="quiet">${name}</small></th><td class="n">–</td><td class="wrap desk" colspan="2">${stateMark('decide', rate.missing)}</td></tr>`,
  );
  return tableIn(
    id,
    html`<th scope="col">Code</th><th scope="col" class="n">US dollars</th><th scope="col" class="desk">Sources</th><th scope="col" class="n">As of</th>`,
    rows,
  );
}
