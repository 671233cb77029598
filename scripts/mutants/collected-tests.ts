/**
 * Stands in for `node:test` while faults are tried: a test is only remembered, so that it can be run a thousand times in
 * one process. It knows no more of `node:test` than tests of rules need; whoever imports more is told so by the loader.
 */
export type CollectedTest = { readonly file: string; readonly name: string; readonly run: () => unknown };

let loading = '';
const collected: CollectedTest[] = [];

export function test(name: string, ...rest: readonly unknown[]): void {
  const run = rest.at(-1);
  if (typeof run !== 'function') throw new Error(`The test ${name} in ${loading} has no function.`);
  collected.push({ file: loading, name, run: run as () => unknown });
}

/** The tests of a file, which registers them while it is being loaded. One file at a time. */
export async function collectTests(file: string, load: () => Promise<unknown>): Promise<readonly CollectedTest[]> {
  const before = collected.length;
  loading = file;
  await load();
  return collected.slice(before);
}
