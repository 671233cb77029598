/** Secrets of the sandbox's parts. Made from the seed, so that a new part needs none of its own. */
import { createHash } from 'node:crypto';
import type { SandboxFolder } from './sandbox-list.ts';

export const walletSeed = (folder: SandboxFolder): Buffer => Buffer.from(folder.secrets.walletSeed.reveal(), 'hex');

export const seedFor = (folder: SandboxFolder, purpose: string): Buffer =>
  createHash('sha256').update(`${purpose} ${folder.secrets.walletSeed.reveal()}`).digest();

/** The password of a part's owner. */
export const passwordFor = (folder: SandboxFolder, part: string): string =>
  seedFor(folder, `password of ${part}`).toString('hex');
