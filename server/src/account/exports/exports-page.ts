/** Files that are made to be fetched later: the offer to make one, those that somebody asked for, and one of them. */
import type { Export } from '../../reports/export.ts';
import { isFetchable } from '../../reports/export-file.ts';
import { type ExportState, isBeingMade } from '../../reports/export-state.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { numberText } from '../../web/number-text.ts';
import { partOf } from '../developers/developer-parts.ts';
import { accountPage, type PageNews } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import { type ActorNames, actorText, pairRow, railPart } from '../frame/money-words.ts';
import { accountField } from '../sign-in/sign-in-parts.ts';
import type { AccountTextKey } from '../texts/account-texts.ts';

export const exportsPath = '/account/reports/exports';

export type LongList = {
  readonly list: string;
  readonly format: string;
  readonly query: Readonly<Record<string, string>>;
  readonly rowsAtOnce: number;
};

/** Instead of a file that would take minutes to come. */
export const longListPage = (look: AccountLook, { list, format, query, rowsAtOnce }: LongList): Html => {
  const { say, language } = look;
  const count = numberText(language, String(rowsAtOnce));
  return accountPage(look, {
    title: say('longList'),
    main: html`<p class="lead">${say('longListText', { count })}</p>
<form class="form part-body" method="post" action="${exportsPath}">${accountField(look)}<input type="hidden" name="list" value="${list}"><input type="hidden" name="format" value="${format}"><input type="hidden" name="asked" value="${new URLSearchParams(query).toString()}">
<div class="bar"><button class="btn primary">${say('makeExport')}</button><a class="btn" href="${exportsPath}">${say('menuExports')}</a></div></form>`,
  });
};

/** An export, with what its list is called. */
export type ShownExport = Export & { readonly title: AccountTextKey };

const tones: Readonly<Record<ExportState, string>> = {
  WAITING: 'wait',
  MAKING: 'wait',
  READY: 'paid',
  DELETED: 'none',
  CANCELED: 'none',
  FAILED: 'fail',
};

const stateMark = ({ say }: AccountLook, { state }: Export): Html => {
  const tone = tones[state];
  const sign = ({ wait: 'wait', paid: 'check', none: 'none', fail: 'alert' } as const)[tone as 'wait'];
  return html`<span class="state ${tone}">${icon(sign)}${say(`exportState_${state}`)}</span>`;
};

const count = ({ language }: AccountLook, number: number): string => numberText(language, String(number));

const rowsText = (look: AccountLook, { rowsDone, rowsExpected, state }: Export): string =>
  isBeingMade(state) && rowsExpected !== null
    ? look.say('exportRowsOf', { done: count(look, rowsDone), all: count(look, Math.max(rowsDone, rowsExpected)) })
    : count(look, rowsDone);

const sizeText = ({ language }: AccountLook, bytes: number): string => {
  const isLarge = bytes >= 1_000_000;
  const unit = isLarge ? 'megabyte' : 'kilobyte';
  const size = bytes / (isLarge ? 1_000_000 : 1_000);
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(size);
};

/** `others`: files of others, for who may delete them. */
export function exportsPage(
  look: AccountLook,
  items: readonly ShownExport[],
  { others, names }: { readonly others: readonly ShownExport[]; readonly names: ActorNames },
): Html {
  const { say } = look;
  const row = (each: ShownExport): Html =>
    html`<tr><th scope="row" class="wrap"><a href="${exportsPath}/${each.id}">${say(each.title)}</a><span class="sub">${momentText(look, each.requestedAt)}</span></th><td>${stateMark(look, each)}</td><td class="n desk">${rowsText(look, each)}</td><td class="n desk">${momentText(look, each.requestedAt)}</td></tr>`;
  return accountPage(look, {
    title: say('menuReports'),
    documentTitle: say('menuExports'),
    main: html`${
      items.length === 0
        ? html`<div class="empty">${icon('download')}<p>${say('noExports')}</p></div>`
        : partOf(
            'exports',
            say('yourExports'),
            html`<div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-exports"><table class="table list"><thead><tr><th scope="col">${say('exportWhat')}</th><th scope="col">${say('exportState')}</th><th scope="col" class="n desk">${say('exportLength')}</th><th scope="col" class="n desk">${say('exportAsked')}</th></tr></thead><tbody>${items.map(row)}</tbody></table></div>
<p class="small quiet older">${say('exportsMean')}</p>`,
          )
    }
${others.length > 0 && partOf('others', say('exportsOfOthers'), othersTable(look, others, names))}`,
  });
}

