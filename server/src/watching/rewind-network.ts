import type { Db } from '../db/database.ts';
import { invalidRequest } from '../lib/errors.ts';
import { rewindCursor } from '../networks/registry.ts';
import { lockCursor, replaceCursor } from '../payments/cursor-store.ts';

/** Lets the watcher of a network read its newest blocks again; returns the first of them. */
export async function rewindNetwork(db: Db, network: string, blocks: number): Promise<number> {
  return db.begin(async (tx) => {
    const cursor = await lockCursor(tx, network);
    if (!cursor) throw invalidRequest(`${network} has not been watched yet: there is nothing to read again.`);
    const rewound = rewindCursor(network, cursor, blocks);
    await replaceCursor(tx, network, rewound.cursor);
    return rewound.firstBlock;
  });
}
