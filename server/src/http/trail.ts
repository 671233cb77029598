/**
 * From which browser something is done while a request of a person is answered, for the audit log. It travels beside the
 * calls and not through them: thirty use cases would hand it on without looking at it, and one would forget to.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type Trail = {
  readonly sessionId: string;
  readonly address: string;
  /** How the person proved who it is, for this very change; null: it needed no proof. */
  readonly proof: string | null;
};

const trails = new AsyncLocalStorage<Trail | null>();

export const leavingTrail = <T>(trail: Trail, work: () => T): T => trails.run(trail, work);

/** For what happens in another account than that of who does it: there it is nobody's business who that is. */
export const leavingNoTrail = <T>(work: () => T): T => trails.run(null, work);

/** Null: nobody at a browser does this. */
export const presentTrail = (): Trail | null => trails.getStore() ?? null;
