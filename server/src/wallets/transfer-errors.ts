import type { ShownTransferState } from '@quittance/contract/transfer';
import type { CatalogAsset } from '../catalog/asset-catalog.ts';
import { GatewayError, notFound, told, tryLater } from '../lib/errors.ts';
import { formatUnits } from '../money/amount.ts';

export const transferNotFound = (id: string): GatewayError => notFound('transfer', id);

export const notEnoughAvailable = (amounts: { available: string; amount: string; fee: string; code: string }) =>
  new GatewayError({
    code: 'not_enough_available',
    httpStatus: 422,
    message:
      `The balance has ${amounts.available} ${amounts.code} available, too little for ${amounts.amount} ${amounts.code} ` +
      `and the fee of ${amounts.fee} ${amounts.code}.`,
    facts: { available: `${amounts.available} ${amounts.code}` },
  });

/** Less would do at once, and the same later. */
export const cannotSendNow = (name: string, most: string): GatewayError =>
  tryLater('cannot_send_now', `So much cannot be sent on ${name} at the moment: the most is ${most}.`, 60, 422, {
    network: name,
    most,
  });

export const cannotSend = (network: string, reason: string): GatewayError =>
  new GatewayError({
    code: 'cannot_send',
    httpStatus: 422,
    message: [told('receiver_refuses', reason, { network })],
  });

export const noRateForFee = (reason: string): GatewayError =>
  tryLater('no_rate', `The fee cannot be worked out at the moment: ${reason}.`, 60);

export const notAwaitingApproval = (state: ShownTransferState): GatewayError =>
  new GatewayError({
    code: 'not_awaiting_approval',
    httpStatus: 409,
    message: `This transfer is ${state}: only one that is AWAITING_APPROVAL can be approved.`,
  });

export const approvedByItself = (): GatewayError =>
  new GatewayError({
    code: 'approved_by_itself',
    httpStatus: 403,
    message:
      'A transfer must be approved with another API key than the one that asked for it, and with one that somebody else made.',
  });

export const needsPasskey = (): GatewayError =>
  new GatewayError({
    code: 'needs_passkey',
    httpStatus: 409,
    message: 'So much needs a second approval, and only a passkey can ask for that: add one first.',
  });

export const feeRose = ({ assetCode, ledgerScale }: CatalogAsset, feeUnits: bigint): GatewayError =>
  new GatewayError({
    code: 'fee_rose',
    httpStatus: 409,
    message: `The fee has risen to ${formatUnits(feeUnits, ledgerScale)} ${assetCode} in the meantime. Look at it, and send it again.`,
  });

export const destinationChanged = (): GatewayError =>
  new GatewayError({
    code: 'destination_changed',
    httpStatus: 409,
    message: 'The destination is not the one that was shown. Look at it again, and send it then.',
  });

export const notToRefuse = (state: ShownTransferState): GatewayError =>
  new GatewayError({
    code: 'not_awaiting_approval',
    httpStatus: 409,
    message: `This transfer is ${state}: only one that is AWAITING_APPROVAL can be refused.`,
  });

export const cannotCancelTransfer = (state: ShownTransferState): GatewayError =>
  new GatewayError({
    code: 'cannot_cancel',
    httpStatus: 409,
    message:
      state === 'SENT'
        ? 'This transfer is signed and on its way: it can no longer be cancelled.'
        : `This transfer is ${state} and can no longer be cancelled.`,
  });
