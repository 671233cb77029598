/** Whether there are as many tokens on Stellar as coins held for them, as of the last count. */

import { type BridgeProof, verifyBridge } from '../bridge/verify-bridge.ts';
import type { Query } from '../db/database.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Clock } from '../lib/clock.ts';

export function registerBridgeGauges(deps: { db: Query; clock: Clock; metrics: Metrics }): void {
  const { db, clock, metrics } = deps;

  function perAsset(name: string, meaning: string, valueOf: (proof: BridgeProof) => bigint | number | null): void {
    metrics.gauge(name, meaning, async () =>
      (await verifyBridge(db, clock.now())).flatMap((proof) => {
        const value = valueOf(proof);
        return value === null ? [] : [{ labels: { asset: proof.asset }, value }];
      }),
    );
  }

  perAsset(
    'quittance_bridge_difference_units',
    'Tokens on Stellar beyond the coins held for them that nothing explains, in the smallest unit of the asset. Must be 0.',
    ({ unexplainedUnits }) => unexplainedUnits,
  );
  perAsset('quittance_bridge_is_proven', '1 while issued = held was proven for an asset, by the networks.', (proof) =>
    proof.problems.length === 0 ? 1 : 0,
  );
  perAsset(
    'quittance_bridge_token_units',
    'Tokens of each asset that there are on Stellar.',
    (proof) => proof.tokenUnits,
  );
  perAsset('quittance_bridge_coin_units', 'Coins that the nodes hold for them.', (proof) => proof.coinUnits);
  perAsset('quittance_bridge_count_age_seconds', 'How long ago Stellar was asked for its tokens.', ({ countedAt }) =>
    countedAt === null ? null : Math.max(0, (clock.now().getTime() - countedAt.getTime()) / 1000),
  );
}
