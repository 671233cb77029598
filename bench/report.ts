/** The table: every figure with its baseline, its goal, and what keeps it from being better. */
import { availableParallelism } from 'node:os';
import type { BlockScan } from './block-scan.ts';
import { type Operation, operations, type Rates } from './measure.ts';

export type Report = {
  readonly withFew: ReadonlyMap<Operation, Rates>;
  readonly withMany: ReadonlyMap<Operation, Rates>;
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
    limit:
      'the one thread that runs JavaScript: half of it is HTTP, the rest the signature, the reading and the quotes.',
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
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  print(`${availableParallelism()} cores, ${process.arch}, Node ${process.versions.node}\n`);
  for (const row of table) print(`| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  print('\nWhat limits them:');
  for (const line of lines) if (line.limit !== '') print(`- ${line.figure}: ${line.limit}`);
}

const measured = (rates: ReadonlyMap<Operation, Rates>): Operation[] =>
  operations.filter((operation) => rates.has(operation));

const rateLines = ({ withFew, withMany, many }: Report): Line[] =>
  [{ rates: withFew, stored: 10_000 }, ...(withMany === withFew ? [] : [{ rates: withMany, stored: many }])].flatMap(
    ({ rates, stored }) =>
      measured(rates).map((operation) => {
        const { name, baseline, goal, limit } = described[operation];
        const { ours, baseline: other } = rates.get(operation) as Rates;
        return {
          figure: `${name}, ${stored} stored`,
          ours: `${ours.toFixed(0)}/s`,
          baseline: `${other.toFixed(0)}/s (${baseline})`,
          ratio: (ours / other).toFixed(2),
          goal: `≥ ${goal.toFixed(2)}`,
          isMet: ours / other >= goal,
          limit: stored === 10_000 ? limit : '',
        };
      }),
  );

const growthLines = ({ withFew, withMany, many }: Report): Line[] =>
  withMany === withFew
    ? []
    : measured(withMany).map((operation) => {
        const few = 1e6 / (withFew.get(operation) as Rates).ours;
        const cost = 1e6 / (withMany.get(operation) as Rates).ours;
        return {
          figure: `${described[operation].name}, cost at ${many} over cost at 10000`,
          ours: `${cost.toFixed(0)} µs`,
          baseline: `${few.toFixed(0)} µs`,
          ratio: (cost / few).toFixed(2),
          goal: `≤ ${growthMax.toFixed(2)}`,
          isMet: cost / few <= growthMax,
          limit: '',
        };
      });

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
