/** What has left against payments that are not final, and how much may. */
import type { Query } from '../db/database.ts';
import type { Metrics } from '../http/metrics.ts';
import { exposureOfHouse, type LeavingDeps } from '../wallets/what-may-leave.ts';

export function registerExposureGauges(deps: LeavingDeps & { readonly db: Query; readonly metrics: Metrics }): void {
  const { db, metrics } = deps;
  const labels = ({ network, asset }: { network: string; asset: string }) => ({ network, asset });
  metrics.gauge(
    'quittance_unfinal_exposure_units',
    'What accounts have taken out of payments that are not final and do not cover, in the smallest unit of the asset. Absent without a rate.',
    async () =>
      (await exposureOfHouse(deps, db)).flatMap((each) =>
        each.exposure === null ? [] : [{ labels: labels(each), value: each.exposure }],
      ),
  );
  metrics.gauge(
    'quittance_unfinal_ceiling_units',
    'How much that may be, for all accounts together (UNFINAL_CEILINGS).',
    async () => (await exposureOfHouse(deps, db)).map((each) => ({ labels: labels(each), value: each.ceiling })),
  );
}
