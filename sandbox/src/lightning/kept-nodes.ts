/**
 * What the sandbox's Lightning nodes must find again, all of them in one file that is replaced as a whole. It has both
 * ends of every channel as they were at the same moment; messages between them after that are forgotten by both. So
 * after a crash at any moment no end of a channel is ahead of the other.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LdkNode, LdkNodeState } from './ldk-node.ts';

export type KeptNodes = {
  /** Null: nothing was kept, the channels have yet to be opened. */
  readonly states: ReadonlyMap<string, LdkNodeState> | null;
  keep(nodes: ReadonlyMap<string, LdkNode>): void;
};

type Kept = Readonly<Record<string, { readonly manager: string; readonly monitors: readonly string[] }>>;

export function openKeptNodes(folder: string | undefined): KeptNodes {
  if (folder === undefined) return { states: null, keep: () => undefined };
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'nodes.json');
  return {
    states: existsSync(path) ? read(readFileSync(path, 'utf8')) : null,
    keep(nodes) {
      const kept: Kept = Object.fromEntries(
        Array.from(nodes, ([name, node]) => {
          const { manager, monitors } = node.state();
          return [name, { manager: toText(manager), monitors: monitors.map(toText) }];
        }),
      );
      writeFileSync(`${path}.new`, JSON.stringify(kept), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}

const read = (text: string): ReadonlyMap<string, LdkNodeState> =>
  new Map(
    Object.entries(JSON.parse(text) as Kept).map(([name, { manager, monitors }]) => [
      name,
      { manager: toBytes(manager), monitors: monitors.map(toBytes) },
    ]),
  );

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const toBytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'));
