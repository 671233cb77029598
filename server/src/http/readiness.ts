/**
 * Whether this process can serve. It answers from what it has read of the shared state a moment ago. A process that has
 * not read that yet, could not read it just now, or has not read it for a while, would answer wrongly or not at all: a
 * load balancer should ask another process. Whether it is alive is another question: a process that waits for its
 * database is well, and ending it would help nobody.
 */
import type { Clock } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';

export type Readiness = {
  /** Reads the shared state, and remembers whether that succeeded. */
  noting(read: () => Promise<void>): Promise<void>;
  /** Throws a 503 with a sentence while this process cannot serve. */
  assertReady(): void;
};

/** It is read every two seconds; what is older than this does not count. */
const staleMs = 15_000;
const retryAfterSeconds = 2;

export function createReadiness(clock: Clock): Readiness {
  let readAt: Date | null = null;
  let hasFailed = false;

  function problem(): string | null {
    if (readAt === null) return 'The service is starting and cannot answer yet.';
    if (hasFailed) return 'The service cannot read its database at the moment.';
    const ageMs = clock.now().getTime() - readAt.getTime();
    return ageMs > staleMs ? 'The service has not heard from its database for a while.' : null;
  }

  return {
    async noting(read) {
      const begunAt = clock.now();
      try {
        await read();
      } catch (error) {
        hasFailed = true;
        throw error;
      }
      hasFailed = false;
      readAt = begunAt;
    },
    assertReady() {
      const message = problem();
      if (message === null) return;
      const headers = { 'retry-after': String(retryAfterSeconds) };
      throw new GatewayError({ code: 'not_ready', httpStatus: 503, message, headers });
    },
  };
}
