/**
 * Whether a merchant may store more of what it posts. The database counts what is kept; this asks it once a second for each
 * merchant and adds what it has let in since, so that one process goes over the bound by nothing, and several by no more
 * than what comes in within a second.
 */
import type { Query } from '../db/database.ts';
import { GatewayError } from '../lib/errors.ts';
import { type Room, roomOf } from './stored-bytes-store.ts';

const megabyte = 1024 * 1024;
const believedMs = 1_000;
const rememberedMax = 10_000;

export type DemandRoom = (merchantId: string, bytes: number) => Promise<void>;

export function createDemandRoom(deps: {
  readonly db: Query;
  /** Of a merchant with whom nothing else was agreed. */
  readonly bytesMax: number;
  readonly nowMs?: (() => number) | undefined;
}): DemandRoom {
  const { db, bytesMax, nowMs = () => performance.now() } = deps;
  const known = new Map<string, { readonly until: number; readonly before: Promise<Room>; added: number }>();

  function lookUp(merchantId: string) {
    const found = known.get(merchantId);
    if (found && nowMs() < found.until) return found;
    known.delete(merchantId);
    if (known.size >= rememberedMax) for (const oldest of known.keys()) if (known.delete(oldest)) break;
    const fresh = { until: nowMs() + believedMs, before: roomOf(db, merchantId), added: 0 };
    fresh.before.catch(() => known.delete(merchantId));
    known.set(merchantId, fresh);
    return fresh;
  }

  return async (merchantId, bytes) => {
    const mine = lookUp(merchantId);
    const before = await mine.before;
    const most = before.megabytesMax === null ? bytesMax : before.megabytesMax * megabyte;
    // Nobody else runs between the look and the sum.
    if (before.bytes + mine.added + bytes > most) throw noRoom(most);
    mine.added += bytes;
  };
}

const noRoom = (bytesMax: number): GatewayError =>
  new GatewayError({
    code: 'storage_full',
    httpStatus: 422,
    message:
      `This account keeps ${Math.round(bytesMax / megabyte)} MB of checkouts, customers, payment links and other data, which is ` +
      'as much as it may. Send less with each (meta, long descriptions), or ask the operator for more room. What is there can be ' +
      'changed without an Idempotency-Key, and orders of money without meta are carried out.',
    facts: { megabytes: String(Math.round(bytesMax / megabyte)) },
  });
