import {
  GatewayError,
  invalidRequest,
  notFound,
  type Problem,
  type ToldProblem,
  told,
  tryLater,
} from '../lib/errors.ts';
import type { OrderProblem } from '../networks/port/orders.ts';

export const refundNotFound = (id: string): GatewayError => notFound('refund', id);

const conflict = (code: string, message: string): GatewayError => new GatewayError({ code, httpStatus: 409, message });
const unprocessable = (
  code: string,
  message: string | readonly Problem[],
  facts: Record<string, string> = {},
): GatewayError => new GatewayError({ code, httpStatus: 422, message, facts });

export const nothingToRefund = (state: string, what: string): GatewayError =>
  conflict('nothing_to_refund', `This checkout is ${state} and has ${what} to refund.`);

export const noTrustedEmail = (): GatewayError =>
  conflict('no_trusted_email', 'There is no e-mail address of the payer to which a link could be sent: ask the shop.');

export const beingExchanged = (): GatewayError =>
  tryLater('being_exchanged', 'This money is being exchanged. Please try again in a minute.', 60, 409);

export const ambiguousRefund = (options: readonly string[]): GatewayError =>
  unprocessable('ambiguous_refund', `Say which asset is to be refunded: ${options.join(' or ')}.`);

export const moreThanRefundable = (most: string, code: string): GatewayError =>
  unprocessable('more_than_refundable', `At most ${most} ${code} can be refunded.`, { most: `${most} ${code}` });

export const tooLittleToSend = (code: string, network: string): GatewayError =>
  unprocessable('too_little_to_send', `After the network's fee too little ${code} is left to be sent on ${network}.`, {
    code,
    network,
  });

export const tooMuchToSend = (code: string, network: string): GatewayError =>
  unprocessable('too_much_to_send', `So much ${code} is not sent in one piece on ${network}: refund it in parts.`, {
    code,
    network,
  });

export const tooMuchOfOnePayment = (most: string, code: string, network: string): GatewayError =>
  unprocessable(
    'too_much_to_send',
    `On ${network} each payment goes back by itself: refund at most ${most} ${code} at once.`,
    { code, network },
  );

export const notGivenBack = (network: string, sentence: string): GatewayError =>
  cannotSendThere([told('payment_not_given_back', sentence, { network })]);

export const goesBackOnly = (network: string): GatewayError =>
  badAddress(
    told(
      'refund_goes_back',
      `On ${network} money goes back only to the account that it came from: leave out the address.`,
      { network },
    ),
  );

export const payerUnknown = (network: string): GatewayError =>
  cannotSendThere([
    told(
      'payer_unknown',
      `It is not known from whose account this was paid on ${network}: send it by a transfer to a target account.`,
      { network },
    ),
  ]);

/** It is known who paid, and the account cannot be paid back: what is missing, and who can mend it. */
export function payerNotPayable(network: string, { about, sentence, country = '' }: OrderProblem): GatewayError {
  const facts = { network, country };
  switch (about) {
    case 'ownAddress':
      return cannotSendThere([
        told(
          'payer_needs_own_address',
          `What was paid cannot go back yet. ${sentence} Ask the operator to set it, and refund it then.`,
          facts,
        ),
      ]);
    case 'bic':
      return cannotSendThere([
        told(
          'payer_bic_unknown',
          `The bank did not say the BIC of the account that this was paid from on ${network}, without which it cannot be paid: ask the customer for it, and send it by a transfer to a target account.`,
          facts,
        ),
      ]);
    case 'holderAddress':
      return cannotSendThere([
        told(
          'payer_address_unknown',
          `The bank did not say in which town and country whoever paid this on ${network} lives, without which the account cannot be paid: ask the customer, and send it by a transfer to a target account.`,
          facts,
        ),
      ]);
    default:
      return cannotSendThere([
        told(
          'payer_not_payable',
          `The account that this was paid from on ${network} cannot be paid as the bank told it: ask the customer for an account, and send it by a transfer to a target account. ${sentence}`,
          facts,
        ),
      ]);
  }
}

export const payersDiffer = (network: string): GatewayError =>
  cannotSendThere([
    told(
      'payers_differ',
      `This was paid from several accounts on ${network}: send each its part by a transfer to a target account.`,
      { network },
    ),
  ]);

/** The rest was paid in another way, perhaps by somebody else. */
export const moreThanPaidThere = (most: string, code: string, network: string): GatewayError =>
  cannotSendThere([
    told(
      'more_than_paid_there',
      `Only ${most} ${code} of this can go back to the account that paid on ${network}: refund at most that there, and the ` +
        'rest in the asset and on the network in which it was paid.',
      { most, code, network },
    ),
  ]);

export const notEnoughAvailable = (needed: string, available: string, code: string): GatewayError =>
  unprocessable('not_enough_available', `This needs ${needed} ${code}, but ${available} ${code} are available.`, {
    available: `${available} ${code}`,
  });

export const cannotSendThere = (reasons: readonly ToldProblem[]): GatewayError => unprocessable('cannot_send', reasons);

export const nothingIsSent = (network: string): GatewayError =>
  cannotSendThere([told('nothing_is_sent', `Nothing can be sent on ${network} at the moment.`, { network })]);

export const networkIsAway = (network: string): GatewayError =>
  tryLater('network_away', `${network} does not answer at the moment. Please try again in a minute.`, 60, 503, {
    network,
  });

export const noRateForRefund = (sentence: string): GatewayError => tryLater('no_rate', sentence, 60);

export const badAddress = (problem: Problem): GatewayError => invalidRequest([problem]);

export const cannotCancelRefund = (state: string): GatewayError =>
  conflict(
    'cannot_cancel_refund',
    state === 'SENDING'
      ? 'This refund is already being sent and can no longer be cancelled.'
      : `This refund is ${state} and can no longer be cancelled.`,
  );

export const notAwaitingApproval = (state: string): GatewayError =>
  conflict('not_awaiting_approval', `This refund is ${state}: only one that is AWAITING_APPROVAL can be approved.`);

export const approvedByItself = (): GatewayError =>
  new GatewayError({
    code: 'approved_by_itself',
    httpStatus: 403,
    message:
      'A refund must be approved with another API key than the one that asked for it, and with one that somebody else made.',
  });

export const needsPasskey = (): GatewayError =>
  conflict('needs_passkey', 'So much needs a second approval, and only a passkey can ask for that: add one first.');
