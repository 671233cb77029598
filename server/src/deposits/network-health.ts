/**
 * Which networks answer. Watchers store when their node last answered; an API process reads that every few seconds and
 * leaves the methods of a silent network out of new quotes. Nothing else stops: commitments are still watched.
 */
import type { Query } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { minutes } from '../lib/clock.ts';
import type { NetworkFacts } from '../networks/port/receiving.ts';

export type NetworkStatus = {
  readonly network: string;
  readonly tipHeight: number | null;
  readonly blocksBehind: number;
  readonly observedAt: Date | null;
  readonly failingSince: Date | null;
  readonly lastError: string | null;
  readonly facts: NetworkFacts;
};

/** A short failure of a node is no reason to turn customers away; half a minute of silence is. */
const failingToleranceMs = 30_000;
const staleAfterMs = minutes(10);

export function isNetworkUp(status: NetworkStatus | undefined, now: Date): boolean {
  if (!status?.observedAt) return false;
  if (status.failingSince && now.getTime() - status.failingSince.getTime() > failingToleranceMs) return false;
  return now.getTime() - status.observedAt.getTime() < staleAfterMs;
}

export async function loadNetworkStatus(query: Query): Promise<NetworkStatus[]> {
  const rows = await query<{
    network: string;
    tip_height: string | null;
    blocks_behind: string;
    observed_at: Date | null;
    failing_since: Date | null;
    last_error: string | null;
    facts: NetworkFacts;
  }>`select network, tip_height, blocks_behind, observed_at, failing_since, last_error, facts
       from network_cursor`;
  return rows.map((row) => ({
    network: row.network,
    tipHeight: row.tip_height === null ? null : Number(row.tip_height),
    blocksBehind: Number(row.blocks_behind),
    observedAt: row.observed_at,
    failingSince: row.failing_since,
    lastError: row.last_error,
    facts: row.facts,
  }));
}

export type NetworkHealth = {
  isUp(network: string): boolean;
  status(network: string): NetworkStatus | undefined;
  record(statuses: readonly NetworkStatus[]): void;
};

export function createNetworkHealth(clock: Clock): NetworkHealth {
  let byNetwork = new Map<string, NetworkStatus>();
  return {
    isUp: (network) => isNetworkUp(byNetwork.get(network), clock.now()),
    status: (network) => byNetwork.get(network),
    record(statuses) {
      byNetwork = new Map(statuses.map((status) => [status.network, status]));
    },
  };
}
