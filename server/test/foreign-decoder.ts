/** A reader of codes that is not ours: zbarimg, of Debian's zbar-tools. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const program = '/usr/bin/zbarimg';

export const hasForeignDecoder = (): boolean => existsSync(program);

/** What the only code on the picture says; empty when it cannot be read. */
export function decodeForeign(png: Buffer): string {
  const { stdout, error } = spawnSync(program, ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', 'png:-'], {
    input: png,
  });
  if (error) throw error;
  return stdout.toString().replace(/\n$/, '');
}
