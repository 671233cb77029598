/** Who makes, downloads or gives up a payment file is told why not, and what to do instead. */
import { GatewayError } from '../lib/errors.ts';

const bankFailure = (code: string, httpStatus: number, message: string): GatewayError =>
  new GatewayError({ code, httpStatus, message });

/** `network` empty: it was not said, and there are several. */
export const noPaymentFiles = (network: string, known: readonly string[]): GatewayError =>
  bankFailure(
    'no_payment_files',
    network === '' && known.length > 1 ? 400 : 404,
    network === '' && known.length > 1
      ? `There are several banks: say for which one the file is (--network), ${known.join(' or ')}.`
      : known.length > 0
        ? `Payment files are made for ${known.join(', ')}, and not for ${JSON.stringify(network)}.`
        : 'No network is configured that is paid from by files.',
  );

export const nothingToPay = (network: string, refusedCount: number): GatewayError =>
  bankFailure(
    'nothing_to_pay',
    409,
    refusedCount === 0
      ? `No payment waits for a file of ${network}.`
      : `No payment waits for a file of ${network} any more: ${refusedCount} could never be made, and whoever asked for them is told why.`,
  );

export const othersWereFaster = (): GatewayError =>
  bankFailure(
    'payments_taken',
    409,
    'Somebody else made a file of the same payments, or took one of them back. Nothing was made: try again.',
  );

export const downloadedBefore = (times: number): GatewayError =>
  bankFailure(
    'file_downloaded_before',
    409,
    `This file was downloaded ${times === 1 ? 'once' : `${times} times`} already: if it is signed twice, everybody in it is paid twice. Confirm that you want it again.`,
  );

export const fileIsVoid = (): GatewayError =>
  bankFailure('file_is_void', 409, 'This file is void: its payments are in another file by now, or will be.');

export const bytesForgotten = (): GatewayError =>
  bankFailure('file_forgotten', 410, 'This file is no longer kept. What became of its payments is.');

const namedMost = 20;
const shortList = (ids: readonly string[]): string =>
  `${ids.slice(0, namedMost).join(', ')}${ids.length > namedMost ? ', …' : ''}`;

export const fileHeld = (payoutIds: readonly string[]): GatewayError =>
  bankFailure(
    'file_held',
    409,
    `Payments of this file must not be made now (${shortList(payoutIds)}): the account that asked for them is suspended, or owes what was taken back, or what they give back was taken back. Give this file up, and make another one.`,
  );

/** Whoever signs it pays them as well, for the second time or instead of what their merchants have back. */
export const partsDecided = (payoutIds: readonly string[], orderCount: number): GatewayError => {
  const isAll = payoutIds.length === orderCount;
  return bankFailure(
    'file_decided_in_part',
    409,
    isAll
      ? 'What became of every payment in this file is known: whoever signs it again pays them again. It is not given out any more.'
      : `What became of payments in this file is known (${shortList(payoutIds)}): whoever signs it pays them again. It is not given out any more. If the bank does not have it, give it up and make another one of the rest.`,
  );
};

export const declarationNeeded = (): GatewayError =>
  bankFailure(
    'declaration_needed',
    409,
    'This file was downloaded. Declare that it was not signed, or was deleted at the bank before it was carried out: otherwise everybody in it may be paid twice.',
  );

export const allDecided = (): GatewayError =>
  bankFailure('file_decided', 409, 'The bank has decided about every payment in this file: nothing of it can be void.');

export const orderInFile = (fileId: string): GatewayError =>
  bankFailure(
    'payment_in_file',
    409,
    `This payment is in the file ${fileId}. Make that file void first, or let the bank refuse it.`,
  );

export const orderBooked = (fileId: string): GatewayError =>
  bankFailure(
    'payment_booked',
    409,
    `The bank has booked this payment, of the file ${fileId}, so it cannot be refused any more. If it comes back, statements will say so.`,
  );

export const orderEnded = (): GatewayError =>
  bankFailure('payment_ended', 409, 'This payment waits no longer: it was made, refused or taken back.');

export const orderInDoubt = (): GatewayError =>
  bankFailure(
    'payment_in_doubt',
    409,
    'The bank has booked something that names this payment, so it may have been paid: say under Suspense what that was.',
  );

export const fileInDoubt = (payoutIds: readonly string[]): GatewayError =>
  bankFailure(
    'file_in_doubt',
    409,
    `The bank has booked something that names payments of this file (${payoutIds.join(', ')}), so they may have been paid: say under Suspense what that was, or give this file up.`,
  );

export const orderAnnounced = (): GatewayError =>
  bankFailure(
    'payment_announced',
    409,
    'The merchant was told that this payment was made, so it cannot be refused: it must be made once more.',
  );

export const reasonNeeded = (most: number): GatewayError =>
  bankFailure('reason_needed', 400, `Say why, in 1 to ${most} characters: whoever asked for the payment reads it.`);
