/** The languages of the SDKs, as far as they are installed here. */
import { spawnSync } from 'node:child_process';

const succeeds = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

export const hasPhp = (): boolean => succeeds('php', '--version');
export const hasPhpCurl = (): boolean => succeeds('php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);');
export const hasPhpunit = (): boolean => succeeds('phpunit', '--version');
export const hasRuby = (): boolean => succeeds('ruby', '--version');
export const hasMinitest = (): boolean => succeeds('ruby', '-e', 'require "minitest"');
export const hasWebrick = (): boolean => succeeds('ruby', '-e', 'require "webrick"');
