/** All SQL about how many jobs waited in the past. Decides nothing. */
import type { Query } from '../db/database.ts';

export type QueueSample = { readonly slot: Date; readonly waiting: number };

/** Of several looks in one slot the most counts, whichever process looked. */
export async function saveQueueSample(query: Query, { slot, waiting }: QueueSample): Promise<void> {
  await query`
    insert into queue_sample (slot, waiting) values (${slot}, ${waiting})
    on conflict (slot) do update set waiting = excluded.waiting where queue_sample.waiting < excluded.waiting`;
}

export async function listQueueSamples(query: Query, since: Date): Promise<QueueSample[]> {
  return query<QueueSample>`select slot, waiting from queue_sample where slot >= ${since} order by slot`;
}

export async function forgetQueueSamples(query: Query, before: Date): Promise<void> {
  await query`delete from queue_sample where slot < ${before}`;
}
