import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import { formatTimestamp } from '../lib/clock.ts';
import { type GatewayError, tryLater } from '../lib/errors.ts';
import { formatUnits } from '../money/amount.ts';
import type { Leaving } from './what-may-leave.ts';

/** Less could leave at once, and the same amount later. */
const leaveLater = (code: string, message: string): GatewayError => tryLater(code, message, 60, 422);

export function mustWait({ assetCode, ledgerScale }: CatalogAsset, { mostUnits, wait }: Leaving): GatewayError {
  const text = (units: bigint): string => `${formatUnits(units > 0n ? units : 0n, ledgerScale)} ${assetCode}`;
  const most = `At most ${text(mostUnits)} may leave now.`;
  if (!wait) return leaveLater('must_wait', most);
  const waits = text(wait.units);
  if (wait.confirmations === null)
    return leaveLater(
      'must_wait',
      `${most} ${waits} must wait: a block of ${wait.network} that brought some of it is no longer part of the chain.`,
    );
  const until = wait.until ? `, about until ${formatTimestamp(wait.until)}` : '';
  const blocks = wait.confirmations === 1 ? '1 more confirmation' : `${wait.confirmations} more confirmations`;
  return wait.reason === 'depth'
    ? leaveLater(
        'must_wait',
        `${most} ${waits} must wait for ${blocks} on ${wait.network}${until}: what came in with it needs so many, by its sum.`,
      )
    : leaveLater(
        'must_wait',
        `${most} ${waits} must wait until it is final on ${wait.network}, for at most ${blocks}${until}: all accounts ` +
          'together have taken out as much of what is not final as the service allows.',
      );
}

/** Of money in suspense. */
export const paymentMustWait = (network: string, confirmations: number | null, until: Date | null): GatewayError =>
  leaveLater(
    'payment_must_wait',
    confirmations === null
      ? `This cannot be sent yet: a block of ${network} that brought it is no longer part of the chain.`
      : `This must wait for ${confirmations === 1 ? '1 more confirmation' : `${confirmations} more confirmations`} on ` +
          `${network}${until ? `, about until ${formatTimestamp(until)}` : ''}: what came in with it needs so many, by its sum.`,
  );
