/** Files that are made to be fetched later, and months that are announced. */
import type { Saboteur } from './saboteur.ts';

const noticedBy = 'server/test/exports.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'reports/export-file.ts',
    fault: 'a file can be fetched by everybody of the account',
    find: 'if (found?.requestedBy !== owner)',
    replace: 'if (!found || owner.length === 0)',
    noticedBy,
    test: 'only who asked for a file',
  },
  {
    file: 'reports/export-file.ts',
    fault: 'a file can be fetched after its time, until somebody deletes it',
    find: 'keptUntil !== null && keptUntil > now',
    replace: 'keptUntil !== null && now > new Date(0)',
    noticedBy,
    test: 'a long list is made in steps',
  },
  {
    file: 'account/make-export.ts',
    fault: 'a file is made to its end for who may not have it any more',
    find: 'if (!(await mayHave(deps, made))) {',
    replace: 'if ((await mayHave(deps, made)) === null) {',
    noticedBy,
    test: 'what is not wanted or not allowed',
  },
  {
    file: 'account/exported-lists.ts',
    fault: 'who comes after a list was asked for is in its file',
    find: 'const cursor = position ?? asOfThen(context.frame.asOf);',
    replace: 'const cursor = position ?? undefined;',
    noticedBy,
    test: 'a long list is made in steps',
  },
  {
    file: 'reports/end-export.ts',
    fault: 'what was written of a file stays when it is not wanted any more',
    find: 'await deletePieces(tx, merchantId, id);\n  return true;',
    replace: 'void deletePieces;\n  return true;',
    noticedBy,
    test: 'what is not wanted or not allowed',
  },
  {
    file: 'reports/request-export.ts',
    fault: 'two who ask at once both get the last place',
    find: 'await lockExports(tx);',
    replace: 'void lockExports;',
    noticedBy,
    test: 'of two who ask at once',
  },
  {
    file: 'reports/request-export.ts',
    fault: 'an account keeps any number of files',
    find: 'if (kept + beingMade >= exportLimits.kept)',
    replace: 'if (kept + beingMade < 0)',
    noticedBy,
    test: 'so many are made and kept',
  },
  {
    file: 'emails/announce-statements.ts',
    fault: 'a month that was over before somebody wanted to know is announced',
    find: 'addMs(startOfDay(timeZone, month.end), closedAfterMs) > moment',
    replace: 'addMs(startOfDay(timeZone, month.end), closedAfterMs) > new Date(0)',
    noticedBy,
    test: 'a month is announced',
  },
  {
    file: 'emails/announce-statements.ts',
    fault: 'days that are made anew announce their month again',
    find: 'if (await insertStatementMail(tx, merchantId, { personId, month, at }))',
    replace: 'if ((await insertStatementMail(tx, merchantId, { personId, month, at })) !== null)',
    noticedBy,
    test: 'a month is announced',
  },
];
