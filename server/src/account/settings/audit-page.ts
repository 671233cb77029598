/** Who did what in the account, when, from where and with which proof. */
import type { AuditRow } from '../../merchants/audit-store.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { pagerOf } from '../developers/developer-parts.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import { type AuditKind, type AuditNames, actorText, auditKinds, auditSentence, proofText } from './audit-words.ts';
import { auditPath, selectField, settingsPage } from './settings-parts.ts';

export const auditPeriods = ['1', '7', '30', '365'] as const;

/** As asked for; empty: everything. */
export type AuditAsked = { readonly who: string; readonly kind: AuditKind | ''; readonly period: string };

export type AuditFacts = {
  readonly rows: readonly AuditRow[];
  readonly names: AuditNames;
  readonly actors: readonly string[];
  readonly asked: AuditAsked;
  readonly next: string | null;
  readonly isFirst: boolean;
};

export const auditPage = (look: AccountLook, facts: AuditFacts): Html => {
  const { say } = look;
  const { rows, asked, next, isFirst } = facts;
  const isAsked = Object.values(asked).some((value) => value !== '');
  const rest = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== '')).toString();
  return settingsPage(look, {
    name: 'menuAudit',
    facts: { outcome: null, error: null },
    main: html`<p class="lead">${say('auditLead')}</p>${filters(look, facts)}
${
  rows.length === 0
    ? html`<div class="empty">${icon('search')}<p>${say(isAsked ? 'auditNoneFound' : 'auditEmpty')}</p>${isAsked && html`<a class="btn" href="${auditPath}">${say('auditAll')}</a>`}</div>`
    : html`<div class="scroll bleed" tabindex="0" role="region" aria-label="${say('menuAudit')}"><table class="table list calm"><thead><tr><th scope="col">${say('auditWhat')}</th><th scope="col" class="desk">${say('auditWho')}</th><th scope="col" class="desk roomy">${say('auditHow')}</th><th scope="col" class="n desk">${say('auditWhen')}</th></tr></thead><tbody>${rows.map((row) => auditRow(look, row, facts.names))}</tbody></table></div>`
}
${pagerOf(look, auditPath, { next, isFirst, rest })}`,
  });
};

function auditRow(look: AccountLook, row: AuditRow, names: AuditNames): Html {
  const who = actorText(look, names, row.actor);
  const proof = proofText(look, row.proof);
  const approver = row.detail['approvedBy'];
  const approved =
    typeof approver === 'string' && look.say('auditApproved', { name: actorText(look, names, approver) });
  return html`<tr><th scope="row" class="wrap breaks">${auditSentence(look, names, row)}${approved && html`<br><span class="quiet small">${approved}</span>`}<span class="sub">${who} · ${momentText(look, row.at)}</span>${(proof || row.address !== null) && html`<span class="sub cramped">${[proof, row.address].filter(Boolean).join(' · ')}</span>`}</th><td class="desk">${who}</td><td class="wrap desk roomy">${proof}${row.address !== null && html`<br><span class="quiet small mono">${row.address}</span>`}</td><td class="n quiet desk">${momentText(look, row.at)}</td></tr>`;
}

function filters(look: AccountLook, { actors, names, asked }: AuditFacts): Html {
  const { say } = look;
  const who = actors.map((actor) => [actor, actorText(look, names, actor)] as const);
  const kinds = (Object.keys(auditKinds) as AuditKind[]).map((kind) => [kind, say(`auditKind_${kind}`)] as const);
  const periods = auditPeriods.map((days) => [days, say('auditDays', { count: Number(days) })] as const);
  return html`<form class="filters low" method="get" action="${auditPath}">
${selectField({ name: 'who', label: say('auditWho'), value: asked.who }, [['', say('auditEverybody')], ...who])}
${selectField({ name: 'kind', label: say('auditKind'), value: asked.kind }, [['', say('auditEverything')], ...kinds])}
${selectField({ name: 'period', label: say('auditPeriod'), value: asked.period }, [['', say('auditAlways')], ...periods])}
<button class="btn">${say('auditShow')}</button></form>`;
}
