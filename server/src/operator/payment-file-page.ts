/** What the bank is asked to pay: what waits for a file, the files that were made, and one of them with the payments in it. */
import { choiceOf, textField } from '../account/settings/settings-parts.ts';
import { bankAmount } from '../bank-files/import-words.ts';
import type { ListedFile, ListedOrder } from '../bank-files/list-payment-files.ts';
import type { FileFate, OrderState } from '../bank-files/payment-file-state.ts';
import { countWords, fateWords, orderWords } from '../bank-files/payment-file-words.ts';
import { reasonMost } from '../bank-files/refuse-payment.ts';
import { findNetwork, printedAddress } from '../catalog/network-catalog.ts';
import type { QueuedSum } from '../sending/file-order-store.ts';
import type { StoredPayout } from '../sending/payout-store.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { priceText } from '../web/number-text.ts';
import type { Tone } from './house-sentence.ts';
import type { WordDeps } from './need-sentences.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { emptyPart, houseAgo, houseMoment, part, stateMark, tableIn, unitsOf } from './operator-parts.ts';
import { purposeWords } from './payout-words.ts';
import { doneNote, staffForm } from './staff-form.ts';

export const bankPath = '/operator/bank';
export const filesShown = 20;
export const queuedShown = 100;
export const filePath = (network: string, id: string): string => `${bankPath}/${network}/files/${id}`;

const fateTones: Readonly<Record<FileFate, Tone | 'wait' | 'none'>> = {
  MADE: 'decide',
  DOWNLOADED: 'wait',
  VOID_DECLARED: 'wait',
  BOOKED: 'wait',
  CLOSED: 'none',
  VOID: 'none',
};
const orderTones: Readonly<Record<OrderState, Tone | 'wait' | 'none'>> = {
  IN_FILE: 'wait',
  DOWNLOADED: 'wait',
  BOOKED: 'wait',
  SETTLED: 'none',
  REJECTED: 'fail',
  RETURNED: 'fail',
  VOID: 'none',
};

const amountOf = ({ asset, units }: ListedFile): string => priceText('en', bankAmount(asset, units), asset.assetCode);
const payments = (count: number): string => `${count} ${count === 1 ? 'payment' : 'payments'}`;

export type PayingFacts = {
  readonly sums: readonly QueuedSum[];
  /** The first of them. */
  readonly queued: readonly StoredPayout[];
  readonly files: readonly ListedFile[];
  /** Before which the next page of files begins. */
  readonly next: string | null;
};

export const payingParts = (
  deps: WordDeps,
  look: OperatorLook,
  network: string,
  { sums, queued, files, next }: PayingFacts,
): Html => html`${queuedPart(deps, look, network, sums, queued)}
${filesPart(network, files, next)}`;

function queuedPart(
  deps: WordDeps,
  look: OperatorLook,
  network: string,
  sums: readonly QueuedSum[],
  queued: readonly StoredPayout[],
): Html {
  if (sums.length === 0) return part('queued', 'To be paid', emptyPart('No payment waits for a file.'));
  const may = look.staffMay('bank');
  const lines = sums.map(
    (sum) =>
      html`<p class="lead">${payments(sum.count)}, ${unitsOf(deps.assets, sum)} in all; the oldest was asked for ${houseAgo(look, sum.since)}.</p>`,
  );
  const rows = queued.map(
    (payout) =>
      html`<tr><th scope="row">${unitsOf(deps.assets, payout)}<br><small class="quiet">${purposeWords[payout.purpose]}<br><span class="mono">${payout.id}</span></small></th><td class="wrap breaks">${goalText(look, network, payout.holder?.name ?? null, payout.address)}</td><td class="n desk">${houseAgo(look, payout.requestedAt)}</td></tr>`,
  );
  const head = html`<th scope="col">Payment</th><th scope="col">To</th><th scope="col" class="n desk">Asked for</th>`;
  const make =
    may && staffForm(look, { action: `${bankPath}/${network}/files`, kind: 'primary', button: 'Make a payment file' });
  const refuse =
    may &&
    html`<details><summary>Refuse a payment</summary>${staffForm(look, {
      action: `${bankPath}/${network}/refuse`,
      kind: 'danger',
      button: 'Refuse',
      body: html`<p class="help">For a payment that the bank’s portal does not take. Whoever asked for it is told why, and has the money back.</p>${textField({ name: 'payout', label: 'Payment', value: '' })}${textField({ name: 'why', label: 'Why', value: '', attributes: html`maxlength="${reasonMost}"` })}`,
    })}</details>`;
  return part('queued', 'To be paid', html`${lines}${make}${tableIn('queued', head, rows)}${refuse}`);
}

/** To where an account sends is in the account. */
const goalText = (look: OperatorLook, network: string, holder: string | null, address: string): Html =>
  look.staffMay('lookAtMerchants')
    ? html`${holder ?? ''}<br><small class="quiet mono">${printedAddress(network, address)}</small>`
    : html`–`;

