/**
 * The server's time. It is asked for once and carried on with a clock that nobody sets, so a machine whose own clock is
 * wrong can sign too. What goes wrong in spite of that, such as a machine that slept, the server says: then `refresh`.
 */
export type ServerClock = {
  /** Unix time in seconds. */
  now(): Promise<number>;
  refresh(): Promise<void>;
};

export function createServerClock(askTime: () => Promise<number | null>): ServerClock {
  let offsetMs: number | null = null;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    const before = performance.now();
    const seconds = await askTime();
    // Read somewhere between question and answer.
    if (seconds !== null) offsetMs = seconds * 1000 - (before + performance.now()) / 2;
  }

  /** Requests that begin together ask once. */
  function refresh(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  }

  return {
    refresh,
    async now() {
      if (offsetMs === null) await refresh();
      // A server that answers but does not say leaves us with the clock of this machine.
      return Math.floor((offsetMs === null ? Date.now() : performance.now() + offsetMs) / 1000);
    },
  };
}
