/** How many jobs wait for a worker, now and through the last day: a queue that grows is the first sign of most troubles. */
import type { Query } from '../db/database.ts';
import { addMs, hours, minutes } from '../lib/clock.ts';
import { queueNow } from './job-store.ts';
import { forgetQueueSamples, listQueueSamples, type QueueSample, saveQueueSample } from './queue-sample-store.ts';

export const slotMs = minutes(15);
const shownMs = hours(24);
const keptMs = hours(48);
/** More are not told apart. */
export const waitingMax = 10_000;

const slotOf = (at: Date): Date => new Date(at.getTime() - (at.getTime() % slotMs));

export async function sampleQueue(query: Query, now: Date): Promise<void> {
  const { waiting } = await queueNow(query, now, waitingMax);
  await saveQueueSample(query, { slot: slotOf(now), waiting });
}

/** A slot in which nobody looked is missing: no worker ran then. Null, so that nobody takes it for a quiet time. */
export async function queueOfDay(
  query: Query,
  now: Date,
): Promise<readonly { readonly slot: Date; readonly waiting: number | null }[]> {
  const first = addMs(slotOf(now), slotMs - shownMs);
  const known = new Map(
    (await listQueueSamples(query, first)).map((each): [number, QueueSample] => [each.slot.getTime(), each]),
  );
  return Array.from({ length: shownMs / slotMs }, (_, at) => {
    const slot = addMs(first, at * slotMs);
    return { slot, waiting: known.get(slot.getTime())?.waiting ?? null };
  });
}

export const forgetOldSamples = (query: Query, now: Date): Promise<void> =>
  forgetQueueSamples(query, addMs(now, -keptMs));
