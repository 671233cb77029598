/** Transfers: money that an account sends out of its balance. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { decimalInput, decimalText } from './money.ts';
import { createdBetween, nextPage, pageQuery } from './page.ts';
import {
  customObject,
  here,
  idInput,
  idText,
  memoType,
  named,
  nullable,
  textOrNumber,
  timestamp,
  url,
} from './text.ts';
import { waitingRecord } from './wallet.ts';

export const transferStates = [
  'AWAITING_APPROVAL',
  'WAITING',
  'QUEUED',
  'SENT',
  'COMPLETED',
  'FAILED',
  'CANCELED',
] as const;

const transferState = Type.Enum([...transferStates], {
  title: 'TransferState',
  description:
    'AWAITING_APPROVAL: another API key must approve it. WAITING: the destination is too new. QUEUED: it will be ' +
    'signed next. SENT: signed and on its way, it can no longer be cancelled. COMPLETED: it arrived; a bank may still ' +
    'give it back, in part or whole (`cameBack`). FAILED, CANCELED: nothing was sent, or all of it came back, and ' +
    'everything but `failureCost` is available again.',
});

const slotWait = Type.Enum(['OWN_PAYMENTS', 'NETWORK'], {
  title: 'SlotWait',
  description:
    'Why it has not left yet, on networks that carry only so many payments at once, as Lightning does. OWN_PAYMENTS: so many of ' +
    'the account are under way that the rest is kept for others; it leaves when one of them has ended. NETWORK: as many ' +
    'are under way as the network carries. Absent while nothing but its turn keeps it.',
});

const order = {
  network: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Network id from GET /networks. May be left out when the target account says it.',
    }),
  ),
  asset: Type.String({
    minLength: 1,
    maxLength: 80,
    description:
      "Asset id or code. Where the network's wallets count in a smaller unit, the name of that unit, with the amount in " +
      'it: SAT on LIGHTNING is BTCLN in satoshis.',
    ...named(['assetId', 'assetCode']),
  }),
  amount: decimalInput({
    description: 'What is to arrive, in the asset; the fee is on top. Exact to the smallest unit of the network.',
    minimum: '0',
  }),
  targetAccount: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'Label or id of a target account, from POST /target-account. Either this or `address`.',
      ...named(['targetAccountId']),
    }),
  ),
  address: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2048, description: 'Address, or invoice, given in full.' }),
  ),
  memo: Type.Optional(textOrNumber(200, 'Memo that the receiver asks for, with `address`.')),
  memoType: Type.Optional(here(memoType, 'Kind of the memo; text, if there is a memo.')),
};

export const transferBody = Type.Object(
  {
    ...order,
    webhook: Type.Optional(url('URL that receives the events of the transfer.')),
    meta: Type.Optional(customObject('Anything; echoed wherever the transfer is shown.')),
  },
  { title: 'NewTransfer', description: 'A new transfer.' },
);

export const transferEstimateQuery = Type.Object(order);

const fees = {
  amount: decimalText('What arrives.'),
  fee: decimalText('What the transfer costs, in the same asset: networkFee and serviceFee together.'),
  networkFee: decimalText('For the network, as estimated: the most that sending may cost.'),
  serviceFee: decimalText('For the service.'),
  total: decimalText('What leaves the balance: amount and fee.'),
};

export const approvalLimit = Type.Object(
  {
    limit: decimalText('What may leave within 24 hours without the approval of another API key.'),
    remaining: nullable(decimalText('What is left of it now; null without a rate, and then everything is approved.')),
    currency: Type.String({ description: 'The account currency, in which both are.' }),
  },
  { title: 'ApprovalLimit', description: 'Absent when the account has no such limit.' },
);

export const transferEstimateReply = Type.Object(
  {
    network: Type.String({ description: 'Network id.' }),
    assetId: Type.String({ description: 'Id of the asset.' }),
    assetCode: Type.String({ description: 'Code of the asset.' }),
    ...fees,
    minimum: decimalText('The least that can be sent in this asset on this network.'),
    available: decimalText('What the balance has available now.'),
    waiting: Type.Optional(waitingRecord),
    needsApproval: Type.Boolean({ description: 'Whether another API key would have to approve it.' }),
    approvalLimit: Type.Optional(approvalLimit),
    usableFrom: timestamp('From when on money may go to this destination: a new one can have to wait.'),
  },
  { title: 'TransferEstimate', description: 'What a transfer would cost, and what would be in its way.' },
);

export const transferRecord = Type.Object(
  {
    id: idText('Id of the transfer.'),
    timestamp: timestamp('When it was asked for.'),
    state: transferState,
    network: Type.String({ description: 'Network id.' }),
    networkName: Type.String({ description: 'Network name.' }),
    assetId: Type.String({ description: 'Id of the asset.' }),
    assetCode: Type.String({ description: 'Code of the asset.' }),
    ...fees,
    targetAccount: nullable(Type.String({ description: 'Label of the target account, as it was then.' })),
    targetAccountId: nullable(Type.String({ description: 'Id of the target account.' })),
    address: Type.String({ description: 'Where it goes.' }),
    memo: nullable(Type.String({ description: 'Memo that is sent along.' })),
    memoType: nullable(Type.String({ description: 'Kind of the memo.' })),
    holder: nullable(
      Type.String({ description: 'Name of whoever holds the account; null on networks that ask for none.' }),
    ),
    usableFrom: timestamp('From when on money may go to this destination.'),
    createdBy: Type.String({ description: 'Who asked for it: an API key, or `person:` and the id of a person.' }),
    approvedBy: nullable(
      Type.String({
        description: 'Who approved it, where that was needed: an API key, or `person:` and the id of a person.',
      }),
    ),
    txHash: nullable(
      Type.String({
        description: 'Hash of the transaction; until COMPLETED another one with a higher fee may replace it.',
      }),
    ),
    waitsFor: Type.Optional(slotWait),
    failure: nullable(Type.String({ description: 'Why it failed, in one sentence.' })),
    failureCost: nullable(
      decimalText(
        'What the network took for an attempt that failed, in the same asset: it was charged. Of a transfer that came back, ' +
          'its fee. Null unless FAILED.',
      ),
    ),
    cameBack: Type.Optional(
      decimalText('What came back after it had arrived, and is available again. Absent while nothing has.'),
    ),
    endTime: nullable(
      timestamp('When it was completed, failed or was cancelled; of one that came back whole, when it did.'),
    ),
    meta: Type.Optional(
      Type.Unsafe<unknown>({ description: 'What was posted as meta. Absent when nothing was posted.' }),
    ),
  },
  { title: 'Transfer', description: 'A transfer as it is shown in replies and webhooks.' },
);

export const transferReply = Type.Object(
  { id: idText('Id of the transfer.'), transfer: transferRecord, approvalLimit: Type.Optional(approvalLimit) },
  { title: 'TransferReply', description: 'A transfer.' },
);

export const transferApproveBody = Type.Object(
  { id: idInput('Id of the transfer.', ['transferId']) },
  { title: 'ApproveTransferRequest', description: 'Which transfer is approved.' },
);

export const transferCancelBody = Type.Object(
  { id: idInput('Id of the transfer.', ['transferId']) },
  { title: 'CancelTransferRequest', description: 'Which transfer is to be cancelled.' },
);

export const transferQuery = Type.Object({ id: idInput('Id of the transfer.', ['transferId']) });

export const transfersQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(here(transferState, 'Only transfers in this state.')),
  network: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Only transfers on this network.' })),
  asset: Type.Optional(
    Type.String({ minLength: 1, maxLength: 80, description: 'Only transfers of this asset; its id or code.' }),
  ),
  ...createdBetween('transfers'),
});

export const transfersReply = Type.Object(
  { transfers: Type.Array(transferRecord, { description: 'Newest first.' }), next: nextPage },
  { title: 'TransferList', description: 'A page of transfers.' },
);

export type ShownTransferState = (typeof transferStates)[number];
export type TransferBody = Static<typeof transferBody>;
export type TransferOrder = Static<typeof transferEstimateQuery>;
export type TransferEstimate = Static<typeof transferEstimateReply>;
export type TransferRecord = Static<typeof transferRecord>;
export type TransfersQuery = Static<typeof transfersQuery>;
