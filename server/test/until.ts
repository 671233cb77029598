/** Longer than anything takes on the busiest machine: only what will never happen is given up. */
const patienceMs = 600_000;

/** Waits for a condition, not for a time: the limit only ends a test that would never end. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > patienceMs) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
