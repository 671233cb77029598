/**
 * Keeps one merchant's slow servers from using all room of a worker: fifteen seconds of silence cost that merchant
 * nothing and would cost all others their webhooks. A merchant whose receivers were slow lately gets only a few
 * attempts at a time; everybody else gets as many as there are. In memory, per process: a restart forgets it, which
 * does no harm.
 */
const slowAfterMs = 2_000;
const rememberedMs = 300_000;
const placesWhenSlow = 4;

export type SlowReceivers = {
  hasPlaceFor(merchantId: string): boolean;
  /** Runs one attempt and measures how long it takes. */
  watch<T>(merchantId: string, attempt: () => Promise<T>): Promise<T>;
};

export function createSlowReceivers(nowMs: () => number = () => performance.now()): SlowReceivers {
  const underWay = new Map<string, number>();
  const slowUntil = new Map<string, number>();

  function isSlow(merchantId: string): boolean {
    const until = slowUntil.get(merchantId);
    if (until === undefined) return false;
    if (until > nowMs()) return true;
    slowUntil.delete(merchantId);
    return false;
  }

  return {
    hasPlaceFor: (merchantId) => !isSlow(merchantId) || (underWay.get(merchantId) ?? 0) < placesWhenSlow,
    async watch(merchantId, attempt) {
      underWay.set(merchantId, (underWay.get(merchantId) ?? 0) + 1);
      const timer = setTimeout(() => slowUntil.set(merchantId, nowMs() + rememberedMs), slowAfterMs);
      try {
        return await attempt();
      } finally {
        clearTimeout(timer);
        const left = (underWay.get(merchantId) ?? 1) - 1;
        if (left === 0) underWay.delete(merchantId);
        else underWay.set(merchantId, left);
      }
    },
  };
}
