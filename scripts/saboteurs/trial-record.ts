/**
 * What is known of the saboteurs of one commit. All of them take hours: whoever is interrupted goes on where it ended, and a
 * release demands that the last one was reached. A commit with other contents begins anew, because any line may be what
 * noticed a fault.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Saboteur } from '../../server/test/saboteurs/saboteur.ts';
import type { Verdict } from './try-saboteurs.ts';

type Line = { readonly id: string; readonly kind: string } | { readonly allOf: number };

export type TrialRecord = {
  /** Whether nothing more has to be found out about it. */
  isDone(saboteur: Saboteur): boolean;
  add(verdict: Verdict): void;
  /** All that are listed are done. */
  close(count: number): void;
};

export const isFine = ({ kind }: Pick<Verdict, 'kind'>): boolean => kind === 'noticed' || kind === 'skipped';

/** Undefined while something is not committed: nobody could say later what was tried. */
export function openRecord(root: string): TrialRecord | undefined {
  const path = recordPath(root);
  if (path === undefined) return undefined;
  mkdirSync(dirname(path), { recursive: true });
  const done = new Set(readLines(path).flatMap((line) => ('id' in line ? [line.id] : [])));
  const append = (line: Line): void => appendFileSync(path, `\n${JSON.stringify(line)}\n`);
  return {
    isDone: (saboteur) => done.has(idOf(saboteur)),
    add(verdict) {
      if (isFine(verdict)) append({ id: idOf(verdict.saboteur), kind: verdict.kind });
    },
    close: (count) => append({ allOf: count }),
  };
}

/** Whether all saboteurs of what is committed were tried, and noticed. */
export function areAllNoticed(root: string): boolean {
  const path = recordPath(root);
  return path !== undefined && readLines(path).some((line) => 'allOf' in line);
}

function recordPath(root: string): string | undefined {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  if (git('status', '--porcelain') !== '') return undefined;
  return join(root, 'node_modules/.cache/saboteurs', `${git('rev-parse', 'HEAD^{tree}')}.jsonl`);
}

const idOf = ({ file, fault }: Saboteur): string => `${file}: ${fault}`;

function readLines(path: string): Line[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const whole = text.split('\n').filter((line) => line.endsWith('}')); // One is cut off where the process was killed.
  return whole.map((line) => JSON.parse(line) as Line);
}
