/** An account as Horizon tells it. */
import { unitsOfAmount } from './stellar-amount.ts';
import type { StellarAccount, Trustline } from './stellar-ledger-api.ts';

type BalanceResource = {
  readonly asset_type: string;
  readonly asset_code?: string;
  readonly asset_issuer?: string;
  readonly balance: string;
  readonly limit?: string;
  readonly buying_liabilities?: string;
  readonly selling_liabilities?: string;
  readonly is_authorized?: boolean;
};
export type AccountResource = {
  readonly sequence: string;
  readonly subentry_count: number;
  readonly num_sponsoring?: number;
  readonly num_sponsored?: number;
  readonly balances: readonly BalanceResource[];
  readonly data?: Readonly<Record<string, string>>;
};
/** The protocol counts in 64 bits: an account whose offers may bring it that much has no room for a payment. */
const unitsMax = 2n ** 63n - 1n;

export const unitsOf = (amount: string | undefined): bigint => unitsOfAmount(amount ?? '0');

export function readAccount(resource: AccountResource, asOfLedger: number | null): StellarAccount {
  const native = resource.balances.find((line) => line.asset_type === 'native');
  const lines = resource.balances.flatMap((line): [string, Trustline][] => {
    if (line.asset_code === undefined) return [];
    const [balance, limit] = [unitsOf(line.balance), unitsOf(line.limit)];
    return [
      [
        `${line.asset_code}:${line.asset_issuer}`,
        {
          spendable: balance - unitsOf(line.selling_liabilities),
          room: limit - balance - unitsOf(line.buying_liabilities),
          isAuthorized: line.is_authorized !== false,
        },
      ],
    ];
  });
  return {
    sequence: BigInt(resource.sequence),
    asOfLedger,
    lumens: unitsOf(native?.balance),
    lumensPromised: unitsOf(native?.selling_liabilities),
    lumensRoom: unitsMax - unitsOf(native?.balance) - unitsOf(native?.buying_liabilities),
    reserveCount: 2 + resource.subentry_count + (resource.num_sponsoring ?? 0) - (resource.num_sponsored ?? 0),
    lines: new Map(lines),
    requiresMemo: resource.data?.['config.memo_required'] === Buffer.from('1').toString('base64'),
  };
}
