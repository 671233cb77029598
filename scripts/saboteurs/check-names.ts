import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const compiler = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));

const isSyntax = (code: number): boolean => code >= 1000 && code < 2000;
/** Names, members and modules that are nowhere. Other complaints do not keep the code from running. */
const isNowhere = (code: number): boolean => [2304, 2305, 2307, 2448, 2503, 2552, 2724, 18004].includes(code);

export type Variant = { readonly path: string; readonly text: string };

/**
 * What keeps a variant of a file from running, by its position in the list. A fault that is a wrong name would be
 * noticed by any test that comes by, and so would say nothing about the tests. All variants lie beside their files for
 * a moment, so that the compiler runs twice and not as often as there are variants: while one cannot be read, it says nothing
 * about names.
 */
export async function findFatalErrors(root: string, variants: readonly Variant[]): Promise<Map<number, string>> {
  const placed = new Map<number, string>();
  const errors = new Map<number, string>();
  const remove = (position: number): Promise<void> => rm(placed.get(position) ?? '', { force: true });
  try {
    for (const [position, { path, text }] of variants.entries()) {
      if (!path.endsWith('.ts')) continue;
      placed.set(position, join(root, path.replace(/\.ts$/, `.variant-${position}.ts`)));
      await writeFile(placed.get(position) ?? '', text);
    }
    for (const isFatal of [isSyntax, isNowhere])
      for (const { position, code, complaint } of await complaintsAbout(root))
        if (isFatal(code) && !errors.has(position)) {
          errors.set(position, complaint);
          await remove(position);
        }
  } finally {
    for (const position of placed.keys()) await remove(position);
  }
  return errors;
}

async function complaintsAbout(root: string): Promise<{ position: number; code: number; complaint: string }[]> {
  const child = spawn(compiler, ['--noEmit', '--pretty', 'false'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  await once(child, 'close');
  const found = Buffer.concat(output)
    .toString()
    .matchAll(/\.variant-(\d+)\.ts\(\d+,\d+\): error TS(\d+): (.*)/g);
  return Array.from(found, ([, position, code, complaint = '']) => ({
    position: Number(position),
    code: Number(code),
    complaint,
  }));
}
