/** Works when it is the turn of who asks, and says afterwards what it weighed. */
import { giveWay } from '../lib/give-way.ts';
import { ableToRest } from '../lib/wait-outside.ts';
import type { FairTurns } from './fair-turns.ts';
import { tooManyRequests } from './rate-limit.ts';

export async function workInTurn<Reply>(
  turns: FairTurns,
  asked: { readonly party: string; readonly bytes: number; readonly expects?: number },
  work: () => Promise<Reply> | Reply,
  bytesOf: (reply: Reply) => number,
): Promise<Reply> {
  const taken = turns.take(asked.party, asked.bytes, asked.expects);
  if (taken === null) throw tooManyRequests({ isAllowed: false, headers: { 'retry-after': '1' } });
  const turn = await taken;
  // What is answered without waiting for anything lets the next one begin at once: a whole queue would be one piece of work.
  if (turn.hasWaited) await giveWay();
  let bytes = asked.bytes;
  try {
    const reply = await ableToRest(turn.rest, work);
    bytes += bytesOf(reply);
    return reply;
  } finally {
    turn.end(bytes);
  }
}
