/** The ledger and the jobs: what an operator looks into when somebody asks. */

import { listJobs, queueDepth, retryParkedJob } from '@quittance/server/jobs/job-store';
import { listBalances } from '@quittance/server/ledger/ledger-store';
import { verifyLedger } from '@quittance/server/ledger/verify-ledger';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { parseDecimal, toUnits } from '@quittance/server/money/decimal';
import { rebuildDays } from '@quittance/server/reports/fold-days';
import { adoptDifference } from '@quittance/server/watching/adopt-difference';
import { isSound } from '@quittance/server/watching/reconcile';
import { lastReconciliations } from '@quittance/server/watching/reconciliation-store';
import { askForCount } from '../ask-for-count.ts';
import { type Command, CommandError, command, readCount, UsageError } from '../command-line.ts';
import { accountText, amountText, assetCode, detailText, ledgerScale, textTable } from '../text-table.ts';

export const booksCommands: readonly Command[] = [
  command({
    name: 'ledger verify',
    summary: 'Prove the books from the lines up; exit code 1 if anything is off.',
    examples: ['ledger verify'],
    async run({ withDatabase }) {
      const problems = await withDatabase(verifyLedger);
      const isSound = problems.length === 0;
      return {
        data: { isSound, problems },
        text: isSound
          ? 'The ledger is sound: every entry balances and every balance is the sum of its lines.'
          : problems.join('\n'),
        exitCode: isSound ? 0 : 1,
      };
    },
  }),
  command({
    name: 'days rebuild',
    summary: 'Make the days of accounts anew from the ledger.',
    details:
      'A worker does it within seconds, a month at a time. Needed only when what an account shows of past days is not what its ledger says: a closed day is made by itself, ten minutes after midnight in the time zone of the account.',
    options: { merchant: { value: 'merchantId', meaning: 'Only of this merchant.' } },
    examples: ['days rebuild', 'days rebuild --merchant 8fk2m1x0c3ab'],
    async run({ withDatabase }, { merchant }) {
      const accounts = await withDatabase((db) => rebuildDays(db, merchant ?? null));
      return { data: { accounts }, text: `A worker makes the days of ${accounts} accounts anew.` };
    },
  }),
  command({
    name: 'ledger reconcile',
    summary: 'Compare the books with what the networks say that we hold; exit code 1 if they differ.',
    details:
      'The running service asks its nodes. What is in a block but not booked yet counts as arriving or leaving; crumbs are too small to be booked one by one, and together not worth it yet; what was broadcast and is in no block may be on either side.',
    examples: ['ledger reconcile'],
    async run({ withDatabase }) {
      const found = await withDatabase((db) => askForCount(db, () => lastReconciliations(db)));
      const data = found.map(({ network, asset, ...units }) => ({
        network,
        asset,
        held: amountText(units.held, asset),
        booked: amountText(units.booked, asset),
        arriving: amountText(units.arriving, asset),
        crumbs: amountText(units.crumbs, asset),
        leaving: amountText(units.leaving, asset),
        underway: amountText(units.underway, asset),
        difference: amountText(units.difference, asset),
        isSound: isSound(units),
      }));
      const rows = data.map((row) => [
        ...[
          row.network,
          assetCode(row.asset),
          row.held,
          row.booked,
          row.arriving,
          row.crumbs,
          row.leaving,
          row.underway,
        ],
        row.isSound ? 'sound' : `OFF BY ${row.difference}`,
      ]);
      const heading = ['NETWORK', 'ASSET', 'HELD', 'BOOKED', 'ARRIVING', 'CRUMBS', 'LEAVING', 'UNDER WAY', ''];
      return { data, text: textTable(heading, rows), exitCode: data.every((row) => row.isSound) ? 0 : 1 };
    },
  }),
  command({
    name: 'ledger adopt',
    summary: 'Book as your own what a network holds beyond the books, when you know where it came from.',
    details:
      'A channel that you opened, coins sent to an address that was not asked for. It is counted again, and the amount must be just what that finds. What the books have and the network does not is never booked away.',
    arguments: ['network', 'asset', 'amount'],
    examples: ['ledger adopt LIGHTNING BTCLN 0.05'],
    run: ({ withDatabase }, { network: name, asset: code, amount }) =>
      withDatabase(async (db) => {
        const network = name.toUpperCase();
        const found = await askForCount(db, () => lastReconciliations(db));
        const counted = found.find((each) => each.network === network && assetCode(each.asset) === code.toUpperCase());
        if (!counted) throw new CommandError(`No ${code} is counted on ${name}: see ledger reconcile.`);
        const { asset } = counted;
        const units = readUnits(amount, asset);
        await adoptDifference({ db, clock }, { network, asset, units });
        return {
          data: { network, asset, amount: amountText(units, asset) },
          text: `${amountText(units, asset)} ${assetCode(asset)} on ${network} are yours in the books now.`,
        };
      }),
  }),
  command({
    name: 'ledger balances',
    summary: 'List every account that is not at zero.',
    details:
      "What we owe is positive; the operator's wallet accounts are the other side and negative: each asset adds up to zero.",
    options: { merchant: { value: 'merchantId', meaning: 'Only the accounts of this merchant.' } },
    examples: ['ledger balances', 'ledger balances --merchant 4cq0zr1lbdk9'],
    async run({ withDatabase }, _, { merchant = null }) {
      const balances = await withDatabase((db) => listBalances(db, merchant));
      const data = balances.map(({ account, asset, units }) => ({ account, asset, amount: amountText(units, asset) }));
      const rows = data.map(({ account, asset, amount }) => [accountText(account), `${amount} ${assetCode(asset)}`]);
      return { data, text: textTable(['ACCOUNT', 'BALANCE'], rows) };
    },
  }),
  command({
    name: 'job list',
    summary: 'List the jobs: parked, running, due and waiting.',
    options: { limit: { value: 'count', meaning: 'At most so many (50).' } },
    examples: ['job list'],
    run: ({ withDatabase }, _, { limit = '50' }) =>
      withDatabase(async (db) => {
        const now = clock.now();
        const [depth, jobs] = await Promise.all([
          queueDepth(db, now),
          listJobs(db, now, readCount('--limit', limit, 10_000)),
        ]);
        const rows = jobs.map((job) => [
          job.id,
          job.state,
          job.name,
          job.runAt,
          job.attempts,
          detailText(job.payload),
          job.lastError ?? '',
        ]);
        const table = textTable(['JOB', 'STATE', 'NAME', 'RUNS AT', 'ATTEMPTS', 'ABOUT', 'LAST ERROR'], rows);
        const totals = `${depth.due} due, ${depth.waiting} waiting, ${depth.parked} parked`;
        return { data: { ...depth, jobs }, text: `${totals}\n\n${table}` };
      }),
  }),
  command({
    name: 'job retry',
    summary: 'Run a parked job again.',
    arguments: ['jobId'],
    examples: ['job retry 1234'],
    async run({ withDatabase }, { jobId }) {
      if (!/^[0-9]{1,18}$/.test(jobId)) throw new UsageError('<jobId> must be a number, as job list prints it.');
      const isRetried = await withDatabase((db) => retryParkedJob(db, jobId, clock.now()));
      if (!isRetried) throw new CommandError(`There is no parked job ${jobId}.`);
      return { data: { jobId }, text: `Job ${jobId} runs again now.` };
    },
  }),
];

function readUnits(amount: string, asset: string): bigint {
  const parsed = parseDecimal(amount);
  const units = parsed && toUnits(parsed, ledgerScale(asset), 'down');
  if (!units || units < 0n || amountText(units, asset) !== amount)
    throw new UsageError('<amount> must be the difference as ledger reconcile prints it, more than 0.');
  return units;
}
