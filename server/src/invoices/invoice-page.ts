/** The invoice as a page, laid out to be printed. */

import { dateTag } from '../payment-page/number-text.ts';
import { orderCode, orderTable, parties, shopLine } from '../payment-page/order-section.ts';
import { paymentList } from '../payment-page/payment-progress.ts';
import { type Html, html } from '../web/html.ts';
import { type PageLook, pageLayout } from '../web/page-layout.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import type { Invoice } from './invoice.ts';

export function invoicePage(look: PageLook, invoice: Invoice): Html {
  const { say, language } = look;
  const { buyer, ...rest } = invoice;
  const order = { ...rest, buyer: buyer.length > 0 ? buyer : null };
  return pageLayout(look, {
    title: `${say('invoice')} – ${invoice.shopName}`,
    inLanguage: (other: PageLanguage) => `/${other}/invoice/${invoice.id}`,
    main: html`<article class="card invoice">
${shopLine(look, invoice.shopName)}
<h1>${say('invoice')}</h1>
<p>${say('invoiceDate')}: ${dateTag(language, invoice.date)}</p>
${orderCode(look, invoice.id)}
${parties(look, order)}
${orderTable(look, order)}
<h2>${say('paidWith')}</h2>
${paymentList(look, invoice.payments)}
<p class="links"><a class="button" href="/${language}/invoice/${invoice.id}?format=pdf">${say('invoicePdf')}</a></p>
<p class="links"><a href="/${language}/checkout/${invoice.id}?language=${language}">${say('backToPayment')}</a></p>
</article>`,
  });
}
