/** Lists and reports as files that are made later, for whoever asked for them. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { statementQuery } from './report.ts';
import { idInput, nullable, timestamp } from './text.ts';

export const exportLists = ['checkoutLedger', 'checkouts', 'customers', 'disposals', 'entries', 'transfers'] as const;

export const exportBody = Type.Object({
  list: Type.Enum([...exportLists], {
    description:
      'checkoutLedger: the rows of `GET /reports/checkouts`. disposals: those of `GET /reports/disposals`. checkouts and ' +
      'customers: all there are. entries: those of one asset. transfers: those that are over.',
  }),
  format: Type.Enum(['csv', 'json'], { default: 'csv', description: 'json: of checkoutLedger and disposals only.' }),
  period: Type.Optional({
    ...statementQuery.properties.period,
    description:
      'Of checkoutLedger and disposals: as in `GET /reports/checkouts`. Of entries: only what was booked on its closed days.',
  }),
  asset: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Of entries: the id or code of an asset.' }),
  ),
});

export const exportQuery = Type.Object({ id: idInput('Id of the export.', ['exportId']) });

export const exportRecord = Type.Object(
  {
    id: Type.String({ description: 'Id of the export.' }),
    list: Type.Enum([...exportLists], { description: 'What is in it.' }),
    format: Type.Enum(['csv', 'json'], { description: 'As what.' }),
    state: Type.Enum(['WAITING', 'MAKING', 'READY', 'DELETED', 'CANCELED', 'FAILED'], {
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
  { description: 'A file that is made, or was.' },
);

export const exportReply = Type.Object({ export: exportRecord });
export const exportFileReply = Type.String({ description: 'The file: CSV in UTF-8, or JSON.' });

export type ExportRecord = Static<typeof exportRecord>;
export type ExportBody = Static<typeof exportBody>;
