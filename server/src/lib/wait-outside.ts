/**
 * While a request waits for somebody else (a merchant's server, a node, a thread beside ours), it does no work, and the turn that
 * it has at the door (`http/fair-turns`) is free for others: a few that wait for a silent server would keep everybody out. Who
 * waits does not know of turns, and is asked by jobs too: so the turn travels beside the calls.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The work rests; what it gives goes on with it. */
export type Rest = () => () => void;

const rests = new AsyncLocalStorage<Rest>();

export const ableToRest = <Result>(rest: Rest, work: () => Result): Result => rests.run(rest, work);

export async function waitOutside<Result>(wait: () => Promise<Result>): Promise<Result> {
  const goOn = rests.getStore()?.();
  try {
    return await wait();
  } finally {
    goOn?.();
  }
}
