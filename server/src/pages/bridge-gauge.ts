import type { Query } from '../db/database.ts';
import type { Metrics } from '../http/metrics.ts';
import { bridgeBooks } from '../settlements/bridge-store.ts';

/** By the books. `npx quittance bridge verify` asks the ledger of Stellar as well. */
export function registerBridgeGauge(metrics: Metrics, query: Query, assets: readonly string[]): void {
  metrics.gauge(
    'quittance_bridge_difference_units',
    'Tokens issued on Stellar less coins held for them, in the smallest unit. What Stellar cannot count stays below 0.',
    async () =>
      (await bridgeBooks(query, assets)).map(({ asset, issuedUnits, heldUnits }) => ({
        labels: { asset },
        value: issuedUnits - heldUnits,
      })),
  );
}
