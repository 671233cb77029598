/** Which files a check must look at again: the hash of every file that passed is remembered. */
export type Hashes = Readonly<Record<string, string>>;

/** All of them when one of `rules` changed: the configuration of the tools, or their versions. */
export function filesToCheck(passed: Hashes, now: Hashes, rules: readonly string[]): string[] {
  const differs = (path: string): boolean => passed[path] !== now[path];
  const files = Object.keys(now).filter((path) => !rules.includes(path));
  return rules.some(differs) ? files : files.filter(differs);
}
