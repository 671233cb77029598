/** What of an account at a bank the API tells beside its number. */
import type { KnownNetwork } from './connector.ts';

/** Nulls where an address is all, and where the network is no longer configured. */
export function accountShown(
  known: KnownNetwork | undefined,
  address: string,
): { holder: string | null; bic: string | null } {
  const { holder = null, bic = null } = known?.network.accountOf?.(address) ?? {};
  return { holder, bic };
}
