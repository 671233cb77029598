/** What an operator watches, asked for when /metrics is read: queues, lag of the watchers, the books, the process. */
import type { Db } from '../db/database.ts';
import { loadNetworkStatus, type NetworkStatus } from '../deposits/network-health.ts';
import type { Metrics } from '../http/metrics.ts';
import { queueDepth } from '../jobs/job-store.ts';
import { ledgerImbalance } from '../ledger/ledger-imbalance.ts';
import type { Clock } from '../lib/clock.ts';
import { oldestUnsignedDay } from '../reports/day-turn-store.ts';
import { oldestPayouts } from '../sending/payout-store.ts';
import { lastReconciliations } from '../watching/reconciliation-store.ts';
import { oldestPendingDeliverySeconds } from '../webhooks/webhook-store.ts';

export function registerOperatorGauges(deps: { db: Db; clock: Clock; metrics: Metrics }): void {
  const { db, clock, metrics } = deps;
  const secondsSince = (date: Date): number => Math.max(0, (clock.now().getTime() - date.getTime()) / 1000);

  metrics.gauge('quittance_jobs', 'Jobs by what they wait for: due, waiting for their time, parked.', async () => {
    const { due, waiting, parked } = await queueDepth(db, clock.now());
    return Object.entries({ due, waiting, parked }).map(([state, value]) => ({ labels: { state }, value }));
  });
  metrics.gauge(
    'quittance_oldest_due_job_seconds',
    'How long the oldest due job has been waiting for a worker.',
    async () => (await queueDepth(db, clock.now())).oldestDueSeconds,
  );

  metrics.gauge('quittance_network_blocks_behind', 'Blocks of each network that the watcher has yet to read.', () =>
    perNetwork(({ blocksBehind }) => blocksBehind),
  );
  // A network that never answered has no such age: it is shown as failing.
  metrics.gauge('quittance_network_silence_seconds', 'Seconds since the node of each network last answered.', () =>
    perNetwork(({ observedAt }) => (observedAt ? secondsSince(observedAt) : null)),
  );
  metrics.gauge('quittance_network_is_failing', '1 while the node of a network does not answer.', () =>
    perNetwork(({ failingSince }) => (failingSince ? 1 : 0)),
  );
  metrics.gauge(
    'quittance_network_receivable_units',
    'The most that can come in now where a network has such a limit, in the smallest unit of the asset.',
    () => liquidity('receivable'),
  );
  metrics.gauge('quittance_network_sendable_units', 'Likewise, the most that can go out.', () => liquidity('sendable'));

  metrics.gauge(
    'quittance_oldest_undelivered_webhook_seconds',
    'How long the merchant who has waited longest has been waiting for a webhook.',
    () => oldestPendingDeliverySeconds(db, clock.now()),
  );
  metrics.gauge(
    'quittance_ledger_imbalance',
    'Sum of all accounts per asset in its smallest unit. Must be 0.',
    async () => (await ledgerImbalance(db)).map(({ asset, units }) => ({ labels: { asset }, value: units })),
  );

  metrics.gauge(
    'quittance_reconciliation_difference',
    'What each network holds for us beyond what the books say, in the smallest unit of the asset. Must be 0; less only by what is under way.',
    async () =>
      (await lastReconciliations(db)).map(({ network, asset, difference }) => ({
        labels: { network, asset },
        value: difference,
      })),
  );
  metrics.gauge(
    'quittance_reconciliation_age_seconds',
    'How long ago the books were compared with each network.',
    async () =>
      (await lastReconciliations(db)).map(({ network, asset, checkedAt }) => ({
        labels: { network, asset },
        value: secondsSince(checkedAt),
      })),
  );

  metrics.gauge(
    'quittance_oldest_outgoing_seconds',
    'How long the oldest payout of each network has been waiting: QUEUED to be signed, SIGNED to be done.',
    async () =>
      (await oldestPayouts(db)).map(({ network, state, since }) => ({
        labels: { network, state },
        value: secondsSince(since),
      })),
  );

  metrics.gauge(
    'quittance_oldest_unsigned_day_seconds',
    'How long the account that has waited longest has been waiting for a closed day to be signed.',
    async () => {
      const since = await oldestUnsignedDay(db, clock.now());
      return since ? secondsSince(since) : 0;
    },
  );

  metrics.gauge('process_resident_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss());
  metrics.gauge('nodejs_heap_used_bytes', 'Heap in use by JavaScript.', () => process.memoryUsage().heapUsed);

  async function liquidity(direction: 'receivable' | 'sendable') {
    return (await loadNetworkStatus(db)).flatMap(({ network, facts }) =>
      Object.entries(facts[direction] ?? {}).map(([asset, units]) => ({
        labels: { network, asset },
        value: BigInt(units),
      })),
    );
  }

  async function perNetwork(valueOf: (status: NetworkStatus) => number | null) {
    return (await loadNetworkStatus(db)).flatMap((status) => {
      const value = valueOf(status);
      return value === null ? [] : [{ labels: { network: status.network }, value }];
    });
  }
}
