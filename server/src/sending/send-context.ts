/** What a sender is given to sign with: coins, what was used up, and a place for change. */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { Db } from '../db/database.ts';
import type { NextDepositIndex } from '../deposits/deposit-index.ts';
import { insertDepositTargets, operatorId } from '../deposits/deposit-target-store.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Connector } from '../networks/port/connector.ts';
import type { SendContext } from '../networks/port/sending.ts';
import { openWallet } from './open-wallet.ts';
import { usesOf } from './outgoing-transaction-store.ts';

/** What was used up longer ago can be seen on the network itself. */
const usesKeptMs = hours(24);

export type SendContextDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly assets: AssetCatalog;
  readonly nextDepositIndex: NextDepositIndex;
};

export function createSendContext(deps: SendContextDeps, connector: Connector): SendContext {
  const { db, clock } = deps;
  const { network } = connector;
  return {
    now: clock.now(),
    ...openWallet(deps, connector),
    used: (prefix) => usesOf(db, network.id, prefix, addMs(clock.now(), -usesKeptMs)),
    async changeTarget() {
      const index = await deps.nextDepositIndex();
      const id = newId();
      const now = clock.now();
      const target = await connector.createTarget({
        targetId: id,
        index,
        reference: id,
        requestedAt: now,
        expiresAt: addMs(now, hours(1)),
        assetCode: present(network.assets[0], 'default asset').assetCode,
        amount: { asset: '', units: 0n },
      });
      await db.begin((tx) =>
        insertDepositTargets(
          tx,
          [{ ...target, id, index, network: network.id, purpose: 'change', merchantId: operatorId, ownerId: id }],
          now,
        ),
      );
      return { ...target, index };
    },
  };
}
