import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

test('metrics are written as Prometheus reads them', async () => {
  const metrics = createMetrics();
  const events = metrics.counter('events_total', 'Events.');
  events.add({ kind: 'a "quoted" \\ kind\n' });
  events.add({ kind: 'b' }, 2);
  const seconds = metrics.histogram('work_seconds', 'Work.', [0.1, 1]);
  seconds.observe({}, 0.1);
  seconds.observe({}, 0.5);
  seconds.observe({}, 5);
  metrics.gauge('queue_length', 'Waiting.', () => 7);
  metrics.gauge('balance', 'Balance.', async () => [{ labels: { asset: 'BTC' }, value: 3 }]);
  metrics.gauge('broken', 'Broken.', () => {
    throw new Error('away');
  });
  assert.equal(
    await metrics.render(),
    `# HELP events_total Events.
# TYPE events_total counter
events_total{kind="a \\"quoted\\" \\\\ kind\\n"} 1
events_total{kind="b"} 2
# HELP work_seconds Work.
# TYPE work_seconds histogram
work_seconds_bucket{le="0.1"} 1
work_seconds_bucket{le="1"} 2
work_seconds_bucket{le="+Inf"} 3
work_seconds_sum 5.6
work_seconds_count 3
# HELP queue_length Waiting.
# TYPE queue_length gauge
queue_length 7
# HELP balance Balance.
# TYPE balance gauge
balance{asset="BTC"} 3
# HELP broken Broken.
# TYPE broken gauge
`,
  );
});
