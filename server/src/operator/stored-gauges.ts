/** How much merchants have stored: of the ten with the most, and how much each may. */
import type { Query } from '../db/database.ts';
import type { Metrics } from '../http/metrics.ts';
import { mostStoredBytes } from '../http/stored-bytes-store.ts';

const shownMax = 10;

export function registerStoredGauges({
  db,
  metrics,
  storedBytesMax,
}: {
  readonly db: Query;
  readonly metrics: Metrics;
  readonly storedBytesMax: number;
}): void {
  metrics.gauge(
    'quittance_stored_bytes',
    'How much of what a merchant posted is kept, of the ten who keep the most.',
    async () =>
      (await mostStoredBytes(db, shownMax)).map(({ merchantId, bytes }) => ({
        labels: { merchant: merchantId },
        value: bytes,
      })),
  );
  metrics.gauge('quittance_stored_bytes_max', 'How much each merchant may (MERCHANT_STORED_MB).', () => storedBytesMax);
}
