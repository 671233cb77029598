/** What a check has to look at again: the content of every file that passed is remembered, by its hash. */
export type Hashes = Readonly<Record<string, string>>;

/** All of them when one of `rules` changed: what the tools are told, and which tools they are. */
export function filesToCheck(passed: Hashes, now: Hashes, rules: readonly string[]): string[] {
  const differs = (path: string): boolean => passed[path] !== now[path];
  const files = Object.keys(now).filter((path) => !rules.includes(path));
  return rules.some(differs) ? files : files.filter(differs);
}
