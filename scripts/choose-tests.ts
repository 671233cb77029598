/**
 * Which test files a run takes, and how much of them. A file says it by its name: `*.deep.test.ts` is only for `npm run
 * test:deep`; of `*.sampled.test.ts` `npm test` runs a sample and `npm run test:deep` everything; all others are only
 * for `npm test`. Of deaths at any point a deep run tells each third (see depth.ts); files that are asked for by name are
 * run whole, and so is `npm run test:deep -- --whole`.
 */
export type Depth = 'sample' | 'deep' | 'all';

export function chooseTests(
  paths: readonly string[],
  {
    wanted,
    isDeep,
    isWhole = false,
  }: { readonly wanted: readonly string[]; readonly isDeep: boolean; readonly isWhole?: boolean },
): { readonly files: string[]; readonly depth: Depth } {
  const isChosen = (path: string): boolean => {
    if (wanted.length > 0) return wanted.some((part) => path.includes(part));
    if (path.endsWith('.sampled.test.ts')) return true;
    return path.endsWith('.deep.test.ts') === isDeep;
  };
  const files = paths.filter(isChosen).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  if (isWhole || wanted.length > 0) return { files, depth: 'all' };
  return { files, depth: isDeep ? 'deep' : 'sample' };
}

/**
 * First the stories of the service and of its commands, because they take long: at the end the quick ones fill both
 * cores.
 */
const rank = (path: string): number => (/^(?:server\/test|scripts)\//.test(path) ? 0 : 1);
