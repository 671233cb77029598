/** Amounts as Horizon writes them: with seven decimals, whatever the asset. */
import { parseDecimal, toUnits } from '../../money/decimal.ts';
import { NetworkError } from '../port/connector.ts';

const decimals = 7;

/** More decimals, or no amount at all, cannot come from this ledger: to round it would turn a mistake into money. */
export function unitsOfAmount(amount: string): bigint {
  const value = parseDecimal(amount);
  if (!value || value.digits < 0n || value.scale > decimals)
    throw new NetworkError(`Horizon tells of an impossible amount: ${amount}.`, { isRetryable: false });
  return toUnits(value, decimals, 'down');
}
