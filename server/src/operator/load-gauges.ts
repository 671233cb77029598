/**
 * How busy this process is: how late its event loop is, on which every request waits for every other, and the heavy work beside it.
 * Measured since the metrics were read last, from the first reading on.
 */
import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from '../http/metrics.ts';
import type { HeavyOptions, HeavyWork } from '../lib/heavy-work.ts';
import { onceMade } from '../lib/once-made.ts';

const looksEveryMs = 10;
const secondsBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** The histogram counts from one look to the next, also when nothing is late. */
export const delaySeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - looksEveryMs / 1000) || 0;

export function registerLoadGauges({ metrics, heavyWork }: { metrics: Metrics; heavyWork: HeavyWork }): void {
  const delays = onceMade((): ELDHistogram => {
    const histogram = monitorEventLoopDelay({ resolution: looksEveryMs });
    histogram.enable();
    return histogram;
  });
  metrics.gauge(
    'quittance_event_loop_delay_seconds',
    'How late the event loop was since this was read last: half of the time, one time in a hundred, and at most.',
    () => {
      const histogram = delays();
      const read = [
        { quantile: 0.5, nanoseconds: histogram.percentile(50) },
        { quantile: 0.99, nanoseconds: histogram.percentile(99) },
        { quantile: 1, nanoseconds: histogram.max },
      ];
      const isEmpty = histogram.count === 0;
      histogram.reset();
      return read.map(({ quantile, nanoseconds }) => ({
        labels: { quantile },
        value: isEmpty ? 0 : delaySeconds(nanoseconds),
      }));
    },
  );
  metrics.gauge('quittance_heavy_work_waiting', 'PDFs, pictures and the like that wait for a thread.', () =>
    heavyWork.waiting(),
  );
  metrics.gauge('quittance_heavy_work_threads', 'Threads that there are for heavy work.', () => heavyWork.threads());
}

export function countHeavyWork(metrics: Metrics): HeavyOptions['onEnd'] {
  const ended = metrics.counter(
    'quittance_heavy_work_total',
    'Heavy work by what it was and how it ended: done, failed, late (ended after its time), refused (no place to wait).',
  );
  const seconds = metrics.histogram('quittance_heavy_work_seconds', 'How long a thread worked.', secondsBounds);
  const waited = metrics.histogram('quittance_heavy_work_wait_seconds', 'How long it waited before.', secondsBounds);
  return ({ task, outcome, ...took }) => {
    ended.add({ task, outcome });
    if (outcome === 'refused') return;
    seconds.observe({ task }, took.seconds);
    waited.observe({ task }, took.waitedSeconds);
  };
}
