/**
 * How much is told of a story that could go on for long. `npm test` tells a sample of every `*.sampled.test.ts`: one
 * death, where a process can die at forty points. `npm run test:deep` tells all of it but for two of three deaths; whoever
 * names the file, or asks for the whole (`npm run test:deep -- --whole`), leaves nothing out.
 */
import { type TestContext, test } from 'node:test';

export function isSample(): boolean {
  const file = process.argv[1] ?? '';
  // `npm run test:deep` takes files by their names: of any other the rest would be told to nobody.
  if (/\.test\.m?[jt]s$/.test(file) && !/\.(sampled|deep)\.test\.m?[jt]s$/.test(file))
    throw new Error(`${file} tells only a sample of something: name it *.sampled.test.ts.`);
  return process.env['TEST_DEPTH'] === 'sample';
}

/** Of points that lie side by side, of which each costs a whole story: one of so many is tried. */
export const strideOfPoints = (): number => (process.env['TEST_DEPTH'] === 'deep' ? 3 : 1);

export const isEveryPointTried = (): boolean => !isSample() && strideOfPoints() === 1;

/** A story that a sample leaves out, because another one of its file is told there. */
export function deepTest(name: string, story: (t: TestContext) => Promise<void>): void {
  if (!isSample()) void test(name, story);
}

/** All of them; in a sample only those that are chosen, of which there must be some. */
export function sampleOf<T>(all: readonly T[], isChosen: (each: T, at: number) => boolean): readonly T[] {
  if (!isSample()) return all;
  const chosen = all.filter(isChosen);
  if (chosen.length === 0) throw new Error('a sample of nothing shows nothing');
  return chosen;
}
