/** Statements, and signed days: showing, taking along, proving. */
import { readFile } from 'node:fs/promises';
import type { StatementRecord } from '@quittance/contract/report';
import { inOneMoment } from '@quittance/server/db/one-moment';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { notFound } from '@quittance/server/lib/errors';
import { isDay } from '@quittance/server/lib/local-day';
import type { StatementEnvelope } from '@quittance/server/reports/check-statement-chain';
import { type DailyStatement, envelopeOf } from '@quittance/server/reports/daily-statement';
import { findLastStatement, listDailyStatements } from '@quittance/server/reports/daily-statement-store';
import { readPeriod } from '@quittance/server/reports/report-period';
import {
  openStatementKeys,
  type PublicKeys,
  publicKeysOf,
  readPublishedKeys,
  renewStatementKey,
  statementKeysPath,
} from '@quittance/server/reports/statement-key';
import {
  type Verdict,
  verifyAccount,
  verifyFiles,
  verifyKeptFiles,
} from '@quittance/server/reports/verify-daily-statements';
import { createApiClient } from '../api-client.ts';
import { type Command, CommandError, command, type Output, UsageError } from '../command-line.ts';
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
      const rows = data.map(({ number, firstDay, day, entries, audit, digest, keyId }) => [
        number,
        firstDay === day ? day : `${firstDay} – ${day}`,
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
      'Signature, chain, sums, and that the database still says the same: of files that were downloaded, or of all days of an account up to the last closed one. With --keys only files are read, no database: that is how anybody else proves them.',
    options: {
      file: { value: 'path', meaning: 'A file that was downloaded; may be given several times.', isRepeatable: true },
      keys: { value: 'path', meaning: `The published keys, as they are at ${statementKeysPath}.` },
      merchant: { value: 'merchantId', meaning: 'All days of this account.' },
      until: { value: 'day', meaning: 'With --merchant: the day up to which they must be there.' },
    },
    examples: [
      'statement verify --merchant 8fk2m1x0c3ab',
      'statement verify --file october.json',
      'statement verify --file october.json --keys keys.json',
    ],
    async run({ withDatabase, openEncryption }, _given, { file, keys, merchant, until }) {
      if ((file.length === 0) === (merchant === undefined)) throw new UsageError('Say --file or --merchant.');
      if (keys !== undefined && merchant !== undefined) throw new UsageError('--keys is for files.');
      if (until !== undefined && !isDay(until)) throw new UsageError('--until must be like 2026-10-31.');
      const given = (await Promise.all(file.map(readEnvelopes))).flat();
      if (keys !== undefined)
        return told(verifyFiles(await readKeys(keys), given), 'signed by these keys, and chained');
      const encryption = await openEncryption();
      const verdict = await withDatabase((db) =>
        inOneMoment(db, async (tx) => {
          const ours = publicKeysOf(await openStatementKeys(tx, encryption));
          if (merchant === undefined) return verifyKeptFiles(tx, ours, given);
          if (!(await findLastStatement(tx, merchant))) throw notFound('signed statement of the merchant', merchant);
          return verifyAccount(tx, ours, merchant, until ?? clock.now());
        }),
      );
      return told(verdict, 'signed by us, chained, and what the database says');
    },
  }),
  command({
    name: 'statement key renew',
    summary: 'Make another key for signed days.',
    details:
      'Each account names it in its next statement, which the old key signs, and uses it from the one after that. Old keys stay published: what they signed is proven by them.',
    examples: ['statement key renew'],
    async run({ withDatabase, openEncryption }) {
      const encryption = await openEncryption();
      const { id } = await withDatabase((db) => renewStatementKey(db, encryption, clock.now()));
      return { data: { id }, text: `The key ${id} signs from the second next day of each account on.` };
    },
  }),
];

function told({ problems, notes, chains }: Verdict, proven: string): Output {
  const isSound = problems.length === 0;
  const count = chains.reduce((sum, { statements }) => sum + statements.length, 0);
  const accounts = chains.map(({ account, statements }) => {
    const [first, last] = [statements[0], statements.at(-1)];
    return { account, from: first?.said.day, to: last?.said.day, number: last?.said.number, sha256: last?.digest };
  });
  const ends = accounts.map(
    ({ account, from, to, number, sha256 }) =>
      `${account}: ${from} to ${to}, the last is number ${number}, SHA-256 ${sha256}.`,
  );
  const head = isSound ? [`${count} statements are sound: ${proven}.`] : problems;
  return {
    data: { isSound, count, problems, notes, accounts },
    text: [...head, ...notes, ...ends].join('\n'),
    exitCode: isSound ? 0 : 1,
  };
}

async function readKeys(path: string): Promise<PublicKeys> {
  try {
    return readPublishedKeys(await readFile(path, 'utf8'));
  } catch (error) {
    throw new CommandError(`${path} has no keys in it: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

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
