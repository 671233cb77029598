/**
 * What is wrong with a new deposit beyond its form. Works on whatever could be read, so that these problems are told
 * together with those of form.
 */
import type { DepositAddressBody } from '@quittance/contract/deposit';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { PartlyRead } from '../http/route.ts';
import { type Problem, told } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { Connector } from '../networks/port/connector.ts';
import { amountProblems } from './amount-problems.ts';
import { findDepositMethod, offeredAssets } from './deposit-method.ts';

export type DepositProblemDeps = {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly assets: AssetCatalog;
};

export function depositProblems(
  deps: DepositProblemDeps,
  merchant: Merchant,
  body: PartlyRead<DepositAddressBody>,
): Problem[] {
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
    ...(method && body.amount !== undefined ? amountProblems(method, body.amount, 'collect') : []),
  ];
}

function invoiceProblems({ network }: Connector, body: PartlyRead<DepositAddressBody>): Problem[] {
  if (!network.hasInvoices) return [];
  const isAmountMissing = body.amount === undefined && !Object.hasOwn(body, 'amount'); // A malformed one was told.
  return [
    ...(body.reusable === true
      ? [
          told(
            'deposit_only_once',
            `reusable must be false on ${network.id}: its targets are invoices, which can be paid only once.`,
            { network: network.name },
          ),
        ]
      : []),
    ...(isAmountMissing
      ? [
          told(
            'deposit_needs_amount',
            `amount is missing: on ${network.id} a target is an invoice, which is for one amount.`,
            { network: network.name },
          ),
        ]
      : []),
  ];
}
