/** Rate, fee and validity, folded away: only some customers want to know them. A bank takes its own currency: there is no rate. */
import { html } from '../web/html.ts';
import { dateTag, percentText, rateText } from '../web/number-text.ts';
import type { PageLook } from '../web/page-layout.ts';
import { type Fold, fold } from './help-folds.ts';
import type { PayInstructions } from './public-checkout.ts';

export function rateFold({ say, language }: PageLook, { rate, payUntil, offeredAs }: PayInstructions): Fold {
  const facts = html`<dl class="kv">
${
  rate &&
  html`<div><dt>${say('rate')}</dt><dd>${rateText(language, rate)}</dd></div>
<div><dt>${say('rateSources')}</dt><dd>${new Intl.ListFormat(language).format(rate.sources.map((source) => (source === 'fixed' ? say('rateFixed') : source)))}</dd></div>
${
  rate.conversionPercent !== null &&
  html`<div><dt>${say('conversion')}</dt><dd>${percentText(language, rate.conversionPercent)}</dd></div>`
}`
}
<div class="said"><dt>${say('fee')}</dt><dd>${say(offeredAs ? 'feeNoneBank' : 'feeNone')}</dd></div>
${!offeredAs && html`<div><dt>${say('quoteValid')}</dt><dd>${dateTag(language, payUntil)}</dd></div>`}
</dl>`;
  return fold('rates', 'info', say(offeredAs ? 'fee' : 'details'), facts);
}
