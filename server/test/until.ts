/** Longer than anything takes on the busiest machine: only what will never happen is given up. */
const patienceMs = 600_000;

/**
 * For what ends by itself, instead of a loop without an end: where a fault lets it go on for ever, that is a failure and
 * not a test that hangs.
 */
export function* turns(most = 10_000): Generator<number> {
  for (let turn = 0; turn < most; turn += 1) yield turn;
  throw new Error(`it still goes on after ${most} turns`);
}

/** As long as it gets on. */
export async function untilRested(worker: { tick(): Promise<string> }): Promise<void> {
  for (const _ of turns()) if ((await worker.tick()) !== 'progress') return;
}

/** Waits for a condition, not for a time: the limit only ends a test that would never end. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > patienceMs) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
