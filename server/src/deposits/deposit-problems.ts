/**
 * What is wrong with a new deposit beyond its form. Works on whatever could be read, so that these problems are told
 * together with those of form.
 */
import type { DepositAddressBody } from '@quittance/contract/deposit';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { PartlyRead } from '../http/route.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { formatUnits } from '../money/amount.ts';
import { decimal, power10 } from '../money/decimal.ts';
import type { Connector } from '../networks/port/connector.ts';
import { webhookUrlProblems } from '../webhooks/webhook-url-problems.ts';
import { type DepositMethod, findDepositMethod, offeredAssets } from './deposit-method.ts';

export type DepositProblemDeps = {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly assets: AssetCatalog;
};

export function depositProblems(
  deps: DepositProblemDeps,
  merchant: Merchant,
  body: PartlyRead<DepositAddressBody>,
): string[] {
  return [...methodProblems(deps, merchant, body), ...webhookUrlProblems(merchant, body.webhook)];
}

function methodProblems(deps: DepositProblemDeps, merchant: Merchant, body: PartlyRead<DepositAddressBody>): string[] {
  const { network: id, asset: wanted } = body;
  if (id === undefined) return [];
  const connector = deps.connectors.get(id);
  if (!connector)
    return [`network must be one of ${[...deps.connectors.keys()].join(', ')}, but is ${JSON.stringify(id)}.`];
  const method = findDepositMethod(deps.assets, connector, wanted, merchant);
  const codes = offeredAssets(deps.assets, connector, merchant).map(({ assetCode }) => assetCode);
  return [
    ...(method ? [] : [`asset must be one of ${codes.join(', ')} on ${id}, but is ${JSON.stringify(wanted)}.`]),
    ...invoiceProblems(connector, body),
    ...(method && body.amount !== undefined ? amountProblems(method, body.amount) : []),
  ];
}

function invoiceProblems({ network }: Connector, body: PartlyRead<DepositAddressBody>): string[] {
  if (!network.hasInvoices) return [];
  const isAmountMissing = body.amount === undefined && !Object.hasOwn(body, 'amount'); // A malformed one was told.
  return [
    ...(body.reusable === true
      ? [`reusable must be false on ${network.id}: its targets are invoices, which can be paid only once.`]
      : []),
    ...(isAmountMissing
      ? [`amount is missing: on ${network.id} a target is an invoice, which is for one amount.`]
      : []),
  ];
}

function amountProblems({ connector, carried, asset, requestScale }: DepositMethod, amount: string): string[] {
  const { digits, scale } = decimal(amount);
  if (digits <= 0n) return ['amount must be greater than zero.'];
  if (scale > requestScale)
    return [`amount must have at most ${requestScale} decimals on ${connector.network.id}, but is ${amount}.`];
  const units = digits * power10(requestScale - scale);
  if (units < carried.minimumUnits)
    return [
      `amount must be at least ${formatUnits(carried.minimumUnits, requestScale)} of ${asset.assetCode} on ` +
        `${connector.network.id}: less costs more to collect than it is worth.`,
    ];
  return [];
}
