/** Rate, fee and validity: there for those who ask, out of the way of all others. */
import { type Html, html } from '../web/html.ts';
import type { PageLook } from '../web/page-layout.ts';
import { dateTag, priceText } from './number-text.ts';
import type { PayInstructions } from './public-checkout.ts';

export function rateDetails({ say, language }: PageLook, { rate, payUntil }: PayInstructions): Html {
  return html`<details class="card" id="rates"><summary>${say('details')}</summary><dl class="facts">
${
  rate &&
  html`<div><dt>${say('rate')}</dt><dd>1 ${rate.code} = ${priceText(language, rate.price, rate.currency)}</dd></div>
<div><dt>${say('rateSources')}</dt><dd>${new Intl.ListFormat(language).format(rate.sources)}</dd></div>
${
  rate.conversionPercent !== null &&
  html`<div><dt>${say('conversion')}</dt><dd>${priceText(language, rate.conversionPercent, '%')}</dd></div>`
}`
}
<div><dt>${say('fee')}</dt><dd>${say('feeNone')}</dd></div>
<div><dt>${say('quoteValid')}</dt><dd>${dateTag(language, payUntil)}</dd></div>
</dl></details>`;
}
