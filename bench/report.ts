/** The table: every figure with its baseline, its goal, and what limits it. */
import { availableParallelism } from 'node:os';
import { present } from '../server/src/lib/assert.ts';
import type { BlockScan } from './block-scan.ts';
import { type Operation, operations, type Rates } from './measure.ts';

export type Report = {
  /** The rates of every round. */
  readonly withFew: ReadonlyMap<Operation, readonly Rates[]>;
  readonly withMany: ReadonlyMap<Operation, readonly Rates[]> | null;
  readonly many: number;
  readonly blockScan: BlockScan | null;
  readonly idleMegabytes: number | null;
};

type Line = {
  readonly figure: string;
  readonly ours: string;
  readonly baseline: string;
  readonly ratio: string;
  readonly goal: string;
  readonly isMet: boolean;
  readonly limit: string;
};

const described: Record<Operation, { name: string; baseline: string; goal: number; limit: string }> = {
  create: {
    name: 'POST /checkout',
    baseline: 'pgbench',
    goal: 0.6,
    limit: 'processor time of the JavaScript. Its profile is flat: HTTP, the signature, the reading, the quotes.',
  },
  hosted: { name: 'POST /checkout/hosted', baseline: 'pgbench', goal: 0.6, limit: 'the same as POST /checkout.' },
  commit: {
    name: 'POST /checkout/commit',
    baseline: 'pgbench',
    goal: 0.6,
    limit: 'the derivation of the deposit address, one multiplication on the curve, in JavaScript.',
  },
  read: {
    name: 'GET /checkout',
    baseline: 'bare server',
    goal: 0.5,
    limit: 'the same thread: HTTP, and the way from rows to a record to JSON.',
  },
  pipeline: {
    name: 'observed → credited → webhook recorded',
    baseline: 'pgbench, ledger only',
    goal: 0.5,
    limit: 'PostgreSQL, which writes some twenty rows for every payment; pgbench queues for the lock of one account.',
  },
};
const growthMax = 1.3;
const addedMsMax = 100;
const megabytesMax = 300;

export function printReport(report: Report): void {
  const lines = [...rateLines(report), ...growthLines(report), ...blockLines(report), ...memoryLines(report)];
  const columns = ['figure', 'ours', 'baseline', 'ratio', 'goal'] as const;
  const table = [
    ['figure', 'ours', 'baseline', 'ratio', 'goal', 'met'],
    ['---', '--:', '--:', '--:', '--:', '---'],
    ...lines.map((line) => [...columns.map((column) => line[column]), line.isMet ? 'yes' : 'NO']),
  ];
  print(`${availableParallelism()} cores, ${process.arch}, Node ${process.versions.node}\n`);
  printTable(table);
  print('\nWhat limits them:');
  for (const line of lines) if (line.limit !== '') print(`- ${line.figure}: ${line.limit}`);
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

export function printTable(table: readonly (readonly string[])[]): void {
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table) print(`| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
}

const measured = (rates: ReadonlyMap<Operation, readonly Rates[]>): Operation[] =>
  operations.filter((operation) => rates.has(operation));

const ratioOf = ({ ours, baseline }: Rates): number => ours / baseline;

export function medianBy<T>(items: readonly T[], value: (item: T) => number): T {
  const sorted = [...items].sort((a, b) => value(a) - value(b));
  return present(sorted[Math.floor(sorted.length / 2)], 'median of the rounds');
}

const rateLines = ({ withFew, withMany, many }: Report): Line[] =>
  [{ rates: withFew, stored: 10_000 }, ...(withMany ? [{ rates: withMany, stored: many }] : [])].flatMap(
    ({ rates, stored }) =>
      measured(rates).map((operation) => {
        const { name, baseline, goal, limit } = described[operation];
        const median = medianBy(rates.get(operation) ?? [], ratioOf);
        return {
          figure: `${name}, ${stored} stored`,
          ours: `${median.ours.toFixed(0)}/s`,
          baseline: `${median.baseline.toFixed(0)}/s (${baseline})`,
          ratio: ratioOf(median).toFixed(2),
          goal: `≥ ${goal.toFixed(2)}`,
          isMet: ratioOf(median) >= goal,
          limit: stored === 10_000 ? limit : '',
        };
      }),
  );

/** Compared round by round: within a round the machine is equally busy for all. */
function growthLines({ withFew, withMany, many }: Report): Line[] {
  if (!withMany) return [];
  return measured(withMany).map((operation) => {
    const few = (withFew.get(operation) ?? []).map(({ ours }) => 1e6 / ours);
    const rounds = (withMany.get(operation) ?? []).map(({ ours }, round) => ({
      cost: 1e6 / ours,
      few: few[round] ?? 0,
    }));
    const median = medianBy(rounds, (round) => round.cost / round.few);
    return {
      figure: `${described[operation].name}, cost with ${many} over cost with 10000`,
      ours: `${median.cost.toFixed(0)} µs`,
      baseline: `${median.few.toFixed(0)} µs`,
      ratio: (median.cost / median.few).toFixed(2),
      goal: `≤ ${growthMax.toFixed(2)}`,
      isMet: median.cost / median.few <= growthMax,
      limit: '',
    };
  });
}

const blockLines = ({ blockScan }: Report): Line[] =>
  blockScan === null
    ? []
    : [
        {
          figure: `block of 3000 transactions (${blockScan.megabytes.toFixed(1)} MB), time added to the node's`,
          ours: `${blockScan.addedMs.toFixed(0)} ms`,
          baseline: `${blockScan.nodeMs.toFixed(0)} ms (node)`,
          ratio: '',
          goal: `< ${addedMsMax} ms`,
          isMet: blockScan.addedMs < addedMsMax,
          limit: 'JSON.parse of the block, and the look-up of its addresses.',
        },
      ];

const memoryLines = ({ idleMegabytes }: Report): Line[] =>
  idleMegabytes === null
    ? []
    : [
        {
          figure: 'idle memory, all roles in one process',
          ours: `${idleMegabytes.toFixed(0)} MB`,
          baseline: '',
          ratio: '',
          goal: `< ${megabytesMax} MB`,
          isMet: idleMegabytes < megabytesMax,
          limit: 'Node itself and the code; nothing is kept that grows with the number of checkouts.',
        },
      ];
