/** What banks told and shall pay: where a file is brought, the documents that were accepted, and one of them with its bookings. */
import { selectField } from '../account/settings/settings-parts.ts';
import type { BankAsset } from '../bank-files/accept-store.ts';
import { movesNothing } from '../bank-files/booking-fate.ts';
import type { ListedDocument, ListedRecord } from '../bank-files/document-list-store.ts';
import type { FolderFile } from '../bank-files/folder-file-store.ts';
import { kindWords } from '../bank-files/import-words.ts';
import { type Html, html } from '../web/html.ts';
import { amountText, broughtPath, fateMark, networkName, wayWords } from './bank-words.ts';
import { movementsPath } from './movement-page.ts';
import type { WordDeps } from './need-sentences.ts';
import { houseSearchPath, operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { emptyPart, houseDay, houseMoment, linkTo, part, stateMark, tableIn } from './operator-parts.ts';
import { bankPath, type PayingFacts, payingParts } from './payment-file-page.ts';
import { doneNote, staffForm } from './staff-form.ts';
import { suspensePath } from './suspense-page.ts';

export const documentsShown = 50;
export const recordsShown = 200;

const balanceText = ({ asset, closingUnits }: ListedDocument): string =>
  closingUnits === null ? 'not told' : amountText(asset, closingUnits);

const kindsOf = ({ asset, kinds }: ListedDocument): Html =>
  html`${kinds.length === 0 && html`<div>No bookings</div>`}${kinds.map(
    ({ kind, count, units }) =>
      html`<div>${count} × ${kindWords(kind)}${units !== 0n && `: ${amountText(asset, units)}`}</div>`,
  )}`;

export type BankFacts = {
  /** Ids of networks that are told in files. */
  readonly banks: readonly string[];
  /** The one that is looked at; null: there is none. */
  readonly network: string | null;
  readonly documents: readonly ListedDocument[];
  /** The position before which the next page begins. */
  readonly next: number | null;
  /** Files in the folder of this bank that were not accepted. */
  readonly inFolder: readonly FolderFile[];
  readonly megabytesMax: number;
  /** What the bank is asked to pay; null: it is not paid from by files. */
  readonly paying: PayingFacts | null;
  /** What was done a moment ago. */
  readonly did: string | null;
  readonly refusal: Html | false;
};

export function bankPage(deps: WordDeps, look: OperatorLook, facts: BankFacts): Html {
  const { network, paying } = facts;
  return operatorPage(look, {
    title: 'Bank',
    lead:
      network === null
        ? 'No network is configured that is told in files.'
        : 'What a bank tells comes in files, and each is accepted whole or refused whole. What it shall pay leaves in files too.',
    main: html`${doneNote(facts.did)}${facts.refusal}
${network !== null && look.staffMay('bank') && uploadPart(look, network, facts)}
${network !== null && facts.inFolder.length > 0 && folderPart(look, network, facts.inFolder)}
${network !== null && paying !== null && payingParts(deps, look, network, paying)}
${network !== null && documentsPart(network, facts)}`,
  });
}

function uploadPart(look: OperatorLook, network: string, { banks, megabytesMax }: BankFacts): Html {
  const choice =
    banks.length > 1 &&
    selectField(
      { name: 'network', label: 'Bank', value: network },
      banks.map((id) => [id, networkName(id)]),
    );
  const form = staffForm(look, {
    action: bankPath,
    kind: 'primary',
    button: 'Import',
    hasFiles: true,
    body: html`${choice}<div class="field"><label for="bank-file">File</label><input class="input" id="bank-file" type="file" name="file" required aria-describedby="bank-file-help"><p class="help" id="bank-file-help">A statement, a report, an answer to a payment file, or a ZIP of them, of at most ${megabytesMax} MB. Larger ones: <code>npx quittance bank import</code>. What is known already is passed over.</p></div>`,
  });
  return part('upload', 'Bring a file', form);
}

const folderStates = {
  WAITS: ['wait', 'waits for an earlier one'],
  REFUSED: ['fail', 'refused'],
  STUCK: ['fail', 'cannot be taken'],
} as const;

/** Where the folder is, is known to whoever set it; what is in it and was not accepted, here. */
function folderPart(look: OperatorLook, network: string, files: readonly FolderFile[]): Html {
  const rows = files.map(({ name, state, why, since }) => {
    const [tone, words] = folderStates[state];
    const aside =
      state === 'REFUSED' &&
      look.staffMay('bank') &&
      staffForm(look, {
        action: `${bankPath}/${network}/put-aside`,
        button: 'Put aside',
        isSmall: true,
        body: html`<input type="hidden" name="name" value="${name}">`,
      });
    return html`<tr><th scope="row" class="breaks">${name === '' ? 'The folder itself' : name}<br>${stateMark(tone, words)}<br><small class="quiet">${houseMoment(since)}</small></th><td class="wrap"><p>${why}</p>${aside}</td></tr>`;
  });
  const head = html`<th scope="col">File</th><th scope="col">Why</th>`;
  return part('folder', 'In the folder, and not accepted', tableIn('folder', head, rows));
}

function documentsPart(network: string, { banks, documents, next }: BankFacts): Html {
  const others = banks
    .filter((id) => id !== network)
    .map((id) => html` <a href="${bankPath}?network=${id}">${networkName(id)}</a>`);
  const rows = documents.map(
    (document) =>
      html`<tr><th scope="row" class="breaks"><a href="${bankPath}/${network}/${document.position}">${document.name}</a><small class="quiet">${kindsOf(document)}</small></th><td class="n">${balanceText(document)}</td><td class="n desk">${houseMoment(document.acceptedAt)}</td></tr>`,
  );
  const head = html`<th scope="col">Document</th><th scope="col" class="n">Balance</th><th scope="col" class="n desk">Accepted</th>`;
  const list = rows.length === 0 ? emptyPart('No document was accepted yet.') : tableIn('documents', head, rows);
  const older =
    next !== null && html`<p><a class="btn" href="${bankPath}?network=${network}&before=${next}">Older</a></p>`;
  return part(
    'documents',
    networkName(network),
    html`${list}${older}`,
    others.length > 0 && html`<span class="more">${others}</span>`,
  );
}

/** Where more is known of it; what is in an account is found by its id. */
function fateOf(look: OperatorLook, { fate, ownerId, unmatchedId, movementId }: ListedRecord): Html {
  const words = fateMark(fate);
  if (fate === 'matched' && ownerId !== null)
    return html`${words}<br><a class="mono small" href="${houseSearchPath}?q=${ownerId}">${ownerId}</a>`;
  const there = movementId !== null ? `${movementsPath}/${movementId}` : `${suspensePath}/${unmatchedId ?? ''}`;
  return movementId === null && unmatchedId === null ? words : html`${linkTo(look, there, words)}`;
}

export type DocumentFacts = {
  readonly document: ListedDocument;
  readonly records: readonly ListedRecord[];
  /** The number after which the next page begins. */
  readonly next: number | null;
};

/** What moves nothing has its amount, if any, in what the bank wrote. */
function toldAs(asset: BankAsset, { fate, units, number, kind }: ListedRecord): Html {
  const words = html`<small class="quiet">${number} · ${kindWords(kind)}</small>`;
  return movesNothing.has(fate) ? words : html`${amountText(asset, units)}<br>${words}`;
}

export function bankDocumentPage(look: OperatorLook, { document, records, next }: DocumentFacts): Html {
  const { network, position, name, kind, time, lastDay, fileName, way, acceptedAt, asset } = document;
  const rows = records.map(
    (record) =>
      html`<tr id="b-${record.number}"><th scope="row">${toldAs(asset, record)}</th><td class="wrap breaks">${record.note ?? 'nothing'}</td><td class="wrap">${fateOf(look, record)}</td></tr>`,
  );
  const head = html`<th scope="col">Booking</th><th scope="col">As it was told</th><th scope="col">What became of it</th>`;
  const more =
    next !== null && html`<p><a class="btn" href="${bankPath}/${network}/${position}?after=${next}">More</a></p>`;
  return operatorPage(look, {
    title: name,
    crumb: html`<a href="${bankPath}?network=${network}">Bank</a>`,
    main: html`<dl class="kv"><div><dt>Bank</dt><dd>${networkName(network)}</dd></div><div><dt>Kind</dt><dd>${kind}</dd></div><div><dt>Position</dt><dd>${position}</dd></div><div><dt>${lastDay === null ? 'Told' : 'Booked until'}</dt><dd>${lastDay === null ? houseMoment(time) : houseDay(lastDay)}</dd></div><div><dt>Balance</dt><dd>${balanceText(document)}</dd></div><div><dt>In all</dt><dd>${kindsOf(document)}</dd></div><div><dt>File</dt><dd class="breaks"><a href="${broughtPath(network, document.fileId)}">${fileName}</a>, ${wayWords[way]}</dd></div><div><dt>Accepted</dt><dd>${houseMoment(acceptedAt)}</dd></div></dl>
${part('bookings', 'Bookings', rows.length === 0 ? emptyPart('There is none.') : html`${tableIn('bookings', head, rows)}${more}`)}`,
  });
}
