/** What an account can choose to be credited in, where a charge does not say. */
import { type CatalogAsset, canSettle, isAvailable } from '../catalog/asset-catalog.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type ConvertibleDeps, isConvertible } from '../venues/convertible.ts';

export function settlementChoices(
  deps: ConvertibleDeps,
  { highRiskAssets, riskTolerance }: Pick<Merchant, 'highRiskAssets' | 'riskTolerance'>,
): CatalogAsset[] {
  const configured = new Map(
    Array.from(deps.connectors, ([id, { network }]) => {
      const assetCodes = new Set(network.assets.map(({ assetCode }) => assetCode));
      return [id, { canSend: false, assetCodes }];
    }),
  );
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

/** Risk and asset must fit each other, whichever of them was changed. */
export const settlementSettingProblems =
  (deps: ConvertibleDeps) =>
  (after: Merchant): string[] => {
    const { settlementAsset: wanted } = after;
    if (wanted === 'ORIGIN') return [];
    if (settlementChoices(deps, after).some(({ id, assetCode }) => id === wanted || assetCode === wanted)) return [];
    return [
      `The account cannot be credited in ${wanted}: it is not offered here, or is riskier than the account takes. Choose ` +
        'another asset, a higher risk tolerance, or ORIGIN.',
    ];
  };
