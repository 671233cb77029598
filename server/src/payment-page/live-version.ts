/**
 * A text that changes whenever a page would look different: the checkout's own version, and the newest block of the
 * networks on which one of its payments waits for confirmations. Page and feed make it in the same way, so they can be
 * compared.
 */
import type { NetworkHealth } from '../deposits/network-health.ts';

export const liveVersion = (version: string, networks: readonly string[], health: NetworkHealth): string =>
  [version, ...networks.toSorted().map((network) => health.status(network)?.tipHeight ?? 0)].join('.');
