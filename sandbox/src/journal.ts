/**
 * A file with one JSON record per line, to which lines are only added. A process killed during a write leaves half a
 * line behind; it counts as never written, and the next start removes it.
 */
import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export type Journal<Entry> = { append(entry: Entry): void; close(): void };

export function openJournal<Entry>(path: string): { journal: Journal<Entry>; entries: Entry[] } {
  mkdirSync(dirname(path), { recursive: true });
  const content = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const wholeBytes = content.lastIndexOf(10) + 1;
  const lines = content.subarray(0, wholeBytes).toString('utf8').split('\n');
  const entries = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Entry);
  const file = openSync(path, 'a');
  if (wholeBytes < content.length) ftruncateSync(file, wholeBytes);
  return {
    journal: { append: (entry) => void writeSync(file, `${JSON.stringify(entry)}\n`), close: () => closeSync(file) },
    entries,
  };
}

/** For a chain that need not outlive its process. */
export const noJournal: Journal<unknown> = { append: () => undefined, close: () => undefined };
