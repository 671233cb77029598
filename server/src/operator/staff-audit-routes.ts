/** The operator's own audit log, on a page and as a file. */
import { addAbortSignal } from 'node:stream';
import { accountReply } from '../account/frame/account-layout.ts';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import { addMs, hours } from '../lib/clock.ts';
import { type AuditFilter, type AuditRow, auditActors, listAudit } from '../merchants/audit-store.ts';
import { namesOfMerchants } from '../merchants/merchant-name-store.ts';
import { namesOfPeople } from '../people/person-store.ts';
import { type CsvCell, csvStream } from '../web/csv.ts';
import { createOperatorRoutes, type OperatorRoute, type StaffContext, type StaffDeps } from './operator-route.ts';
import { type StaffAuditAsked, staffAuditPage, staffAuditPath, staffAuditPeriods } from './staff-audit-page.ts';
import {
  type StaffAuditKind,
  type StaffAuditNames,
  seenByStaff,
  staffActor,
  staffAuditKinds,
  staffSentence,
} from './staff-audit-words.ts';

const rowsMax = 50;
const batchRows = 1_000;
const header = ['When', 'Who', 'What', 'Action', 'Detail', 'From', 'Proof'];

export function staffAuditRoutes(deps: StaffDeps & { readonly assets: AssetCatalog }): OperatorRoute[] {
  const operatorRoute = createOperatorRoutes(deps);
  const { db, assets } = deps;

  async function namesFor(rows: readonly AuditRow[], actors: readonly string[]): Promise<StaffAuditNames> {
    const named = (field: string): string[] =>
      rows.flatMap(({ detail }) => (typeof detail[field] === 'string' ? [detail[field]] : []));
    const people = [...actors, ...rows.map(({ actor }) => actor)]
      .filter((actor) => actor.startsWith('person:'))
      .map((actor) => actor.slice('person:'.length));
    return {
      assets,
      people: await namesOfPeople(db, [...new Set([...people, ...named('person')])]),
      keys: new Map(),
      merchants: await namesOfMerchants(db, [...new Set(named('merchant'))]),
    };
  }

  return [
    operatorRoute({
      method: 'GET',
      path: staffAuditPath,
      access: { may: 'seeAudit' },
      async handle(context) {
        const { look, request, now } = context;
        const actors = await auditActors(db, operatorId);
        const asked = readAsked(context, actors);
        const cursor = request.query['cursor'];
        const before = typeof cursor === 'string' && /^\d{1,18}$/.test(cursor) ? cursor : null;
        const found = await listAudit(db, operatorId, { ...filterOf(asked, now), before, limit: rowsMax + 1 });
        const rows = found.slice(0, rowsMax).map((row) => seenByStaff(look, row));
        const next = found.length > rowsMax ? (rows.at(-1)?.id ?? null) : null;
        const names = await namesFor(rows, actors);
        const facts = { rows, names, actors, asked, next, isFirst: before === null };
        return accountReply(200, look, staffAuditPage(look, facts));
      },
    }),
    operatorRoute({
      method: 'GET',
      path: `${staffAuditPath}/export`,
      access: { may: 'seeAudit' },
      async handle(context) {
        const { look, request, now } = context;
        const asked = readAsked(context, await auditActors(db, operatorId));
        await context.audited('export.audit', { ...asked }, async () => undefined);
        async function* batches(): AsyncGenerator<CsvCell[][]> {
          for (let before: string | null = null; ; ) {
            const rows: AuditRow[] = await listAudit(db, operatorId, {
              ...filterOf(asked, now),
              before,
              limit: batchRows,
            });
            const names = await namesFor(rows, []);
            yield rows
              .map((row) => seenByStaff(look, row))
              .map((row) => [
                row.at.toISOString(),
                staffActor(look, names, row.actor),
                staffSentence(look, names, row),
                row.action,
                JSON.stringify(row.detail),
                row.address,
                row.proof,
              ]);
            if (rows.length < batchRows) return;
            before = rows.at(-1)?.id ?? null;
          }
        }
        return {
          status: 200,
          headers: {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': `attachment; filename="operator-audit-${now.toISOString().slice(0, 10)}.csv"`,
            'cache-control': 'no-store',
          },
          body: addAbortSignal(request.closing, csvStream(header, batches())),
        };
      },
    }),
  ];
}

/** What makes no sense is as if it were not there: a link may be old, or typed by hand. */
function readAsked({ request }: StaffContext, actors: readonly string[]): StaffAuditAsked {
  const { who, kind, period } = request.query;
  return {
    who: actors.find((actor) => actor === who) ?? '',
    kind: (Object.keys(staffAuditKinds) as StaffAuditKind[]).find((each) => each === kind) ?? '',
    period: staffAuditPeriods.find((each) => each === period) ?? '',
  };
}

const filterOf = ({ who, kind, period }: StaffAuditAsked, now: Date): Omit<AuditFilter, 'before' | 'limit'> => ({
  actor: who === '' ? null : who,
  beginnings: kind === '' ? null : staffAuditKinds[kind],
  from: period === '' ? null : addMs(now, -hours(24 * Number(period))),
  to: null,
});
