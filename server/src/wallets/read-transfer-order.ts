/**
 * Reads from a request what a transfer is to do, or everything that is wrong with it. It works on whatever could be
 * read of the form, so that problems of the form and of the meaning are told together.
 */
import type { TransferOrder } from '@quittance/contract/transfer';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { findHolder } from '../counterparties/find-holder.ts';
import { isOwnAddress } from '../counterparties/own-address.ts';
import { type TargetAccount, takes } from '../counterparties/target-account.ts';
import { findTargetAccount } from '../counterparties/target-account-store.ts';
import type { Query } from '../db/database.ts';
import { amountProblems } from '../deposits/amount-problems.ts';
import { type DepositMethod, findDepositMethod, offeredAssets } from '../deposits/deposit-method.ts';
import type { PartlyRead } from '../http/route.ts';
import { type Problem, type ToldProblem, told } from '../lib/errors.ts';
import { isId } from '../lib/ids.ts';
import { rescale } from '../money/amount.ts';
import { decimal, power10 } from '../money/decimal.ts';
import { type Connector, sendsAnywhere } from '../networks/port/connector.ts';
import type { Destination, NetworkAddress, Pricing } from '../networks/port/sending.ts';

export type OrderDeps = {
  readonly db: Query;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly assets: AssetCatalog;
};

export type ReadOrder = {
  readonly method: DepositMethod;
  readonly sender: Pricing;
  readonly railUnits: bigint; // in units of the network asset's scale
  readonly units: bigint; // at the asset's ledger scale
  readonly destination: Destination;
  readonly account: TargetAccount | null;
};

type Order = PartlyRead<TransferOrder>;

export async function readTransferOrder(
  deps: OrderDeps,
  merchantId: string,
  order: Order,
): Promise<{ readonly problems: readonly Problem[]; readonly read: ReadOrder | undefined }> {
  const account = await accountOf(deps.db, merchantId, order);
  const network = order.network ?? account?.network;
  const connector = network === undefined ? undefined : deps.connectors.get(network);
  const method = connector && order.asset !== undefined ? methodOf(deps, connector, order.asset) : undefined;
  const address = addressOf(order, account);
  const { holder, problems: holderProblems } =
    connector && address ? await findHolder(deps.db, merchantId, connector, account) : { holder: null, problems: [] };
  const destination = address && { ...address, holder };
  const problems = [
    ...destinationProblems(order, account),
    ...networkProblems(deps, order, account, connector),
    ...(connector && !method && order.asset !== undefined ? [assetProblem(deps, connector, order.asset)] : []),
    ...(method && account ? restrictionProblems(method, account) : []),
    ...(method && order.amount !== undefined ? amountProblems(method, order.amount, 'send') : []),
    ...(connector && destination && (account === undefined || account.network === network)
      ? [...(await addressProblems(deps.db, connector, destination)), ...holderProblems]
      : []),
  ];
  const sender = connector?.sender;
  if (problems.length > 0 || !method || !sender || !destination || order.amount === undefined)
    return { problems, read: undefined };
  const railUnits = railUnitsOf(method, order.amount);
  const units = rescale(railUnits, method.carried.scale, method.asset.ledgerScale, 'down');
  return { problems, read: { method, sender, railUnits, units, destination, account: account ?? null } };
}

/** Found by its label; or by its id, unless that is the label of another one. */
async function accountOf(query: Query, merchantId: string, { targetAccount: name }: Order) {
  if (name === undefined) return undefined;
  const labelled = await findTargetAccount(query, merchantId, { label: name.trim() });
  return labelled ?? (isId(name) ? findTargetAccount(query, merchantId, { id: name }) : undefined);
}

function addressOf(order: Order, account: TargetAccount | undefined): NetworkAddress | undefined {
  if (account) return { address: account.address, memo: account.memo, memoType: account.memoType };
  const address = order.address?.trim();
  if (address === undefined || address === '') return undefined;
  const memo = order.memo?.trim() || null;
  return { address, memo, memoType: memo === null ? null : (order.memoType ?? 'text') };
}

