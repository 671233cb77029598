/** Several test files in one process: each is a suite with its own hooks, under its own name. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { hookedForAll } from './share-processes.ts';
import { watchWhileLoading } from './watch-while-loading.ts';

// Loaded synchronously: so the tests that a file declares while it is loaded belong to its suite.
const load = createRequire(import.meta.url);

/** All files are paths in `root`. */
export function tellTogether(files: readonly string[], root: string): void {
  const endWatch = watchWhileLoading();
  for (const path of hookedForAll) load(join(root, path));
  for (const file of files) void suite(file, () => tell(join(root, file)));
  endWatch();
}

function tell(path: string): void {
  try {
    load(path);
  } catch (error) {
    // A failed suite is not counted as a failure; a failed test is.
    void test('it can be loaded', () => Promise.reject(error));
  }
}
