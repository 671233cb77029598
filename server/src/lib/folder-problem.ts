/**
 * What is wrong with a folder in which PostgreSQL is to keep its data, found by trying: the folder, or the place where
 * it would be made, must take files and the permissions that PostgreSQL needs. Nothing is left behind.
 */
import { constants } from 'node:fs';
import { access, chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** `name`: the setting that names the folder. Null: it can be used. */
export async function folderProblem(folder: string, name: string, setMode = chmod): Promise<string | null> {
  const path = resolve(folder);
  try {
    const place = await nearest(path);
    if (!place.isFolder)
      return place.path === path
        ? `${name} must be a folder, but ${path} is a file.`
        : `${name} is ${path}, but ${place.path} is a file: set ${name} to a folder.`;
    await access(place.path, constants.X_OK | constants.R_OK);
    const trial = await mkdtemp(join(place.path, '.quittance-trial-'));
    try {
      return (await keepsPermissions(trial, setMode))
        ? null
        : `${name} is ${path}, on a file system that keeps no permissions, which PostgreSQL needs: set ${name} to a folder on a local disk.`;
    } finally {
      await rm(trial, { recursive: true, force: true });
    }
  } catch (error) {
    return explainFolderError(error, path, name);
  }
}

/** The folder itself, or the nearest existing folder above it. */
async function nearest(path: string): Promise<{ path: string; isFolder: boolean }> {
  for (let at = path; ; at = dirname(at)) {
    try {
      return { path: at, isFolder: (await stat(at)).isDirectory() };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(at) === at) throw error;
    }
  }
}

/** Shared folders of other systems accept a change of permissions and do nothing. Others refuse it. */
async function keepsPermissions(trial: string, setMode: typeof chmod): Promise<boolean> {
  const file = join(trial, 'file');
  await writeFile(file, '', { mode: 0o600 });
  const hasMode = async (path: string, mode: number): Promise<boolean> => {
    try {
      await setMode(path, mode);
    } catch {
      return false;
    }
    return ((await stat(path)).mode & 0o777) === mode;
  };
  return (
    (await hasMode(file, 0o640)) &&
    (await hasMode(file, 0o600)) &&
    (await hasMode(trial, 0o750)) &&
    hasMode(trial, 0o700)
  );
}

export function explainFolderError(error: unknown, path: string, name: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `${name} is ${path}, where we may not write: give it to the user who starts this, or set ${name} to another folder.`;
    case 'EROFS':
      return `${name} is ${path}, on a file system that is read-only: set ${name} to another folder.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `${name} is ${path}, where no space is left.`;
    case 'ELOOP':
    case 'ENAMETOOLONG':
      return `${name} is ${path}, which is no possible folder: set ${name} to another one.`;
    default:
      return `${name} is ${path}, where no files can be made (${code ?? message}): set ${name} to another folder.`;
  }
}
