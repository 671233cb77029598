/** Who of the staff did what, when, from where and with which proof. */

import { pagerOf } from '../account/developers/developer-parts.ts';
import { proofText } from '../account/settings/audit-words.ts';
import { selectField } from '../account/settings/settings-parts.ts';
import type { AuditRow } from '../merchants/audit-store.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { emptyPart, houseMoment, part, tableIn } from './operator-parts.ts';
import {
  type StaffAuditKind,
  type StaffAuditNames,
  staffActor,
  staffKindWords,
  staffSentence,
} from './staff-audit-words.ts';

export const staffAuditPath = '/operator/audit';
export const staffAuditPeriods = ['1', '7', '30', '365'] as const;

/** As asked for; empty: everything. */
export type StaffAuditAsked = { readonly who: string; readonly kind: StaffAuditKind | ''; readonly period: string };

export type StaffAuditFacts = {
  readonly rows: readonly AuditRow[];
  readonly names: StaffAuditNames;
  readonly actors: readonly string[];
  readonly asked: StaffAuditAsked;
  readonly next: string | null;
  readonly isFirst: boolean;
};

export function staffAuditPage(look: OperatorLook, facts: StaffAuditFacts): Html {
  const { rows, asked, next, isFirst } = facts;
  const rest = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== '')).toString();
  const head = html`<th scope="col">What</th><th scope="col" class="desk">Who</th><th scope="col" class="desk">How</th><th scope="col" class="n desk">When</th>`;
  return operatorPage(look, {
    title: 'Audit',
    lead: 'What the staff did. What they did in an account, its people read in its own log.',
    actions: html`<a class="btn" href="${staffAuditPath}/export${rest && `?${rest}`}" data-plain>${icon('download')}Export what I see</a>`,
    main: html`${filters(look, facts)}
${part(
  'rows',
  'Log',
  rows.length === 0
    ? emptyPart('Nothing was done that fits.')
    : tableIn(
        'rows',
        head,
        rows.map((row) => auditRow(look, row, facts.names)),
        'list calm',
      ),
)}
${pagerOf(look, staffAuditPath, { next, isFirst, rest })}`,
  });
}

function auditRow(look: OperatorLook, row: AuditRow, names: StaffAuditNames): Html {
  const who = staffActor(look, names, row.actor);
  const proof = proofText(look, row.proof);
  return html`<tr><th scope="row" class="wrap breaks">${staffSentence(look, names, row)}<span class="sub">${who} · ${houseMoment(row.at)}</span></th><td class="desk">${who}</td><td class="desk">${proof}${row.address !== null && html`<br><span class="quiet small mono">${row.address}</span>`}</td><td class="n quiet desk">${houseMoment(row.at)}</td></tr>`;
}

function filters(look: OperatorLook, { actors, names, asked }: StaffAuditFacts): Html {
  const who = actors.map((actor) => [actor, staffActor(look, names, actor)] as const);
  const kinds = Object.entries(staffKindWords);
  const periods = staffAuditPeriods.map(
    (days) => [days, days === '1' ? 'the last day' : `the last ${days} days`] as const,
  );
  return html`<form class="filters low" method="get" action="${staffAuditPath}">
${selectField({ name: 'who', label: 'Who', value: asked.who }, [['', 'everybody'], ...who])}
${selectField({ name: 'kind', label: 'What', value: asked.kind }, [['', 'everything'], ...kinds])}
${selectField({ name: 'period', label: 'When', value: asked.period }, [['', 'ever'], ...periods])}
<button class="btn">Show</button></form>`;
}
