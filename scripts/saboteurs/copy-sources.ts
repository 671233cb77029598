import { cp, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

const leftBehind = new Set(['node_modules', '.git', 'data']);

/**
 * A copy that can be broken without harm. The packages are linked, but for our own: those must be the copy's, or a part
 * of the tests would run on the code that nobody has broken.
 */
export async function copySources(root: string, copy: string): Promise<void> {
  await cp(root, copy, { recursive: true, filter: (source) => source === root || !leftBehind.has(basename(source)) });
  const packages = join(root, 'node_modules');
  const links = join(copy, 'node_modules');
  await mkdir(links);
  for (const name of await readdir(packages)) {
    if (name !== '@quittance') await symlink(join(packages, name), join(links, name));
  }
  const ours = join(packages, '@quittance');
  await mkdir(join(links, '@quittance'));
  for (const name of await readdir(ours)) {
    await symlink(await readlink(join(ours, name)), join(links, '@quittance', name));
  }
}
