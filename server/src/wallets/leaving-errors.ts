import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import { formatTimestamp } from '../lib/clock.ts';
import { type GatewayError, type Problem, type ToldProblem, told, tryLater } from '../lib/errors.ts';
import { formatUnits } from '../money/amount.ts';
import type { Leaving } from './what-may-leave.ts';

/** Less could leave at once, and the same amount later. */
const leaveLater = (code: string, message: readonly Problem[], facts: Record<string, string> = {}): GatewayError =>
  tryLater(code, message, 60, 422, facts);

export function mustWait({ assetCode, ledgerScale }: CatalogAsset, { mostUnits, wait }: Leaving): GatewayError {
  const text = (units: bigint): string => `${formatUnits(units > 0n ? units : 0n, ledgerScale)} ${assetCode}`;
  const most = text(mostUnits);
  const opening = `At most ${most} may leave now.`;
  return leaveLater('must_wait', [
    wait ? whyWait(opening, { most, waits: text(wait.units) }, wait) : told('leave_at_most', opening, { most }),
  ]);
}

function whyWait(
  opening: string,
  amounts: { readonly most: string; readonly waits: string },
  wait: NonNullable<Leaving['wait']>,
): ToldProblem {
  const { network, confirmations } = wait;
  const { waits } = amounts;
  if (wait.isByDays)
    return told(
      'leave_when_final',
      `${opening} ${waits} must wait: what came in by ${network} can still be taken back, and all accounts together have taken out ` +
        'as much of it as the service allows.',
      { ...amounts, network },
    );
  if (confirmations === null)
    return told(
      'leave_after_reorganisation',
      `${opening} ${waits} must wait: a block of ${network} that brought some of it is no longer part of the chain.`,
      { ...amounts, network },
    );
  const until = wait.until ? `, about until ${formatTimestamp(wait.until)}` : '';
  const blocks = confirmations === 1 ? '1 more confirmation' : `${confirmations} more confirmations`;
  const why =
    wait.reason === 'depth'
      ? `${waits} must wait for ${blocks} on ${network}${until}: what came in with it needs so many, by its sum.`
      : `${waits} must wait until it is final on ${network}, for at most ${blocks}${until}: all accounts together have ` +
        'taken out as much of what is not final as the service allows.';
  return told('leave_after_blocks', `${opening} ${why}`, { ...amounts, network, count: String(confirmations) });
}

/** Of money in suspense. */
export const paymentMustWait = (network: string, confirmations: number | null, until: Date | null): GatewayError =>
  leaveLater(
    'payment_must_wait',
    [
      confirmations === null
        ? `This cannot be sent yet: a block of ${network} that brought it is no longer part of the chain.`
        : `This must wait for ${confirmations === 1 ? '1 more confirmation' : `${confirmations} more confirmations`} on ` +
          `${network}${until ? `, about until ${formatTimestamp(until)}` : ''}: what came in with it needs so many, by its sum.`,
    ],
    { network },
  );
