/**
 * How often the functions and blocks of our own code were run: a measure of work that is the same on every machine,
 * however busy it is, where a time is not. What the language does by itself is not counted, but all that it calls is.
 */
import { Session } from 'node:inspector/promises';

const ours = new URL('../src/', import.meta.url).href;

export async function countedWork(work: () => void): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const ranges = result
    .filter(({ url }) => url.startsWith(ours) && !url.endsWith('.test.ts'))
    .flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}
