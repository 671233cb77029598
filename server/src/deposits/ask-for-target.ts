/**
 * A target of a network, which may have to be asked for one. A node that is silent or refuses is no reason to keep
 * anybody waiting: there are other ways to pay. If it makes the target all the same, nobody has ever seen it.
 */
import { type Connector, NetworkError } from '../networks/port/connector.ts';
import type { DepositTarget } from '../networks/port/receiving.ts';
import { networkAway } from './deposit-errors.ts';

/** A node that is well answers in a fraction of a second; whoever stands in front of a page waits a few. */
const patienceMs = 5_000;

export async function askForTarget(
  { network, createTarget }: Connector,
  request: Parameters<Connector['createTarget']>[0],
): Promise<DepositTarget> {
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
