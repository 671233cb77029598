/** A receipt, an invoice or a credit note as a page, laid out to be printed. */

import type { PaperLine } from '../papers/paper-rows.ts';
import { trustLine } from '../payment-page/order-section.ts';
import { ground } from '../web/ground.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { type PageLook, pageLayout } from '../web/page-layout.ts';
import { paperPath } from '../web/paper-path.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import type { Paper, PaperFact, PaperPayment, Party } from './paper.ts';

/** `isRefused`: what was typed to see the buyer is not the buyer's. */
export function paperPage(look: PageLook, paper: Paper, { isRefused = false } = {}): Html {
  return pageLayout(look, {
    title: `${paper.title} ${paper.number} · ${paper.shopName}`,
    page: html`<div class="paper">
${ground(look, { shopName: paper.shopName, inLanguage: (other: PageLanguage) => paperPath(other, linkOf(paper)) })}
<main id="sheet"><article class="invoice">
<header class="paper-head"><h1>${paper.title}</h1>${paper.mark && html`<span class="stamp${!paper.mark.isPaid && ' back'}">${paper.mark.text}</span>`}</header>
${facts(paper.facts)}
${paper.isBuyerVeiled && buyerForm(look, paper, isRefused)}
<dl class="parties">${paper.parties.map(party)}</dl>
<div class="order"><table>
<tbody>${paper.lines.map(row)}</tbody>
<tfoot>${paper.sums.map((line) => html`<tr class="part">${cells(line)}</tr>`)}${row(paper.total)}</tfoot>
</table></div>
${paper.note !== null && html`<p>${paper.note}</p>`}
${
  paper.payments.length > 0 &&
  html`<section><h2>${paper.paymentsTitle}</h2>${paper.payments.map((payment) => payments(look, payment))}
${paper.excess.length > 0 && facts(paper.excess)}</section>`
}
${links(look, paper)}
</article></main>
${trustLine(look, paper)}
</div>`,
  });
}

/** What stands is found without its id, also once another one does. */
export const linkOf = ({ kind, id, buyerKey, linkId }: Paper) => ({ kind, id, buyerKey, paperId: linkId });

const facts = (all: readonly PaperFact[]): Html =>
  html`<dl class="kv">${all.map(([name, value, href]) => html`<div><dt>${name}</dt><dd>${href === undefined ? value : html`<a href="${href}">${value}</a>`}</dd></div>`)}</dl>`;

const party = ({ title, lines }: Party): Html =>
  html`<div><dt>${title}</dt><dd>${lines.map((line, at) => html`${at > 0 && html`<br>`}${line}`)}</dd></div>`;

/** Whoever has the link of the payment gets here: only the buyer knows with which address the order was made. */
const buyerForm = ({ say, language }: PageLook, paper: Paper, isRefused: boolean): Html =>
  html`<form class="stack" id="buyer" method="post" action="${paperPath(language, linkOf(paper))}"><p class="small quiet">${say('buyerVeiled')}</p>
<div class="field"><label for="buyer-email">${say('buyerEmail')}</label>
<input class="input" id="buyer-email" name="email" type="email" autocomplete="email" maxlength="254" required${isRefused && html` aria-invalid="true" autofocus aria-describedby="buyer-problem"`}>
${isRefused && html`<span class="error" id="buyer-problem" role="alert">${icon('alert')}${say('buyerEmailWrong')}</span>`}</div>
<div><button class="btn">${say('showBuyer')}</button></div></form>`;

const row = (line: PaperLine): Html => html`<tr>${cells(line)}</tr>`;

const cells = ({ label, detail, amount }: PaperLine): Html =>
  html`<th scope="row">${label}${detail !== null && html` <span class="by">${detail}</span>`}</th><td>${amount}</td>`;

const payments = ({ say }: PageLook, { amount, networkName, rate, txName, txHash, href }: PaperPayment): Html =>
  html`<dl class="kv">
<div><dt>${networkName}</dt><dd><strong>${amount}</strong></dd></div>
${rate !== null && html`<div><dt>${say('rate')}</dt><dd>${rate}</dd></div>`}
${txHash !== '' && html`<div><dt>${txName}</dt><dd class="mono hash">${href === null ? txHash : html`<a href="${href}" target="_blank" rel="noopener noreferrer">${txHash}</a>`}</dd></div>`}
</dl>`;

const pdfWords = { receipt: 'receiptPdf', invoice: 'invoicePdf', creditNote: 'creditNotePdf' } as const;
const printWords = { receipt: 'print', invoice: 'printInvoice', creditNote: 'printCreditNote' } as const;

function links({ say, language }: PageLook, paper: Paper): Html {
  return html`<p class="bar"><a class="btn primary" href="${paperPath(language, { ...linkOf(paper), format: 'pdf' })}">${icon('download')}${say(pdfWords[paper.kind])}</a>
<button type="button" class="btn" hidden data-print>${icon('print')}${say(printWords[paper.kind])}</button>
${paper.hasPage && html`<a class="btn" href="/${language}/checkout/${paper.id}?language=${language}">${say('backToOverview')}</a>`}</p>
${
  paper.eInvoice !== null &&
  html`<p class="bar small"><a href="${paperPath(language, { ...linkOf(paper), format: 'xml' })}">${say('invoiceXml')}</a><a href="${paperPath(language, { ...linkOf(paper), format: 'ubl' })}">${say('invoiceUbl')}</a></p>`
}`;
}
