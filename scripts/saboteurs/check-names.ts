import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const compiler = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));

/** Syntax, and names or modules that are nowhere. Other complaints do not keep the code from running. */
const isFatal = (code: number): boolean =>
  (code >= 1000 && code < 2000) || [2304, 2305, 2307, 2448, 2503, 2552, 2724, 18004].includes(code);

export type Variant = { readonly path: string; readonly text: string };

/**
 * What keeps a variant of a file from running, by its position in the list. A fault that is a wrong name would be
 * noticed by any test that comes by, and so would say nothing about the tests. All variants lie beside their files for
 * a moment, so that the compiler runs once.
 */
export async function findFatalErrors(root: string, variants: readonly Variant[]): Promise<Map<number, string>> {
  const typescript = variants.flatMap(({ path, text }, position) =>
    path.endsWith('.ts') ? [{ path: path.replace(/\.ts$/, `.variant-${position}.ts`), text }] : [],
  );
  const errors = new Map<number, string>();
  try {
    for (const { path, text } of typescript) await writeFile(join(root, path), text);
    const child = spawn(compiler, ['--noEmit', '--pretty', 'false'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    await once(child, 'close');
    const complaints = Buffer.concat(output)
      .toString()
      .matchAll(/\.variant-(\d+)\.ts\(\d+,\d+\): error TS(\d+): (.*)/g);
    for (const [, position, code, complaint] of complaints) {
      if (isFatal(Number(code)) && !errors.has(Number(position))) errors.set(Number(position), complaint ?? '');
    }
  } finally {
    for (const { path } of typescript) await rm(join(root, path), { force: true });
  }
  return errors;
}
