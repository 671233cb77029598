/** Links to the papers that a payer can have: the receipt, and the invoice if there is one. */
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { paperPath } from '../web/paper-path.ts';
import type { Shown } from './state-view.ts';

export const papers = ({ look: { say, language }, checkout }: Shown): Html =>
  html`<div class="bar" id="papers"><a class="btn" href="${paperPath(language, { kind: 'receipt', id: checkout.id })}">${icon('receipt')}${say('receipt')}</a>
${checkout.hasInvoice && html`<a class="btn" href="${paperPath(language, { kind: 'invoice', id: checkout.id })}">${icon('receipt')}${say('invoice')}</a>`}
<button type="button" class="btn" hidden data-print>${icon('print')}${say('print')}</button></div>`;
