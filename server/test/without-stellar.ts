import type { Gateway } from './gateway.ts';

/** Runs what must be run while Horizon does not answer. */
export async function withoutStellar({ stellar }: Gateway, work: () => Promise<void>): Promise<void> {
  const answered = globalThis.fetch;
  globalThis.fetch = async (to, init) => {
    if (typeof to === 'string' && to.startsWith(stellar.url)) throw new TypeError('fetch failed');
    return answered(to, init);
  };
  try {
    await work();
  } finally {
    globalThis.fetch = answered;
  }
}
