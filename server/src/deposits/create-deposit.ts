/**
 * Gives out a target for money that comes without a charge.
 *
 * The target is made before the transaction, because some networks must be asked for one. If the transaction then
 * fails, there is an address that nobody knows; that is harmless.
 */
import type { DepositAddressBody } from '@quittance/contract/deposit';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { Db, Query } from '../db/database.ts';
import { type Asker, isKeyActor, signingKeyOf } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { present } from '../lib/assert.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { formatUnits, rescale } from '../money/amount.ts';
import { decimal, toUnits } from '../money/decimal.ts';
import type { Connector } from '../networks/port/connector.ts';
import { askForTarget } from './ask-for-target.ts';
import type { CustomDeposit } from './custom-deposit.ts';
import { countOpenDeposits, insertDeposit, lockOpening } from './custom-deposit-store.ts';
import { cannotReceive, tooManyOpen } from './deposit-errors.ts';
import type { NextDepositIndex } from './deposit-index.ts';
import { type DepositMethod, findDepositMethod } from './deposit-method.ts';
import { insertDepositTargets } from './deposit-target-store.ts';
import type { NetworkHealth } from './network-health.ts';

export type CreateDepositDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly health: NetworkHealth;
  readonly nextDepositIndex: NextDepositIndex;
  /** How many deposits a merchant may have open. */
  readonly openDepositsMax: number;
};

/** Nobody waits at a page until a deposit is paid. */
const invoiceValidityMs = hours(24);
/** A single-use deposit at which nothing arrived for so long no longer counts as open. */
export const openMs = hours(7 * 24);

export type CreatedDeposit = { readonly deposit: CustomDeposit; readonly method: DepositMethod };

export async function createDeposit(
  deps: CreateDepositDeps,
  merchant: Merchant,
  request: { readonly body: DepositAddressBody; readonly actor: Asker; readonly begin: Begin<CreatedDeposit> },
): Promise<CreatedDeposit> {
  const { body, actor } = request;
  const now = deps.clock.now();
  const connector = present(deps.connectors.get(body.network), `connector of ${body.network}`);
  const { network } = connector;
  const found = findDepositMethod(deps.assets, connector, body.asset, merchant);
  const method = present(found, 'the method of a checked deposit');
  const { asset, carried, requestScale } = method;
  const railUnits = body.amount === undefined ? 0n : toUnits(decimal(body.amount), requestScale, 'up');
  assertReceivable(deps.health, method, railUnits);

  const demandRoom = async (query: Query): Promise<void> => {
    const open = await countOpenDeposits(query, merchant.id, addMs(now, -openMs));
    if (open >= deps.openDepositsMax) throw tooManyOpen(deps.openDepositsMax);
  };
  await demandRoom(deps.db); // Before a network is asked for a target.

  const id = newId();
  const targetId = newId();
  const index = await deps.nextDepositIndex();
  const target = await askForTarget({ db: deps.db, merchantId: merchant.id }, connector, {
    targetId,
    index,
    reference: id,
    amount: { asset: asset.id, units: railUnits },
    assetCode: asset.assetCode,
    requestedAt: now,
    expiresAt: addMs(now, invoiceValidityMs),
  });
  const deposit: CustomDeposit = {
    merchantId: merchant.id,
    id,
    apiKey: signingKeyOf(actor),
    state: 'CREATED',
    exceptions: [],
    network: network.id,
    asset: asset.id,
    isReusable: body.reusable,
    expectedUnits: railUnits === 0n ? null : rescale(railUnits, carried.scale, asset.ledgerScale, 'down'),
    targetKey: target.key,
    address: target.address,
    memo: target.memo,
    memoType: target.memoType,
    webhook: body.webhook ?? null,
    meta: body.meta ?? null,
    extraConfirmations: merchant.extraConfirmations,
    reversals: 0,
    createdAt: now,
    expiresAt: network.hasInvoices ? addMs(now, invoiceValidityMs) : null,
    closedAt: null,
  };
  return request.begin(async (tx) => {
    await lockOpening(tx, merchant.id);
    await demandRoom(tx); // Others of the same merchant's may be made at the same moment.
    const owner = { purpose: 'deposit' as const, merchantId: merchant.id, ownerId: id };
    await Promise.all([
      insertDeposit(tx, deposit),
      insertDepositTargets(tx, [{ ...target, ...owner, id: targetId, network: network.id, index }], now),
      // Shops make them by the thousand, and the deposit names the key; of a person nothing else tells.
      isKeyActor(actor)
        ? undefined
        : insertAudit(tx, { merchantId: merchant.id, at: now, actor, action: 'deposit.created', detail: { id } }),
    ]);
    return { deposit, method };
  });
}

/** If a network can take in only so much, an invoice for more could never be paid. */
function assertReceivable(health: NetworkHealth, { connector, carried, asset }: DepositMethod, units: bigint): void {
  const { network } = connector;
  const most = network.hasInvoices && health.status(network.id)?.facts.receivable?.[asset.assetCode];
  if (most !== undefined && most !== false && units > BigInt(most))
    throw cannotReceive(network.name, `${formatUnits(BigInt(most), carried.scale)} ${asset.assetCode}`);
}
