/**
 * What somebody asks for as a file that is made later, by people on pages and by keys at the API alike: how it is kept until it is
 * written, and what it is written by.
 */
import type { Tx } from '../../db/database.ts';
import type { Asker } from '../../http/actor.ts';
import { present } from '../../lib/assert.ts';
import { invalidRequest } from '../../lib/errors.ts';
import { dayOf } from '../../lib/local-day.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { insertAudit } from '../../merchants/merchant-store.ts';
import { timeZoneOf } from '../../merchants/time-zone.ts';
import { coveredDays } from '../../reports/covered-days.ts';
import { coveredAgain, type Export, type KeptCovered, keptCovered } from '../../reports/export.ts';
import { type ExportOrder, requestExport } from '../../reports/request-export.ts';
import type { FileLook } from '../frame/account-look.ts';
import { type ExportAction, fileName } from '../frame/file-reply.ts';
import { checkoutLedgerReport } from '../reports/checkout-ledger-report.ts';
import { disposalsReport } from '../reports/disposals-report.ts';
import { keptFilter, type Report, type ReportRows, readRowFilter } from '../reports/report-frame.ts';
import type { AccountTextKey } from '../texts/account-texts.ts';
import { type Asked, exportedLists, type ListContext, type ListDeps } from './exported-lists.ts';
import type { ListFile } from './list-file.ts';

/** Reports whose rows can be made to be fetched later. */
const listReports = (deps: ListDeps): Report[] => [checkoutLedgerReport(deps), disposalsReport(deps)];

type Exportable = {
  readonly action: ExportAction;
  readonly title: AccountTextKey;
  readonly formats: readonly string[];
  /** Throws what is wrong with it. */
  prepare(merchant: Merchant, asked: Asked): Promise<Prepared>;
  file(context: ListContext, asked: Asked, format: string): Promise<ListFile>;
};

/** `asked`: of what was asked, what makes sense. `audited`: what the audit log has of it. */
type Prepared = {
  readonly asked: Asked;
  readonly covered: KeptCovered | null;
  readonly names: (today: string) => string[];
  readonly audited: Asked;
};

function exportables(deps: ListDeps): ReadonlyMap<string, Exportable> {
  const plain = Object.entries(exportedLists(deps)).map(([name, list]): [string, Exportable] => [
    name,
    {
      ...list,
      formats: ['csv'],
      async prepare(merchant, asked) {
        const cleaned = list.clean(asked);
        const names = (today: string): string[] => list.names(cleaned, today);
        return { asked: cleaned, covered: await list.days(merchant, cleaned), names, audited: cleaned };
      },
    },
  ]);
  const reports = listReports(deps).flatMap(({ rows, ...report }): [string, Exportable][] =>
    rows ? [[rows.exportName, exportableReport(deps, report, rows)]] : [],
  );
  return new Map([...plain, ...reports]);
}

const exportableReport = (
  deps: ListDeps,
  report: Pick<Report, 'name' | 'title' | 'filters'>,
  rows: ReportRows,
): Exportable => ({
  action: 'export.report',
  title: report.title,
  formats: ['csv', 'json'],
  async prepare(merchant, asked) {
    const covered = await coveredDays(deps.db, merchant, asked['period'] ?? '');
    const period = covered.period.name;
    const kept = { period, ...keptFilter(readRowFilter(deps, report, asked)) };
    return {
      asked: kept,
      covered: keptCovered(covered),
      names: () => [period],
      audited: { report: report.name, ...kept },
    };
  },
  async file({ merchant, look, frame }, asked, format) {
    const covered = coveredAgain(present(frame.covered, 'the days of a report'));
    const filter = readRowFilter(deps, report, asked);
    return rows[format === 'json' ? 'json' : 'csv']({ merchant, look, covered, filter });
  },
});

export type Asking = {
  readonly merchant: Merchant;
  readonly look: FileLook;
  readonly requestedBy: Asker;
  readonly now: Date;
};

export type Wish = { readonly list: string; readonly format: string; readonly asked: Asked };

export type OrderedExport = ExportOrder & { readonly action: ExportAction; readonly audited: Asked };

/** Throws what is wrong with the wish. */
export async function orderExport(deps: ListDeps, asking: Asking, wish: Wish): Promise<OrderedExport> {
  const { merchant, look, requestedBy, now } = asking;
  const { list, format } = wish;
  const exportable = exportables(deps).get(list);
  if (!exportable?.formats.includes(format)) throw unknownExport(list, format);
  const { asked, covered, names, audited } = await exportable.prepare(merchant, wish.asked);
  const timeZone = timeZoneOf(merchant.pageSettings);
  const hasCustomers = look.may('seeCustomers');
  const pinned = { asOf: now, language: look.language, timeZone, hasCustomers, covered };
  // What it would be read by is looked at now, so that whoever asked for nonsense hears so.
  const { extension, hasSums, head } = await exportable.file({ merchant, look, frame: pinned }, asked, format);
  const frame = hasSums ? { ...pinned, head: await head() } : pinned;
  const name = fileName(merchant, [look.say(exportable.title), ...names(dayOf(timeZone, now))], extension);
  const { action } = exportable;
  return { requestedBy, list, format, asked, frame, fileName: name, action, audited: { ...audited, format } };
}

/** With its row of the audit log. Returns its id. */
export async function placeOrder(tx: Tx, merchantId: string, ordered: OrderedExport, now: Date): Promise<string> {
  const { action, audited, ...order } = ordered;
  const id = await requestExport(tx, merchantId, order, now);
  const detail = { ...audited, export: id };
  await insertAudit(tx, { merchantId, at: now, actor: order.requestedBy, action, detail });
  return id;
}

/** The file of an export, to be read from wherever it has come to. */
export async function fileOfExport(
  deps: ListDeps,
  { merchant, look }: { readonly merchant: Merchant; readonly look: FileLook },
  { list, format, asked, frame }: Export,
): Promise<ListFile> {
  return present(exportables(deps).get(list), list).file({ merchant, look, frame }, asked, format);
}

export const titleOfExport = (deps: ListDeps, { list }: Pick<Export, 'list'>): AccountTextKey =>
  exportables(deps).get(list)?.title ?? 'menuExports';

const unknownExport = (list: string, format: string) =>
  invalidRequest(
    `There is no export of ${JSON.stringify(list.slice(0, 40))} as ${JSON.stringify(format.slice(0, 10))}.`,
  );
