import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Saboteur } from '../../server/test/saboteurs/saboteur.ts';

/** All that are listed in `server/test/saboteurs`, a file for each topic. */
export async function readSaboteurs(root: string): Promise<Saboteur[]> {
  const folder = join(root, 'server/test/saboteurs');
  const topics = (await readdir(folder)).filter((name) => name.endsWith('.ts') && name !== 'saboteur.ts').sort();
  const all: Saboteur[] = [];
  for (const topic of topics) {
    const { saboteurs } = (await import(pathToFileURL(join(folder, topic)).href)) as {
      saboteurs?: readonly Saboteur[];
    };
    if (saboteurs === undefined) throw new Error(`${topic} exports no list called saboteurs.`);
    all.push(...saboteurs);
  }
  return all;
}
