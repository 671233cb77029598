/**
 * `npm run test:saboteurs`: puts deliberate faults (server/test/saboteurs) into copies of the code, one by one, and
 * expects that the named test fails. It takes a sample, the same until the next version, so that a commit fails only
 * for its own fault and never by chance; `--all` before a release, which may be interrupted and goes on where it ended.
 */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fetchAnvil } from './fetch-anvil.ts';
import { openWorkplaces } from './saboteurs/open-workplaces.ts';
import { readSaboteurs } from './saboteurs/read-saboteurs.ts';
import { sampleSaboteurs } from './saboteurs/sample-saboteurs.ts';
import { isFine, openRecord } from './saboteurs/trial-record.ts';
import { trySaboteurs, type Verdict } from './saboteurs/try-saboteurs.ts';
import { installSystemPackages } from './system-packages.ts';
import { scratchPlace } from './test-postgres.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Some minutes on two cores, more if most of them are noticed by stories. */
const usualCount = '24';
const usualAtATime = '2';
const usage = `npm run test:saboteurs -- [options]
  --seed <text>            Draw the sample with this seed; the version, if left out.
  --count <number>         So many of them; ${usualCount} if left out.
  --all                    All of them, hours: again after an interruption, it goes on where it ended.
  --at-a-time <number>     So many beside each other; ${usualAtATime} if left out.
  --only <text>            All that have this text in their file, fault or test; may be repeated.
  --limit-minutes <number> Begin no further one after so many minutes.`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: usualCount },
    all: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    'limit-minutes': { type: 'string' },
    'at-a-time': { type: 'string', default: usualAtATime },
    help: { type: 'boolean', default: false },
  },
});
const count = Number(values.count);
const limitMinutes = Number(values['limit-minutes'] ?? Number.POSITIVE_INFINITY);
const atATime = Number(values['at-a-time']);
const isCount = (number: number): boolean => Number.isInteger(number) && number > 0;
if (values.help || !isCount(count) || !isCount(atATime) || !(limitMinutes > 0)) {
  console.error(usage);
  process.exit(values.help ? 0 : 2);
}

const { only } = values;
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
const seed = values.seed ?? version;
const listed = await readSaboteurs(root);
const wanted = listed.filter(
  ({ file, fault, noticedBy }) =>
    only === undefined || only.some((part) => [file, fault, noticedBy].some((text) => text.includes(part))),
);
const isSample = !values.all && only === undefined;
const record = values.all ? openRecord(root) : undefined;
const chosen = isSample ? sampleSaboteurs(wanted, seed, count) : wanted;
const saboteurs = chosen.filter((saboteur) => !record?.isDone(saboteur));
if (chosen.length === 0) {
  console.error(`None of the ${listed.length} saboteurs has ${only?.join(' or ')} in its file, fault or test.`);
  process.exit(1);
}
const again = isSample ? ` Again: npm run test:saboteurs -- --seed ${seed} --count ${count}` : '';
console.log(`${saboteurs.length} of ${listed.length} saboteurs.${again}`);
if (values.all && record === undefined)
  console.log('Something is not committed: what is found out now counts for no release, and not for the next run.');

installSystemPackages();
fetchAnvil();
const startedAt = performance.now();
const folder = await mkdtemp(join(scratchPlace(), 'quittance-saboteurs-'));
await chmod(folder, 0o755);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
const database = await openWorkplaces(folder, atATime);
const verdicts = await trySaboteurs({
  root,
  saboteurs,
  workplaces: database.workplaces,
  isOver: () => performance.now() - startedAt > limitMinutes * 60_000,
  signal: stopping.signal,
  report(verdict) {
    record?.add(verdict);
    console.log(lineOf(verdict));
  },
});
await database.stop();
await rm(folder, { recursive: true, force: true });

const wrong = verdicts.filter((verdict) => !isFine(verdict) && verdict.kind !== 'left out');
if (only === undefined && verdicts.every(isFine)) record?.close(listed.length);
const totals = Object.entries(Object.groupBy(verdicts, ({ kind }) => kind)).map(
  ([kind, each]) => `${each.length} ${kind}`,
);
console.log(`\n${totals.join(', ')}, in ${Math.round((performance.now() - startedAt) / 1000)} seconds.`);
for (const verdict of wrong) {
  console.log(`\n${lineOf(verdict)}`);
  console.log(`  Its test: npm test -- ${verdict.saboteur.noticedBy}`);
  console.log(`  Again: npm run test:saboteurs -- --only ${JSON.stringify(verdict.saboteur.fault)}`);
}
process.exit(wrong.length === 0 && !stopping.signal.aborted ? 0 : 1);

function lineOf({ kind, saboteur, reason }: Verdict): string {
  const label = kind === 'survived' ? 'SURVIVED' : kind;
  return `${label.padEnd(10)} ${saboteur.file}: ${saboteur.fault}${reason === '' ? '' : `\n           ${reason}`}`;
}
