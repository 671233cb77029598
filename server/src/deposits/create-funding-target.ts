/**
 * An address at which the operator brings in its own money. Made by a job, because only the service has the connectors;
 * whoever asked finds the target by the id that they chose.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import type { Db } from '../db/database.ts';
import { GiveUp } from '../jobs/job-runner.ts';
import { present } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { decimal, toUnits } from '../money/decimal.ts';
import type { Connector } from '../networks/port/connector.ts';
import type { DepositTarget } from '../networks/port/receiving.ts';
import type { CreateDepositDeps } from './create-deposit.ts';
import { insertDepositTargets, operatorId } from './deposit-target-store.ts';

const invoiceValidityMs = hours(24);
/** A fixed address is not derived; an attempt to derive it must fail. */
const noIndex = -1;

/**
 * What arrives at the wallet of a network is the operator's own money. The wallet is stored before the network is first
 * read: what came earlier is the opening balance, and everything after that is a payment.
 */
export async function watchWallet(db: Db, { network, wallet }: Connector, now: Date): Promise<void> {
  if (!wallet) return;
  const target = { ...wallet, id: newId(), index: noIndex, network: network.id, purpose: 'funding' as const };
  await db.begin((tx) => insertDepositTargets(tx, [{ ...target, merchantId: operatorId, ownerId: wallet.key }], now));
}

export async function createFundingTarget(
  deps: Omit<CreateDepositDeps, 'health' | 'openDepositsMax'>,
  { network: id, targetId, amount }: { network: string; targetId: string; amount: string | null },
): Promise<void> {
  const connector = deps.connectors.get(id);
  if (!connector) throw new GiveUp(`${id} is not configured.`);
  const { network, wallet } = connector;
  if (network.hasInvoices && amount === null) throw new GiveUp(`An invoice on ${id} is for one amount: say which.`);
  const index = wallet ? noIndex : await deps.nextDepositIndex();
  const target = wallet ?? (await newTarget(index));
  const now = deps.clock.now();
  const owner = { purpose: 'funding' as const, merchantId: operatorId, ownerId: targetId };
  await deps.db.begin((tx) =>
    insertDepositTargets(tx, [{ ...target, ...owner, id: targetId, network: id, index }], now),
  );

  async function newTarget(at: number): Promise<DepositTarget> {
    const { network: definition, createTarget } = present(connector, id);
    const carried = present(definition.assets[0], `an asset of ${id}`);
    const asset = present(findAsset(deps.assets, carried.assetCode), `asset ${carried.assetCode}`);
    const requestedAt = deps.clock.now();
    return createTarget({
      targetId,
      index: at,
      reference: targetId,
      amount: { asset: asset.id, units: toUnits(decimal(amount ?? 0), carried.scale, 'up') },
      assetCode: carried.assetCode,
      requestedAt,
      expiresAt: addMs(requestedAt, invoiceValidityMs),
    });
  }
}
