/** One paper: what it says in numbers, what corrects it, and what can be done with it. */
import type { StatusMail } from '../../checkouts/status-mail-store.ts';
import type { GatewayError } from '../../lib/errors.ts';
import { compare, decimal, zero } from '../../money/decimal.ts';
import type { ShownPaper } from '../../papers/list-papers.ts';
import type { PaperSums } from '../../papers/paper-facts.ts';
import type { StoredPaper } from '../../papers/paper-store.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { numberText, priceText } from '../../web/number-text.ts';
import { customerName } from '../checkouts/checkout-words.ts';
import { partOf } from '../developers/developer-parts.ts';
import { accountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { mailBouncedText, mailOutcomeText } from '../frame/mail-outcome-text.ts';
import { momentText } from '../frame/moment-text.ts';
import { doneNotice, pairRow } from '../frame/money-words.ts';
import { accountField, proofField, proving } from '../sign-in/sign-in-parts.ts';
import { eInvoiceNote } from './e-invoice-words.ts';
import { papersPath } from './paper-list-filter.ts';
import { issueDay, markOf } from './papers-page.ts';

export type OnePaperFacts = {
  readonly shown: ShownPaper;
  /** What can still be taken back; null: a credit note corrects something else. */
  readonly left: string | null;
  /** To whom it would be sent, enough of it to be recognised; null: it cannot be, or not by this role. */
  readonly sendTo: string | null;
  /** What became of each time that it was sent again, oldest first, for who may see customers. */
  readonly mails: readonly StatusMail[];
  readonly did: 'sent' | 'credited' | null;
};

const pathOf = ({ id }: StoredPaper): string => `${papersPath}/${id}`;

const crumb = ({ say }: AccountLook, name: string): Html =>
  html`<a href="${papersPath}">${say('papers')}</a> <span class="quiet">/ ${name}</span>`;

export function onePaperPage(look: AccountLook, { shown, left, sendTo, mails, did }: OnePaperFacts): Html {
  const { say } = look;
  const { paper, papers, notes } = shown;
  const { number, facts } = paper;
  return accountPage(look, {
    title: `${say(`paperKind_${paper.kind}`)} ${number}`,
    crumb: crumb(look, number),
    actions: html`<a class="btn" href="${pathOf(paper)}/open" target="_blank" rel="noopener noreferrer" data-plain>${icon('out')}${say('paperOpen')}</a><a class="btn" href="${pathOf(paper)}/open?format=pdf" target="_blank" rel="noopener noreferrer" data-plain>${icon('download')}${say('paperPdf')}</a>`,
    main: html`${did === 'sent' && doneNotice(say('paperSent', { number }))}${did === 'credited' && doneNotice(say('paperCredited', { number }))}
<div class="bar wide-gap"><p class="amount hero">${priceText(look.language, facts.total, facts.currency)}</p>${shown.mark !== null && markOf(look, shown)}</div>
<div class="work part"><div>${partOf('sums', say('paperFacts'), sumRows(look, facts, facts.currency))}
${notes.length > 0 && partOf('notes', say('paperNotes'), noteRows(look, notes))}
${sendTo !== null && html`<form class="part" method="post" action="${pathOf(paper)}/send">${accountField(look)}<div class="bar"><button class="btn">${icon('mail')}${say('paperSend')}</button><span class="small quiet">${say('receiptAgainTo', { email: sendTo })}</span></div></form>`}${mails.map((mail) => mailLine(look, mail))}
${look.may('creditPapers') && left !== null && creditPart(look, paper, left)}</div>
<div class="rail"><section class="part"><dl class="kv">${pairRow(say('paperNumber'), html`<span class="mono">${number}</span>`)}${pairRow(say('paperDay'), issueDay(look, paper))}${pairRow(say('order'), html`<a href="/account/checkouts/${paper.checkoutId}">${facts.orderReference ?? paper.checkoutId}</a>`)}${buyerRow(look, paper)}${correctsRows(look, paper, papers)}</dl>${paper.kind !== 'receipt' && look.may('seeCustomers') && eInvoiceNote(look, paper)}</section></div></div>`,
  });
}

function mailLine(look: AccountLook, mail: StatusMail): Html {
  const [at, text] = mail.bouncedAt
    ? [mail.bouncedAt, mailBouncedText(look, mail)]
    : [mail.endedAt, mailOutcomeText(look, mail)];
  return html`<p class="small quiet">${momentText(look, at)} · ${text}</p>`;
}

function buyerRow(look: AccountLook, { facts: { buyer } }: StoredPaper): Html | false {
  if (!buyer || !look.may('seeCustomers')) return false;
  return pairRow(
    look.say('paperBuyer'),
    html`<a href="/account/customers/${buyer.customerId}">${customerName(buyer)}</a>`,
  );
}

function correctsRows(look: AccountLook, { facts }: StoredPaper, papers: readonly StoredPaper[]): Html | false {
  const { corrects } = facts;
  if (!corrects) return false;
  const corrected = papers.find(({ id }) => id === corrects.paperId);
  const number = corrected ? html`<a href="${pathOf(corrected)}">${corrects.number}</a>` : corrects.number;
  return html`${pairRow(look.say('paperCorrects'), number)}${corrects.reason.text !== null && pairRow(look.say('paperReason'), corrects.reason.text)}`;
}

const sumRows = (look: AccountLook, sums: PaperSums, currency: string): Html => {
  const { say, language } = look;
  const hasRounding = compare(decimal(sums.rounding), zero) !== 0;
  return html`<dl class="kv">${pairRow(say('paperNet'), priceText(language, sums.net, currency))}${sums.taxes.map(({ name, percent, amount }) => pairRow(`${name} ${numberText(language, percent)} %`, priceText(language, amount, currency)))}${hasRounding && pairRow(say('paperRounding'), priceText(language, sums.rounding, currency))}${pairRow(say('paperTotal'), priceText(language, sums.total, currency), 'sum')}</dl>`;
};

const noteRows = (look: AccountLook, notes: readonly StoredPaper[]): Html =>
  html`<dl class="kv">${notes.map((note) => html`<div><dt><a href="${pathOf(note)}">${note.number}</a> <span class="small quiet">${momentText(look, note.issuedAt)}</span></dt><dd>${priceText(look.language, note.facts.total, note.facts.currency)}</dd></div>`)}</dl>`;

/** What was typed, where it was refused. */
type Typed = { readonly amount: string; readonly reason: string };

function creditPart(look: AccountLook, paper: StoredPaper, left: string): Html {
  const { say } = look;
  if (compare(decimal(left), zero) <= 0) return html`<p class="part quiet">${say('paperAllCredited')}</p>`;
  return html`<section class="part"><details class="fold" id="credit"><summary class="btn">${say('paperCredit')}</summary><div class="part-body">${creditForm(look, paper, left, { amount: '', reason: '' })}</div></details></section>`;
}

function creditForm(look: AccountLook, paper: StoredPaper, left: string, typed: Typed): Html {
  const { say, language } = look;
  const { currency } = paper.facts;
  return html`<form class="form" method="get" action="${pathOf(paper)}/credit"><p class="help">${say('paperCreditMeans')}</p>
<div class="field"><label for="amount">${say('paperCreditAmount', { currency })}</label><input class="input mono" id="amount" name="amount" maxlength="40" inputmode="decimal" autocomplete="off" value="${typed.amount}" aria-describedby="amount-help"><p class="help" id="amount-help">${say('paperCreditAtMost', { amount: priceText(language, left, currency) })}</p></div>
<div class="field"><label for="reason">${say('paperCreditReason')}</label><input class="input" id="reason" name="reason" maxlength="200" autocomplete="off" value="${typed.reason}"></div>
<div class="bar"><button class="btn primary">${say('paperCreditGoOn')}</button></div></form>`;
}

export type ReviewedCredit = {
  readonly paper: StoredPaper;
  readonly left: string;
  readonly typed: Typed;
  /** What the note would say; null: it cannot be written. */
  readonly sums: PaperSums | null;
  readonly problem: GatewayError | null;
};

export function creditReviewPage(look: AccountLook, { paper, left, typed, sums, problem }: ReviewedCredit): Html {
  const { say } = look;
  const { currency } = paper.facts;
  const back = html`<p><a class="btn quiet" href="${pathOf(paper)}">${icon('left')}${say('toPaper')}</a></p>`;
  return accountPage(look, {
    title: say('paperCreditReview'),
    crumb: crumb(look, paper.number),
    main: html`${problemNotice(look, problem)}${
      sums === null
        ? html`${creditForm(look, paper, left, typed)}${back}`
        : html`<div class="stack"><dl class="kv">${pairRow(say('paperCorrects'), paper.number)}${typed.reason !== '' && pairRow(say('paperReason'), typed.reason)}</dl>${sumRows(look, sums, currency)}
<p class="small quiet">${say('paperCreditMeans')} ${say('paperCreditForGood')}</p>
<form class="form" method="post" action="${pathOf(paper)}/credit"${proving(look)}>${accountField(look)}<input type="hidden" name="amount" value="${sums.total}"><input type="hidden" name="reason" value="${typed.reason}">${proofField(look)}<div class="bar"><button class="btn primary">${say('paperCreditIssue')}</button></div></form>${back}</div>`
    }`,
  });
}
