/** One screen for what a file brought: what its bookings became, what waits for a person, and whether the books agree. */
import type { PageNews } from '../account/frame/account-layout.ts';
import { fateAdvice, isUncounted, movesNothing } from '../bank-files/booking-fate.ts';
import type { KeptFile } from '../bank-files/brought-store.ts';
import type { ListedDocument } from '../bank-files/document-list-store.ts';
import { bookingsTold } from '../bank-files/import-words.ts';
import { type Brought, booksSentence } from '../bank-files/what-it-brought.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { amountText, broughtPath, fateMark, networkName, waitsForSomebody, wayWords } from './bank-words.ts';
import { houseSearchPath, operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { houseMoment, linkTo, part, tableIn } from './operator-parts.ts';
import { bankPath } from './payment-file-page.ts';
import { staffForm } from './staff-form.ts';
import { suspensePath } from './suspense-page.ts';

export type BroughtFacts = {
  readonly file: KeptFile;
  readonly broughtBy: string;
  readonly documents: readonly ListedDocument[];
  readonly brought: Brought;
  readonly news: PageNews;
  readonly refusal: Html | false;
};

export function broughtPage(look: OperatorLook, facts: BroughtFacts): Html {
  const { file, documents, brought, broughtBy, news, refusal } = facts;
  const { network } = file;
  const names = documents.map(({ position, name, kind, recordCount }) => {
    const told = bookingsTold(kind, recordCount);
    return html`<li><a href="${bankPath}/${network}/${position}">${name}</a>${told !== null && `, ${told}`}</li>`;
  });
  return operatorPage(look, {
    title: `What ${file.fileName} brought`,
    crumb: html`<a href="${bankPath}?network=${network}">Bank</a>`,
    news,
    main: html`${refusal}<div id="brought" data-parts>${booksNotice(brought)}
${part('became', 'What became of it', becameTable(look, brought))}
${brought.matched.length > 0 && part('matched', 'Matched', matchedList(brought))}</div>
${part('documents', 'Documents', html`<ul>${names}</ul>`)}
${part('file', 'The file', html`<dl class="kv"><div><dt>Bank</dt><dd>${networkName(network)}</dd></div><div><dt>Brought</dt><dd>${houseMoment(file.acceptedAt)}, ${wayWords[file.way]}${file.way === 'UPLOAD' && html`, by ${broughtBy}`}</dd></div><div><dt>Size</dt><dd>${file.byteCount.toLocaleString('en')} bytes</dd></div><div><dt>SHA-256</dt><dd class="breaks mono small">${file.digest}</dd></div></dl>${keptPart(look, file)}`)}`,
  });
}

function booksNotice(brought: Brought): Html | false {
  const sentence = booksSentence(brought);
  if (sentence === '') return false;
  const tone = brought.books === 'agree' ? 'paid' : brought.books === 'differ' ? 'fail' : 'wait';
  return html`<p class="notice ${tone}">${icon(brought.books === 'differ' ? 'alert' : 'info')}<span>${sentence}</span></p>`;
}

function becameTable(look: OperatorLook, { sums, asset }: Brought): Html {
  if (sums.length === 0) return html`<p class="lead">Nothing was booked in it.</p>`;
  const rows = sums.map(({ fate, count, units }) => {
    const words = fateMark(fate);
    const advice = fateAdvice[fate];
    return html`<tr><th scope="row" class="wrap">${waitsForSomebody.includes(fate) ? linkTo(look, suspensePath, words) : words}${advice !== undefined && html`<br><small class="quiet">${advice}</small>`}</th><td class="n">${!isUncounted(fate) && count.toLocaleString('en')}</td><td class="n">${!movesNothing.has(fate) && amountText(asset, units)}</td></tr>`;
  });
  const head = html`<th scope="col">What</th><th scope="col" class="n">Number</th><th scope="col" class="n">Sum</th>`;
  return tableIn('became', head, rows);
}

function matchedList({ matched, sums, asset }: Brought): Html {
  const more = (sums.find(({ fate }) => fate === 'matched')?.count ?? 0) - matched.length;
  const items = matched.map(
    ({ units, purpose, ownerId }) =>
      html`<li>${amountText(asset, units)} for ${purpose} <a class="mono" href="${houseSearchPath}?q=${ownerId}">${ownerId}</a></li>`,
  );
  return html`<ul>${items}${more > 0 && html`<li>and ${more.toLocaleString('en')} more: see its documents</li>`}</ul>`;
}

/** It names people who paid, so each look at it is written down. */
function keptPart(look: OperatorLook, { network, id, isKept }: KeptFile): Html | false {
  if (!look.staffMay('bank')) return false;
  if (!isKept) return html`<p class="help">The file as it came is not kept any more; all that was in it is.</p>`;
  return staffForm(look, {
    action: `${broughtPath(network, id)}/download`,
    button: 'Download it as it came',
    body: html`<p class="help">It names who paid: that you have it is written into the audit log.</p>`,
  });
}
