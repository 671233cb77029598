/** The endpoints by which money leaves an account. Part of endpoints.ts. */
import type { Endpoint } from './endpoints.ts';
import {
  transferApproveBody,
  transferBody,
  transferCancelBody,
  transferEstimateQuery,
  transferEstimateReply,
  transferQuery,
  transferReply,
  transfersQuery,
  transfersReply,
} from './transfer.ts';

/** What every endpoint that sends money demands of its caller. */
const guarded = { isMoneyMoving: true, isSignatureUsedUp: true, needsAllowedAddress: true } as const;
const demands =
  ' Needs digest authentication from an address on the list of the account; a signature is good for one request that is carried out.';

export const transferEndpoints = {
  estimateTransfer: {
    id: 'estimateTransfer',
    method: 'GET',
    path: '/transfer/estimate',
    tag: 'Transfers',
    summary: 'Estimate a transfer',
    description: 'What POST /transfer would charge now, and whether it would have to wait.',
    access: 'orderMoney',
    failures: { 422: 'So much cannot be sent at the moment, or the receiver refuses it.' },
    query: transferEstimateQuery,
    reply: transferEstimateReply,
  },
  createTransfer: {
    id: 'createTransfer',
    method: 'POST',
    path: '/transfer',
    tag: 'Transfers',
    summary: 'Send money',
    description:
      'Sends to a target account or to an address given in full. Amount and fee are set aside at once; the fee is ' +
      'charged as it is quoted here, whatever the network takes. Events: TRANSFER_COMPLETED when it has arrived, ' +
      'TRANSFER_FAILED when it cannot be sent, or when a bank gave all of it back; then everything but `failureCost` is ' +
      'available again. Each carries `transfer`, the ' +
      `record. Send an Idempotency-Key: with it, a repeated request never sends twice.${demands}`,
    access: 'orderMoney',
    failures: {
      409: 'A limit of the account is reached, or the signature was used before.',
      422: 'Too little is available or may leave now, so much cannot be sent at the moment, or the receiver refuses it.',
    },
    ...guarded,
    body: transferBody,
    reply: transferReply,
  },
  approveTransfer: {
    id: 'approveTransfer',
    method: 'POST',
    path: '/transfer/approve',
    tag: 'Transfers',
    summary: 'Approve a transfer',
    description: `By another API key of the account than the one that asked for it.${demands}`,
    access: 'approveOrders',
    failures: {
      403: 'Not allowed: the address, the method, a scope, or the API key is the one that asked for it or of the same maker.',
      404: 'There is no transfer with this id.',
      409: 'It does not await approval, a limit of the account is reached, or the signature was used before.',
      422: 'It may not leave yet: it must wait for confirmations.',
    },
    ...guarded,
    body: transferApproveBody,
    reply: transferReply,
  },
  cancelTransfer: {
    id: 'cancelTransfer',
    method: 'POST',
    path: '/transfer/cancel',
    tag: 'Transfers',
    summary: 'Cancel a transfer',
    description: `Possible until it is signed. Everything is available again; there is no event.${demands}`,
    access: 'cancelOrders',
    failures: {
      404: 'There is no transfer with this id.',
      409: 'It is signed or over, or the signature was used before.',
    },
    ...guarded,
    echoesPosted: true,
    body: transferCancelBody,
    reply: transferReply,
  },
  getTransfer: {
    id: 'getTransfer',
    method: 'GET',
    path: '/transfer',
    tag: 'Transfers',
    summary: 'Read a transfer',
    description: 'The record that webhooks carry, as it is now.',
    access: 'readOrders',
    failures: { 404: 'There is no transfer with this id.' },
    query: transferQuery,
    reply: transferReply,
  },
  listTransfers: {
    id: 'listTransfers',
    method: 'GET',
    path: '/transfers',
    tag: 'Transfers',
    summary: 'List transfers',
    description: 'Newest first, page by page.',
    access: 'readOrders',
    query: transfersQuery,
    reply: transfersReply,
  },
} as const satisfies Record<string, Endpoint>;
