/** What an account can choose to be credited in, where a charge does not say. */
import { isDeepStrictEqual } from 'node:util';
import { type CatalogAsset, canReceive, canSettle, findAsset, isAvailable } from '../catalog/asset-catalog.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type ConvertibleDeps, isConvertible } from '../venues/convertible.ts';
import { assetNotCreditable, nothingPayable } from './checkout-errors.ts';

const configuredIn = ({ connectors }: ConvertibleDeps) =>
  new Map(
    Array.from(connectors, ([id, { network }]) => {
      const assetCodes = new Set(network.assets.map(({ assetCode }) => assetCode));
      return [id, { canSend: false, assetCodes }];
    }),
  );

export function settlementChoices(
  deps: ConvertibleDeps,
  { highRiskAssets, riskTolerance }: Pick<Merchant, 'highRiskAssets' | 'riskTolerance'>,
): CatalogAsset[] {
  const configured = configuredIn(deps);
  const enabledHighRisk = new Set(highRiskAssets);
  const view = {
    configured,
    enabledHighRisk,
    riskTolerance,
    isConvertible: (given: CatalogAsset, wanted: CatalogAsset) => isConvertible(deps, given, wanted),
  };
  return deps.assets.assets.filter(
    (asset) => isAvailable(asset, enabledHighRisk) && canSettle(deps.assets, view, asset),
  );
}

/**
 * Risk and asset must fit each other, whichever of them was changed. Where neither was, what was chosen while it was
 * offered stays, and holds up no other change.
 */
export const demandFittingSettlement =
  (deps: ConvertibleDeps) =>
  (after: Merchant, before: Merchant): void => {
    if (isDeepStrictEqual(choiceOf(after), choiceOf(before))) return;
    const { settlementAsset: wanted } = after;
    const choices = settlementChoices(deps, after);
    if (wanted === 'ORIGIN') demandPayable(deps, after, choices);
    else if (!choices.some(({ id, assetCode }) => id === wanted || assetCode === wanted))
      throw assetNotCreditable(findAsset(deps.assets, wanted)?.assetCode ?? wanted);
  };

const choiceOf = ({ settlementAsset, riskTolerance, highRiskAssets }: Merchant) => ({
  settlementAsset,
  riskTolerance,
  highRiskAssets,
});

/** What nothing could be paid with is no setting: nobody would see it before the first customer. */
function demandPayable(deps: ConvertibleDeps, after: Merchant, choices: readonly CatalogAsset[]): void {
  const configured = configuredIn(deps);
  if (after.riskTolerance !== 'LOW' || choices.some((asset) => canReceive(asset, configured))) return;
  throw nothingPayable(choices.map(({ assetCode }) => assetCode));
}