function destinationProblems(order: Order, account: TargetAccount | undefined): Problem[] {
  const { targetAccount, address } = order;
  if (targetAccount !== undefined && address !== undefined)
    return ['Give either targetAccount or address, not both: it must be clear where the money goes.'];
  if (targetAccount !== undefined && !account)
    return [
      told('destination_gone', `There is no target account with the label or id ${JSON.stringify(targetAccount)}.`),
    ];
  if (account && order.memo?.trim())
    return ['memo belongs to the target account: leave it out, or give the address in full.'];
  const isTold = Object.hasOwn(order, 'targetAccount') || Object.hasOwn(order, 'address'); // Its form was wrong.
  if (targetAccount === undefined && address === undefined && !isTold)
    return [told('address_needed', 'targetAccount or address is missing: say where the money goes.')];
  return address?.trim() === '' ? [told('address_needed', 'address must not be empty.')] : [];
}

function networkProblems(
  deps: OrderDeps,
  order: Order,
  account: TargetAccount | undefined,
  connector: Connector | undefined,
): Problem[] {
  if (account && order.network !== undefined && order.network !== account.network)
    return [`The target account ${JSON.stringify(account.label)} is on ${account.network}, not on ${order.network}.`];
  const senders = [...deps.connectors.values()].filter(sendsAnywhere).map((each) => each.network.id);
  if (connector && sendsAnywhere(connector)) return [];
  if (connector)
    return [
      told(
        'network_only_receives',
        `Nothing can be sent on ${connector.network.id}: this service only receives there.`,
        {
          network: connector.network.name,
        },
      ),
    ];
  const network = order.network ?? account?.network;
  if (network !== undefined)
    return [`network must be one of ${senders.join(', ')}, but is ${JSON.stringify(network)}.`];
  return order.targetAccount !== undefined || Object.hasOwn(order, 'network') ? [] : ['network is missing.'];
}

/** Also assets that the merchant has switched off: what is there may always leave. */
const allAssets = ({ assets }: OrderDeps) => ({
  highRiskAssets: assets.assets.map(({ assetCode }) => assetCode),
  riskTolerance: 'MEDIUM' as const,
});

const methodOf = (deps: OrderDeps, connector: Connector, asset: string): DepositMethod | undefined =>
  findDepositMethod(deps.assets, connector, asset, allAssets(deps));

function assetProblem(deps: OrderDeps, connector: Connector, wanted: string): Problem {
  const codes = offeredAssets(deps.assets, connector, allAssets(deps)).map(({ assetCode }) => assetCode);
  return told(
    'asset_not_on_network',
    `asset must be one of ${codes.join(', ')} on ${connector.network.id}, but is ${JSON.stringify(wanted)}.`,
    { network: connector.network.name, assets: codes.join(', ') },
  );
}

const restrictionProblems = ({ asset }: DepositMethod, account: TargetAccount): Problem[] =>
  takes(account, asset.id)
    ? []
    : [
        told(
          'destination_not_for_asset',
          `${asset.assetCode} must not be sent to the target account ${JSON.stringify(account.label)}: it is only for ${account.assets.join(', ')}.`,
          { asset: asset.assetCode, label: account.label },
        ),
      ];

/** Exact: decimals beyond the scale were refused. */
function railUnitsOf({ requestScale }: DepositMethod, amount: string): bigint {
  const { digits, scale } = decimal(amount);
  return digits * power10(requestScale - scale);
}

/** Why nothing is sent there. */
export async function addressProblems(
  query: Query,
  connector: Connector,
  destination: NetworkAddress,
): Promise<Problem[]> {
  const problem = connector.addressProblem?.(destination) ?? null;
  if (problem !== null) return [told('address_wrong', problem, { network: connector.network.name })];
  return (await isOwnAddress(query, connector, destination)) ? [ownAddress] : [];
}

export const ownAddress: ToldProblem = told(
  'address_ours',
  'This address belongs to this service, so nothing would be sent: to pay somebody who uses it, ask for another address.',
);
