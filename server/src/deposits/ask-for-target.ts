/**
 * Asks a network for a target. If its node is silent or refuses, nobody should wait: there are other ways to pay. If
 * the node makes the target after all, nobody has seen it.
 */
import { type Connector, NetworkError } from '../networks/port/connector.ts';
import type { DepositTarget } from '../networks/port/receiving.ts';
import { networkAway } from './deposit-errors.ts';

/** A healthy node answers in a fraction of a second; a customer at a page waits a few seconds. */
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