const othersTable = (look: AccountLook, others: readonly ShownExport[], names: ActorNames): Html => {
  const { say } = look;
  const row = (each: ShownExport): Html =>
    html`<tr><th scope="row" class="wrap">${say(each.title)}<span class="sub">${actorText(look, names, each.requestedBy)}</span><span class="sub">${momentText(look, each.requestedAt)}</span></th><td class="wrap desk">${actorText(look, names, each.requestedBy)}</td><td>${stateMark(look, each)}</td><td class="n desk">${momentText(look, each.requestedAt)}</td><td>${formOf(look, each)}</td></tr>`;
  return html`<div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-others"><table class="table calm"><thead><tr><th scope="col">${say('exportWhat')}</th><th scope="col" class="desk">${say('exportAskedBy')}</th><th scope="col">${say('exportState')}</th><th scope="col" class="n desk">${say('exportAsked')}</th><th scope="col"><span class="unseen">${say('exportDo_delete')}</span></th></tr></thead><tbody>${others.map(row)}</tbody></table></div>
<p class="small quiet older">${say('exportsOfOthersMean')}</p>`;
};

export function oneExportPage(look: AccountLook, made: ShownExport, news: PageNews): Html {
  const { say, now } = look;
  const canFetch = isFetchable(made, now);
  return accountPage(look, {
    title: say(made.title),
    documentTitle: `${say(made.title)} · ${say('menuExports')}`,
    crumb: html`<a href="${exportsPath}">${say('menuExports')}</a>`,
    news: { ...news, announce: say(`exportState_${made.state}`) },
    actions:
      canFetch &&
      html`<a class="btn primary" href="${exportsPath}/${made.id}/file" data-plain>${icon('download')}${say('fetchExport')}</a>`,
    main: html`<section class="part" id="export" aria-labelledby="h-export"><div class="part-head"><h2 id="h-export">${say('exportState')}</h2><span class="more">${stateMark(look, made)}</span></div>
<p class="lead">${say(`exportMeans_${made.state}`)}</p>
${isBeingMade(made.state) && progressOf(look, made)}</section>
${railPart(say('exportFile'), facts(look, made))}
${formOf(look, made)}`,
  });
}

function progressOf(look: AccountLook, made: Export): Html {
  const { rowsDone, rowsExpected } = made;
  // Without a number it says that something is being done, and not how far it is.
  const measured =
    rowsExpected !== null && html` value="${String(rowsDone)}" max="${String(Math.max(rowsDone, rowsExpected, 1))}"`;
  return html`<div class="part-body"><progress class="meter" aria-label="${look.say('exportProgress')}"${measured}></progress><p class="small">${look.say('exportLength')}: ${rowsText(look, made)}</p></div>`;
}

const facts = (look: AccountLook, made: ShownExport): HtmlValue => {
  const { say } = look;
  return html`${pairRow(say('exportName'), html`<span class="breaks">${made.fileName}</span>`)}${pairRow(say('exportAsked'), momentText(look, made.requestedAt))}${!isBeingMade(made.state) && pairRow(say('exportLength'), html`${rowsText(look, made)}${made.bytes > 0 && html`, ${sizeText(look, made.bytes)}`}`)}${made.keptUntil !== null && pairRow(say('exportKept'), momentText(look, made.keptUntil))}`;
};

const formOf = (look: AccountLook, { id, state }: Export): Html | false => {
  const deed = isBeingMade(state) ? 'cancel' : state === 'READY' ? 'delete' : null;
  return (
    deed !== null &&
    html`<form class="form part-body" method="post" action="${exportsPath}/${id}/${deed}">${accountField(look)}<div class="bar"><button class="btn">${look.say(`exportDo_${deed}`)}</button></div></form>`
  );
};
