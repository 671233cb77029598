/** The audit log of the account, newest first. */
import type { AssetCatalog } from '../../catalog/asset-catalog.ts';
import { addMs, hours } from '../../lib/clock.ts';
import { listKeys } from '../../merchants/api-key-store.ts';
import { auditActors, listAudit } from '../../merchants/audit-store.ts';
import { namesOfPeople } from '../../people/person-store.ts';
import { accountReply } from '../frame/account-layout.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { type AuditAsked, auditPage, auditPeriods } from './audit-page.ts';
import { type AuditKind, auditKinds } from './audit-words.ts';
import { auditPath } from './settings-parts.ts';

const rowsMax = 50;

export function auditRoutes(deps: AccountDeps & { readonly assets: AssetCatalog }): AccountRoute[] {
  const { db, assets } = deps;
  return [
    createAccountRoutes(deps)({
      method: 'GET',
      path: auditPath,
      access: { may: 'seeAudit' },
      async handle({ look, merchant, request, now }) {
        const [actors, keys] = await Promise.all([auditActors(db, merchant.id), listKeys(db, merchant.id)]);
        const { asked, before } = readAsked(request.query, actors);
        const found = await listAudit(db, merchant.id, {
          actor: asked.who === '' ? null : asked.who,
          beginnings: asked.kind === '' ? null : auditKinds[asked.kind],
          from: asked.period === '' ? null : addMs(now, -hours(24 * Number(asked.period))),
          to: null,
          before,
          limit: rowsMax + 1,
        });
        const rows = found.slice(0, rowsMax);
        const people = await namesOfPeople(db, [...personIds(actors), ...rows.flatMap(({ detail }) => idsIn(detail))]);
        const names = { assets, people, keys: new Map(keys.map(({ apiKey, label }) => [apiKey, label])) };
        const next = found.length > rowsMax ? (rows.at(-1)?.id ?? null) : null;
        return accountReply(200, look, auditPage(look, { rows, names, actors, asked, next, isFirst: before === null }));
      },
    }),
  ];
}

/** What makes no sense is as if it were not there: a link may be old, or typed by hand. */
function readAsked(
  query: Readonly<Record<string, unknown>>,
  actors: readonly string[],
): { readonly asked: AuditAsked; readonly before: string | null } {
  const { who, kind, period, cursor } = query;
  return {
    asked: {
      who: actors.find((actor) => actor === who) ?? '',
      kind: (Object.keys(auditKinds) as AuditKind[]).find((each) => each === kind) ?? '',
      period: auditPeriods.find((each) => each === period) ?? '',
    },
    before: typeof cursor === 'string' && /^\d{1,18}$/.test(cursor) ? cursor : null,
  };
}

const personIds = (actors: readonly string[]): string[] =>
  actors.filter((actor) => actor.startsWith('person:')).map((actor) => actor.slice('person:'.length));

/** Whom a row speaks of besides who did it. */
const idsIn = (detail: Readonly<Record<string, unknown>>): string[] => [
  ...[detail['person'], detail['personId']].filter((id) => typeof id === 'string'),
  ...personIds([detail['approvedBy']].filter((actor) => typeof actor === 'string')),
];
