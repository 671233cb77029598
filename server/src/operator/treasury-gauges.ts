/** What an operator watches of the treasury: whether everything that is owed and promised is held. */
import type { Db } from '../db/database.ts';
import type { Metrics } from '../http/metrics.ts';
import { formatDecimal } from '../money/decimal.ts';
import { type CoverageDeps, loadCoverage } from '../venues/coverage.ts';

export function registerTreasuryGauges(deps: CoverageDeps & { readonly db: Db; readonly metrics: Metrics }): void {
  const { db, metrics } = deps;
  metrics.gauge(
    'quittance_treasury_coverage_ratio',
    'What is held of each asset, as a part of what is owed to merchants and promised to open checkouts. Below 1 some of it is not there.',
    async () =>
      (await loadCoverage(deps, db)).map(({ asset, ratio }) => ({
        labels: { asset: asset.id },
        value: Number(formatDecimal(ratio)),
      })),
  );
  metrics.gauge(
    'quittance_treasury_promised_units',
    'What the treasury has promised to open checkouts, in the smallest unit of the asset.',
    async () =>
      (await loadCoverage(deps, db)).map(({ asset, promisedUnits }) => ({
        labels: { asset: asset.id },
        value: promisedUnits,
      })),
  );
}
