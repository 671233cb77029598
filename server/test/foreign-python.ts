/**
 * Programs that are not ours, of Debian's python3-stdnum and python3-segno: the one knows numbers of accounts, banks and
 * references, the other writes codes for banking apps.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const program = '/usr/bin/python3';
const folder = '/usr/lib/python3/dist-packages';

export const hasStdnum = (): boolean => existsSync(program) && existsSync(`${folder}/stdnum/iso11649.py`);
export const hasSegno = (): boolean => existsSync(program) && existsSync(`${folder}/segno/helpers.py`);

/** `lines` see what is given as `given`, and leave what is asked for in `answer`. */
export function askPython(lines: string, given: unknown): unknown {
  const script = `import json, sys\ngiven = json.load(sys.stdin)\n${lines}\njson.dump(answer, sys.stdout)\n`;
  const { status, stdout, stderr, error } = spawnSync(program, ['-c', script], {
    encoding: 'utf8',
    input: JSON.stringify(given),
    env: { PYTHONIOENCODING: 'utf-8' },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
