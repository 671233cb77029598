/** Lists and reports as files that are made later, for whoever asked for them. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { statementQuery } from './report.ts';
import { here, idInput, nullable, timestamp } from './text.ts';

export const exportLists = [
  'checkoutLedger',
  'checkouts',
  'customers',
  'disposals',
  'entries',
  'papers',
  'transfers',
] as const;

const exportList = Type.Enum([...exportLists], {
  title: 'ExportedList',
  description:
    'checkoutLedger: the rows of `GET /reports/checkouts`. disposals: those of `GET /reports/disposals`. checkouts, ' +
    'customers and papers: all there are. entries: those of one asset. transfers: those that are over.',
});

const exportFormat = Type.Enum(['csv', 'json'], {
  title: 'ExportFormat',
  description: 'json: of checkoutLedger and disposals only.',
});

export const exportBody = Type.Object(
  {
    list: exportList,
    format: Type.Unsafe<Static<typeof exportFormat>>({ ...exportFormat, default: 'csv' }),
    period: Type.Optional({
      ...statementQuery.properties.period,
      description:
        'Of checkoutLedger and disposals: as in `GET /reports/checkouts`. Of entries: only what was booked on its closed days.',
    }),
    asset: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Of entries: the id or code of an asset.' }),
    ),
  },
  { title: 'NewExport', description: 'What is to be in a file.' },
);

export const exportQuery = Type.Object({ id: idInput('Id of the export.', ['exportId']) });

export const exportDeleteBody = Type.Object(
  { id: idInput('Id of the export.', ['exportId']) },
  { title: 'DeleteExportRequest', description: 'Which file is to be deleted.' },
);

export const exportRecord = Type.Object(
  {
    id: Type.String({ description: 'Id of the export.' }),
    list: here(exportList, 'What is in it.'),
    format: here(exportFormat, 'As what.'),
    state: Type.Enum(['WAITING', 'MAKING', 'READY', 'DELETED', 'CANCELED', 'FAILED'], {
      title: 'ExportState',
      description:
        'READY: the file can be fetched. DELETED: it was there, and was deleted. CANCELED: it was deleted before it was ready, or ' +
        'the key lost the right to it meanwhile. FAILED: it could not be made.',
    }),
    rowsDone: Type.Integer({ description: 'How many rows are written.' }),
    rowsExpected: nullable(Type.Integer({ description: 'About how many there will be; null: not counted yet.' })),
    bytes: Type.Integer({ description: 'How long the file is by now.' }),
    fileName: Type.String({ description: 'What it is called when it is fetched.' }),
    createdAt: timestamp('When it was asked for. What came later is not in it.'),
    endedAt: nullable(timestamp('When it was ready, or ended otherwise.')),
    keptUntil: nullable(timestamp('Until when the file can be fetched.')),
  },
  { title: 'Export', description: 'A file that is made, or was.' },
);

export const exportReply = Type.Object(
  { export: exportRecord },
  { title: 'ExportReply', description: 'How far a file is.' },
);
export const exportFileReply = Type.String({ description: 'The file: CSV in UTF-8, or JSON.' });

export type ExportRecord = Static<typeof exportRecord>;
export type ExportBody = Static<typeof exportBody>;
