/** A labelled destination of transfers, how a request changes one, and what can be wrong with it. */
import type { TargetAccountBody } from '@quittance/contract/target-account';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { PartlyRead } from '../http/route.ts';
import { type Problem, told } from '../lib/errors.ts';
import type { Connector } from '../networks/port/connector.ts';
import type { NetworkDefinition } from '../networks/port/definition.ts';
import { hiddenProblem } from './hidden-problem.ts';

export type TargetAccount = {
  readonly id: string;
  readonly label: string;
  readonly network: string;
  readonly assets: readonly string[]; // ids; empty: all of the network
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: string | null;
  readonly beneficiaryId: string | null;
  /** Of the bank, where the number of the account does not name it. */
  readonly bic: string | null;
  readonly usableFrom: Date;
  readonly createdAt: Date;
};

export type TargetAccountDraft = Pick<TargetAccount, 'assets' | 'memo' | 'memoType' | 'beneficiaryId' | 'bic'> & {
  readonly label: string | undefined;
  readonly network: string | undefined;
  readonly address: string | undefined;
};

/**
 * What the account would be after the request: a field that is absent stays, an empty memo or beneficiary is removed.
 */
export function draftOf(body: PartlyRead<TargetAccountBody>, before: TargetAccount | undefined): TargetAccountDraft {
  const memo = body.memo === undefined ? (before?.memo ?? null) : body.memo.trim() || null;
  const beneficiaryId =
    body.beneficiaryId === undefined ? (before?.beneficiaryId ?? null) : body.beneficiaryId.trim() || null;
  const network = body.network ?? before?.network;
  // An account at a bank is typed with gaps or without: it is the same one, and stored in one way.
  const plain = findNetwork(network ?? '')?.accountNumbers?.plain ?? ((address: string): string => address.trim());
  return {
    label: body.label?.trim() ?? before?.label,
    network,
    address: body.address === undefined ? before?.address : plain(body.address),
    assets: body.assets?.filter((asset) => asset !== undefined) ?? before?.assets ?? [],
    memo,
    memoType: memo === null ? null : (body.memoType ?? before?.memoType ?? 'text'),
    beneficiaryId,
    bic: body.bic === undefined ? (before?.bic ?? null) : body.bic.trim().toUpperCase() || null,
  };
}

/** Problems that need no query to be found. */
export function draftProblems(
  deps: { readonly connectors: ReadonlyMap<string, Connector>; readonly assets: AssetCatalog },
  body: PartlyRead<TargetAccountBody>,
  draft: TargetAccountDraft,
): Problem[] {
  const problems: Problem[] = [];
  for (const name of ['label', 'network', 'address'] as const) {
    const isTold = Object.hasOwn(body, name) && body[name] === undefined; // Its form was wrong.
    const missing = (sentence: string) => problems.push(told('input_missing', sentence, { field: name }));
    if (draft[name] === undefined && !isTold) missing(`${name} is missing.`);
    if (draft[name] === '') missing(`${name} must not be empty.`);
  }
  problems.push(...hiddenProblem('label', draft.label ?? ''));
  if (draft.network === undefined) return problems;
  const connector = deps.connectors.get(draft.network);
  if (!connector) {
    const known = [...deps.connectors.keys()].join(', ');
    return [...problems, `network must be one of ${known}, but is ${JSON.stringify(draft.network)}.`];
  }
  if (connector.network.givesBackOnly) return [...problems, givesBackOnly(connector.network)];
  return [...problems, ...assetProblems(deps.assets, connector, draft), ...addressProblems(connector, draft)];
}

const givesBackOnly = ({ name }: NetworkDefinition): Problem =>
  told(
    'network_only_receives',
    `Nothing can be sent on ${name}, but back to whoever paid: it needs no target account.`,
    {
      network: name,
    },
  );

function assetProblems(catalog: AssetCatalog, { network }: Connector, { assets }: TargetAccountDraft): string[] {
  const carried = new Set(network.assets.map(({ assetCode }) => assetCode));
  return assets.flatMap((wanted, position) => {
    const asset = findAsset(catalog, wanted);
    if (asset && carried.has(asset.assetCode)) return [];
    const shown = JSON.stringify(wanted);
    return [`assets[${position}] must be one of ${[...carried].join(', ')} on ${network.id}, but is ${shown}.`];
  });
}

function addressProblems(connector: Connector, { address, memo, memoType }: TargetAccountDraft): Problem[] {
  if (address === undefined || address === '') return [];
  const problem = connector.addressProblem?.({ address, memo, memoType }) ?? null;
  return problem === null
    ? []
    : [
        told(connector.network.accountNumbers ? 'account_wrong' : 'address_wrong', problem, {
          network: connector.network.name,
        }),
      ];
}

export const takes = ({ assets }: Pick<TargetAccount, 'assets'>, assetId: string): boolean =>
  assets.length === 0 || assets.includes(assetId);

/** After a change of where money goes, to whom where that is asked for, or of the label, the account must wait again. */
export const isOtherDestination = (before: TargetAccount, after: TargetAccount): boolean =>
  before.label !== after.label ||
  before.network !== after.network ||
  before.address !== after.address ||
  before.memo !== after.memo ||
  before.memoType !== after.memoType ||
  before.bic !== after.bic ||
  (before.beneficiaryId !== after.beneficiaryId && findNetwork(after.network)?.holderNeeds !== undefined) ||
  before.assets.toSorted().join() !== after.assets.toSorted().join();
