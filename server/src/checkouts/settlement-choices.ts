/** What an account can choose to be credited in, where a charge does not say. */
import { isDeepStrictEqual } from 'node:util';
import { type CatalogAsset, canReceive, canSettle, isAvailable } from '../catalog/asset-catalog.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type ConvertibleDeps, isConvertible } from '../venues/convertible.ts';

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
export const settlementSettingProblems =
  (deps: ConvertibleDeps) =>
  (after: Merchant, before: Merchant): string[] => {
    if (isDeepStrictEqual(choiceOf(after), choiceOf(before))) return [];
    const { settlementAsset: wanted } = after;
    const choices = settlementChoices(deps, after);
    if (wanted === 'ORIGIN') return originProblems(deps, after, choices);
    if (choices.some(({ id, assetCode }) => id === wanted || assetCode === wanted)) return [];
    return [
      `The account cannot be credited in ${wanted}: it is not offered here, or is riskier than the account takes. Choose ` +
        'another asset, a higher risk tolerance, or ORIGIN.',
    ];
  };

const choiceOf = ({ settlementAsset, riskTolerance, highRiskAssets }: Merchant) => ({
  settlementAsset,
  riskTolerance,
  highRiskAssets,
});

/** What nothing could be paid with is no setting: nobody would see it before the first customer. */
function originProblems(deps: ConvertibleDeps, after: Merchant, choices: readonly CatalogAsset[]): string[] {
  const configured = configuredIn(deps);
  if (choices.some((asset) => canReceive(asset, configured))) return [];
  const others = choices.map(({ assetCode }) => assetCode).join(' or ');
  const instead =
    others === '' ? 'Choose a risk tolerance of MEDIUM.' : `Choose ${others}, or a risk tolerance of MEDIUM.`;
  return after.riskTolerance === 'LOW'
    ? [
        'Nothing could be paid: what is paid would be credited as it is (ORIGIN), and all that can be paid with here is ' +
          `riskier than the account takes. ${instead}`,
      ]
    : [];
}
