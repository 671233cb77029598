/** What is wrong with an amount on a network: to be received there, or to be sent. */
import { type Problem, told } from '../lib/errors.ts';
import { formatUnits } from '../money/amount.ts';
import { decimal, power10 } from '../money/decimal.ts';
import type { DepositMethod } from './deposit-method.ts';

export function amountProblems(
  { connector, carried, asset, requestScale }: DepositMethod,
  amount: string,
  purpose: 'collect' | 'send',
): Problem[] {
  const { id, name: network } = connector.network;
  const { digits, scale } = decimal(amount);
  if (digits <= 0n) return [told('amount_not_positive', 'amount must be greater than zero.')];
  if (scale > requestScale)
    return [
      told('amount_decimals', `amount must have at most ${requestScale} decimals on ${id}, but is ${amount}.`, {
        network,
        most: String(requestScale),
      }),
    ];
  const units = digits * power10(requestScale - scale);
  const { mostSentUnits } = carried;
  if (purpose === 'send' && mostSentUnits !== undefined && units > mostSentUnits) {
    const most = `${formatUnits(mostSentUnits, requestScale)} ${asset.assetCode}`;
    return [
      told('amount_too_large', `amount must be at most ${most} on ${id}: more is not sent in one piece.`, {
        network,
        most,
      }),
    ];
  }
  if (units >= carried.minimumUnits) return [];
  const least = formatUnits(carried.minimumUnits, requestScale);
  return [
    told(
      'amount_too_small',
      `amount must be at least ${least} of ${asset.assetCode} on ${id}: less costs more to ${purpose} than it is worth.`,
      { network, least: `${least} ${asset.assetCode}` },
    ),
  ];
}
