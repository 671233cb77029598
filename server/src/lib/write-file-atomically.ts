import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a private file (0600). After a power cut the file has the old content or the new, never a half of it. */
export async function writeFileAtomically(path: string, content: string): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.chmod(0o600); // A file left by an earlier crash would keep its own mode.
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await renameDurably(temporary, path);
}

/** A rename is safe only when the folder is on the disk too: before that a power cut can undo it. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  const folder = await open(dirname(to), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
