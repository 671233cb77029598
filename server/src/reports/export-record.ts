/** An export as the API shows it. */
import { type ExportRecord, exportLists } from '@quittance/contract/export';
import { present } from '../lib/assert.ts';
import { formatTimestamp } from '../lib/clock.ts';
import type { Export } from './export.ts';

export const exportRecord = (made: Export): ExportRecord => ({
  id: made.id,
  list: present(
    exportLists.find((each) => each === made.list),
    made.list,
  ),
  format: made.format === 'json' ? 'json' : 'csv',
  state: made.state,
  rowsDone: made.rowsDone,
  rowsExpected: made.rowsExpected,
  bytes: made.bytes,
  fileName: made.fileName,
  createdAt: formatTimestamp(made.requestedAt),
  endedAt: made.endedAt && formatTimestamp(made.endedAt),
  keptUntil: made.keptUntil && formatTimestamp(made.keptUntil),
});
