/** Statements, and signed days: showing, taking along, proving. */
import { readFile } from 'node:fs/promises';
import type { StatementRecord } from '@quittance/contract/report';
import { notFound } from '@quittance/server/lib/errors';
import { type DailyStatement, envelopeOf } from '@quittance/server/reports/daily-statement';
import { listDailyStatements } from '@quittance/server/reports/daily-statement-store';
import { readPeriod } from '@quittance/server/reports/report-period';
import { readPublicKeys } from '@quittance/server/reports/statement-key';
import { type StatementEnvelope, statementProblems } from '@quittance/server/reports/verify-daily-statements';
import { createApiClient } from '../api-client.ts';
import { type Command, CommandError, command, UsageError } from '../command-line.ts';
import { textTable } from '../text-table.ts';

const everyDay = { from: '0001-01-01', to: '9999-12-31' };

const daysOf = (period: string | undefined) => {
  if (period === undefined) return everyDay;
  const found = readPeriod(period);
  if (!found) throw new UsageError('--period must be like 2026-10-17, 2026-10, 2026-Q4 or 2026.');
  return { from: found.first, to: found.end };
};

const period = { value: 'period', meaning: 'Only of these days: 2026-10-17, 2026-10, 2026-Q4 or 2026.' } as const;

export const statementCommands: readonly Command[] = [
  command({
    name: 'report statement',
    summary: 'Show what an account had, what moved and what it has, through the API, with the key in access.json.',
    arguments: ['period?'],
    examples: ['report statement', 'report statement 2026-10', 'report statement 2026-Q4 --json'],
    async run({ openAccess }, { period: name }) {
      const api = createApiClient(await openAccess());
      const asked = name === undefined ? {} : { period: name };
      const { statement } = await api.get<{ statement: StatementRecord }>('/reports/statement', asked);
      const rows = statement.assets.flatMap(({ assetCode, opening, lines, closing, value }) => [
        [assetCode, 'opening', opening, value?.opening],
        ...lines.map((each) => [assetCode, each.line, each.amount, each.value]),
        [assetCode, 'revaluation', null, value?.revaluation],
        [assetCode, 'closing', closing, value?.closing],
      ]);
      const { from, to, timeZone, accountCurrency, addsUp } = statement;
      const head = `${from} to ${to}, ${timeZone}. ${addsUp ? 'It adds up.' : 'It does not add up.'}`;
      return { data: statement, text: `${head}\n${textTable(['ASSET', 'LINE', 'AMOUNT', accountCurrency], rows)}` };
    },
  }),
  command({
    name: 'statement show',
    summary: 'List the signed daily statements of an account.',
    arguments: ['merchantId'],
    options: { period },
    examples: ['statement show 8fk2m1x0c3ab', 'statement show 8fk2m1x0c3ab --period 2026-10'],
    async run({ withDatabase }, { merchantId }, options) {
      const signed = await withDatabase((db) => listDailyStatements(db, merchantId, daysOf(options.period)));
      const data = signed.map(({ body, digest, keyId }) => ({
        ...(JSON.parse(body) as DailyStatement),
        digest,
        keyId,
      }));
      const rows = data.map(({ number, day, entries, audit, digest, keyId }) => [
        number,
        day,
        entries.count,
        audit.count,
        digest,
        keyId,
      ]);
      return { data, text: textTable(['NUMBER', 'DAY', 'ENTRIES', 'AUDIT', 'SHA-256', 'KEY'], rows) };
    },
  }),
  command({
    name: 'statement export',
    summary: 'Print the signed daily statements of an account as they are downloaded.',
    arguments: ['merchantId'],
    options: { period },
    examples: ['statement export 8fk2m1x0c3ab --period 2026-10 > october.json'],
    async run({ withDatabase }, { merchantId }, options) {
      const signed = await withDatabase((db) => listDailyStatements(db, merchantId, daysOf(options.period)));
      const data = signed.map(envelopeOf);
      return { data, text: JSON.stringify(data, null, 2) };
    },
  }),
  command({
    name: 'statement verify',
    summary: 'Prove signed daily statements; exit code 1 if anything is off.',
    details:
      'Signature, chain, sums, and that the database still says the same: of files that were downloaded, or of all days of an account.',
    options: {
      file: { value: 'path', meaning: 'A file that was downloaded; may be given several times.', isRepeatable: true },
      merchant: { value: 'merchantId', meaning: 'All days of this account.' },
    },
    examples: ['statement verify --merchant 8fk2m1x0c3ab', 'statement verify --file october.json'],
    async run({ withDatabase }, _given, { file, merchant }) {
      if (file.length === 0 && merchant === undefined) throw new UsageError('Say --file or --merchant.');
      const given = (await Promise.all(file.map(readEnvelopes))).flat();
      const [count, problems] = await withDatabase(async (db) => {
        const kept = merchant === undefined ? [] : await listDailyStatements(db, merchant, everyDay);
        if (merchant !== undefined && kept.length === 0) throw notFound('signed statement of the merchant', merchant);
        const keys = await readPublicKeys(db);
        const each = await Promise.all(
          [given, kept.map(envelopeOf)].map((envelopes) => statementProblems(db, keys, envelopes)),
        );
        return [given.length + kept.length, each.flat()] as const;
      });
      const isSound = problems.length === 0;
      const text = isSound
        ? `${count} statements are sound: signed by us, chained, and what the database says.`
        : problems.join('\n');
      return { data: { isSound, count, problems }, text, exitCode: isSound ? 0 : 1 };
    },
  }),
];

async function readEnvelopes(path: string): Promise<StatementEnvelope[]> {
  try {
    const read = JSON.parse(await readFile(path, 'utf8')) as StatementEnvelope | StatementEnvelope[];
    const all = [read].flat();
    if (
      all.some(({ statement, keyId, signature }) =>
        [statement, keyId, signature].some((text) => typeof text !== 'string'),
      )
    )
      throw new Error('it has other things in it');
    return all;
  } catch (error) {
    throw new CommandError(
      `${path} is no signed statement: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