function filesPart(network: string, files: readonly ListedFile[], next: string | null): Html {
  const rows = files.map(
    (file) =>
      html`<tr><th scope="row"><a href="${filePath(network, file.id)}">${file.id}</a><span class="sub">${payments(file.orderCount)}</span></th><td class="wrap">${stateMark(fateTones[file.fate], fateWords[file.fate])}</td><td class="n">${amountOf(file)}</td><td class="n desk">${houseMoment(file.madeAt)}</td></tr>`,
  );
  const head = html`<th scope="col">File</th><th scope="col">State</th><th scope="col" class="n">In all</th><th scope="col" class="n desk">Made</th>`;
  const older =
    next !== null && html`<p><a class="btn" href="${bankPath}?network=${network}&files=${next}">Older files</a></p>`;
  return part(
    'files',
    'Payment files',
    rows.length === 0 ? emptyPart('No file was made yet.') : html`${tableIn('files', head, rows)}${older}`,
  );
}

export type PaymentFileFacts = {
  readonly file: ListedFile;
  readonly orders: readonly ListedOrder[];
  /** Who made it, and who gave it up, in words. */
  readonly madeBy: string;
  readonly voidBy: string;
  readonly did: string | null;
  readonly refusal: Html | false;
};

export function paymentFilePage(deps: WordDeps, look: OperatorLook, facts: PaymentFileFacts): Html {
  const { file, orders } = facts;
  const { network, id, fileName, digest, downloads, downloadedAt, voidAt, fate, counts } = file;
  const rows = orders.map(
    (order) =>
      html`<tr><th scope="row">${unitsOf(deps.assets, order)}<span class="sub mono">${order.payoutId}</span></th><td>${purposeWords[order.purpose]}</td><td class="wrap">${stateMark(orderTones[order.state], orderWords[order.state])}${order.cameBackUnits > 0n && html`<br><small class="quiet">${unitsOf(deps.assets, { asset: order.asset, units: order.cameBackUnits })} of it came back so far</small>`}${order.failure !== null && html`<br><small class="quiet">${order.failure}</small>`}</td><td class="wrap breaks desk">${goalText(look, network, order.holder, order.address)}</td></tr>`,
  );
  const head = html`<th scope="col">Payment</th><th scope="col">What</th><th scope="col">State</th><th scope="col" class="desk">To</th>`;
  return operatorPage(look, {
    title: `Payment file ${id}`,
    crumb: html`<a href="${bankPath}?network=${network}">Bank</a>`,
    main: html`${doneNote(facts.did)}${facts.refusal}
<dl class="kv"><div><dt>Bank</dt><dd>${findNetwork(network)?.name ?? network}</dd></div><div><dt>State</dt><dd>${stateMark(fateTones[fate], fateWords[fate])}</dd></div><div><dt>In all</dt><dd>${payments(file.orderCount)}, ${amountOf(file)}</dd></div><div><dt>Payments</dt><dd>${countWords(counts)}</dd></div><div><dt>Made</dt><dd>${houseMoment(file.madeAt)}, by ${facts.madeBy}</dd></div><div><dt>Downloaded</dt><dd>${downloadedAt === null ? 'never' : html`${houseMoment(downloadedAt)}${downloads > 1 && `, and ${downloads - 1} ${downloads === 2 ? 'time' : 'times'} since`}`}</dd></div>${voidAt !== null && html`<div><dt>Given up</dt><dd>${houseMoment(voidAt)}, by ${facts.voidBy}</dd></div>`}<div><dt>File</dt><dd class="breaks">${fileName}</dd></div><div><dt>SHA-256</dt><dd class="breaks mono small">${digest}</dd></div></dl>
${look.staffMay('bank') && deedParts(look, file)}
${part('orders', 'Payments in it', html`${tableIn('orders', head, rows)}<p class="help">In the bank’s portal the end-to-end reference of each is its id, a hyphen and the id of the file, in capital letters.</p>`)}`,
  });
}

function deedParts(look: OperatorLook, { network, id, state, counts, orderCount }: ListedFile): Html {
  const here = filePath(network, id);
  const undecided = (counts.IN_FILE ?? 0) + (counts.DOWNLOADED ?? 0);
  const again =
    state === 'DOWNLOADED' &&
    html`<p class="notice decide">${icon('alert')}<span>It was downloaded before. If it is signed twice, everybody in it is paid twice.</span></p>${choiceOf('again', 'yes', { kind: 'checkbox', isChecked: false, title: 'Give it to me once more', means: 'I have made sure that it is not signed twice.' })}`;
  const download =
    undecided === orderCount &&
    (state === 'MADE' || state === 'DOWNLOADED') &&
    part(
      'download',
      'Hand it to the bank',
      staffForm(look, {
        action: `${here}/download`,
        kind: state === 'MADE' ? 'primary' : '',
        button: 'Download',
        afterFile: `${here}?did=downloaded`,
        body: html`${again || html`<p class="help">Upload it in your bank’s portal, compare number and sum, and sign it there. What became of it is read from the next statement.</p>`}<p class="help without-script">This page stays as it is while your browser keeps the file: load it again to see what can be done next.</p>`,
      }),
    );
  const declaration = choiceOf('declare', 'yes', {
    kind: 'checkbox',
    isChecked: false,
    title: 'I declare that it was not signed, or was deleted at the bank',
    means: 'Its payments wait for another file when statements have shown that they were not booked.',
  });
  const giveUp =
    undecided > 0 &&
    (state === 'MADE' || state === 'DOWNLOADED') &&
    part(
      'void',
      'Give it up',
      staffForm(look, {
        action: `${here}/void`,
        kind: 'danger',
        button: 'Make it void',
        body:
          state === 'MADE'
            ? html`<p class="help">Nobody has it: its payments wait for another file at once.</p>`
            : declaration,
      }),
    );
  return html`${download}${giveUp}`;
}
