/** Files that the service makes from lists of any length, through the API, with the key in access.json. */
import { type ExportRecord, exportLists } from '@quittance/contract/export';
import { createApiClient } from '../api-client.ts';
import { type Command, command } from '../command-line.ts';
import { textTable } from '../text-table.ts';

type Reply = { readonly export: ExportRecord };

const shown = (made: ExportRecord) => ({
  data: made,
  text: textTable(
    ['ID', 'LIST', 'STATE', 'ROWS', 'OF ABOUT', 'BYTES', 'KEPT UNTIL'],
    [[made.id, made.list, made.state, made.rowsDone, made.rowsExpected, made.bytes, made.keptUntil]],
  ),
});

export const exportCommands: readonly Command[] = [
  command({
    name: 'export create',
    summary: 'Have a list made into a file, to be fetched later with the same key.',
    details: `Lists: ${exportLists.join(', ')}.`,
    arguments: ['list'],
    options: {
      period: {
        value: 'period',
        meaning: 'Of checkoutLedger, disposals, entries: 2026-10-17, 2026-10, 2026-Q4 or 2026.',
      },
      asset: { value: 'asset', meaning: 'Of entries: the id or code of an asset.' },
      format: {
        value: 'csv|json',
        meaning: 'csv, if nothing else is said; json: of checkoutLedger and disposals only.',
      },
    },
    examples: ['export create checkouts', 'export create checkoutLedger --period 2026-Q4 --format json'],
    async run({ openAccess }, { list }, options) {
      const api = createApiClient(await openAccess());
      const { export: made } = await api.post<Reply>('/reports/exports', { list, ...options });
      return shown(made);
    },
  }),
  command({
    name: 'export show',
    summary: 'Show how far a file is.',
    arguments: ['exportId'],
    examples: ['export show 3mzk0q1xw8ea'],
    async run({ openAccess }, { exportId }) {
      const api = createApiClient(await openAccess());
      return shown((await api.get<Reply>('/reports/exports', { id: exportId })).export);
    },
  }),
  command({
    name: 'export fetch',
    summary: 'Fetch a file that is ready.',
    details: 'It is written while it comes, so its length does not matter. A file that is there already is left alone.',
    arguments: ['exportId', 'file'],
    examples: ['export fetch 3mzk0q1xw8ea checkouts.csv'],
    async run({ openAccess }, { exportId, file }) {
      const api = createApiClient(await openAccess());
      const bytes = await api.download('/reports/exports/file', { id: exportId }, file);
      return { data: { file, bytes }, text: `${file}: ${bytes} bytes.` };
    },
  }),
  command({
    name: 'export delete',
    summary: 'Delete a file, or stop making it: there is room for ten files of an account.',
    arguments: ['exportId'],
    examples: ['export delete 3mzk0q1xw8ea'],
    async run({ openAccess }, { exportId }) {
      const api = createApiClient(await openAccess());
      return shown((await api.delete<Reply>('/reports/exports', { id: exportId })).export);
    },
  }),
];
