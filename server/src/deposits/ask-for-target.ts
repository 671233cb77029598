/**
 * Asks a network for a target. If its node is silent or refuses, nobody should wait: there are other ways to pay. If
 * the node makes the target after all, nobody has seen it.
 */
import type { Query } from '../db/database.ts';
import { newId } from '../lib/ids.ts';
import { type Connector, NetworkError } from '../networks/port/connector.ts';
import type { DepositTarget, TargetRequest } from '../networks/port/receiving.ts';
import { networkAway } from './deposit-errors.ts';
import { isTargetTaken } from './deposit-target-store.ts';

/** A healthy node answers in a fraction of a second; a customer at a page waits a few seconds. */
const patienceMs = 5_000;

type Asked = { readonly db: Query; readonly merchantId: string };

/** Nobody has seen two ids of ours that are told apart only by letters which people take for digits. */
const namesMax = 3;

/**
 * A memo must tell one owner from all others, also as people misread it. If somebody else's would be taken for it, the
 * target gets another name than its owner's.
 */
export async function askForTarget(
  { db, merchantId }: Asked,
  connector: Connector,
  request: TargetRequest,
): Promise<DepositTarget> {
  const owner = { merchantId, ownerId: request.reference };
  let reference = request.reference;
  for (let asked = 1; ; asked += 1) {
    const target = await inTime(connector, { ...request, reference });
    if (target.memo === null || !(await isTargetTaken(db, connector.network.id, target.key, owner))) return target;
    if (asked === namesMax) throw networkAway(connector.network.name);
    reference = newId();
  }
}

async function inTime({ network, createTarget }: Connector, request: TargetRequest): Promise<DepositTarget> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(networkAway(network.name)), patienceMs);
  try {
    return await Promise.race([createTarget(request), silence]);
  } catch (error) {
    throw error instanceof NetworkError ? networkAway(network.name) : error;
  } finally {
    clearTimeout(timer);
  }
}
