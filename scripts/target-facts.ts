/** Where somebody pays, as they have to enter it: an account at a bank is its holder, its number, its bank and the reference. */
import { findNetwork } from '@quittance/server/catalog/network-catalog';

export type Target = {
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: string | null;
  readonly holder?: string | null;
  readonly bic?: string | null;
};

export function targetFacts(network: string, target: Target): Readonly<Record<string, string | null>> {
  const { address, memo, memoType, holder = null, bic = null } = target;
  const { accountNumbers } = findNetwork(network) ?? {};
  if (!accountNumbers) return memo === null ? { address } : { address, memo, memoType };
  return {
    ...(holder !== null && { holder }),
    [accountNumbers.isIban(address) ? 'iban' : 'account']: accountNumbers.printed(address),
    ...(bic !== null && { bic }),
    ...(memo !== null && { reference: memo }),
  };
}
