/** Custom deposits: money that arrives without a charge, at an address made for it. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { decimalInput, decimalText } from './money.ts';
import { createdBetween, nextPage, pageQuery } from './page.ts';
import { paymentTotals } from './payment-total.ts';
import { customObject, here, idInput, idText, named, nullable, timestamp, url } from './text.ts';

export const depositStates = ['CREATED', 'PENDING', 'COMPLETED'] as const;

const depositState = Type.Enum([...depositStates], {
  title: 'DepositState',
  description:
    'CREATED: nothing has arrived. PENDING: something has arrived that is not credited yet. COMPLETED: everything ' +
    'that has arrived is credited. A reusable deposit goes back and forth.',
});

export const depositAddressBody = Type.Object(
  {
    network: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Network id from GET /networks.',
      ...named(['depositNetwork']),
    }),
    asset: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description:
          "Asset id or code. Without it, the network's default asset. Where its wallets count in a smaller unit, the name of " +
          'that unit, with the amount in it: SAT on LIGHTNING is BTCLN in satoshis.',
        ...named(['assetId', 'assetCode', 'relatedAssetId']),
      }),
    ),
    reusable: Type.Boolean({
      default: false,
      description: 'Whether more than one payment is expected. Refused where a target is an invoice.',
    }),
    amount: Type.Optional(
      decimalInput({
        description: 'What is expected, in the asset. Needed where a target is an invoice, as on LIGHTNING.',
        minimum: '0',
      }),
    ),
    webhook: Type.Optional(url('URL that receives the events of the deposit.')),
    meta: Type.Optional(customObject('Anything; echoed wherever the deposit is shown.')),
  },
  { title: 'NewDeposit', description: 'A new custom deposit.' },
);

const instructions = Type.Object(
  {
    assetCode: Type.String({ description: 'Code of the asset to pay in.' }),
    blockchain: Type.String({ description: 'Name of the blockchain.' }),
    network: Type.String({ description: 'Network id.' }),
    amount: nullable(decimalText('What to pay, if an amount was given; in the unit of assetCode.')),
    address: Type.String({ description: 'Where to pay: at a bank the IBAN, over Pix the code that is pasted.' }),
    holder: nullable(
      Type.String({
        description: 'Who holds the account at a bank: must be shown, because the bank of the payer compares it.',
      }),
    ),
    bic: nullable(
      Type.String({ description: 'BIC of that bank. Transfers from abroad cannot be ordered without it.' }),
    ),
    memo: nullable(Type.String({ description: 'Must be shown and sent with the payment when it is not null.' })),
    memoType: nullable(Type.String({ description: 'Kind of the memo, for example text.' })),
  },
  { title: 'CustomDepositInstructions', description: 'What the payer needs to know.' },
);

export const depositAddressReply = Type.Object(
  {
    id: idText('Id of the deposit.'),
    depositInstructions: instructions,
    expirationTime: nullable(timestamp('When an invoice ends. Null: the target never does.')),
  },
  { title: 'CreatedDeposit', description: 'A deposit that waits for a payment.' },
);

export const depositPayment = Type.Object(
  {
    id: idText('Id of the payment.'),
    tx: Type.String({ description: 'Hash of the transaction.' }),
    network: Type.String({ description: 'Network id.' }),
    networkName: Type.String({ description: 'Network name.' }),
    timestamp: timestamp('When it happened.'),
    state: Type.Enum(['PENDING', 'COMPLETED', 'DROPPED'], {
      title: 'DepositPaymentState',
      description: 'PENDING: seen, not credited. COMPLETED: credited. DROPPED: it will not happen any more.',
    }),
    amount: decimalText('What arrived.'),
    amountAssetCode: Type.String({ description: 'Code of the asset that arrived.' }),
    amountAssetId: Type.String({ description: 'Id of the asset that arrived.' }),
    fee: nullable(decimalText('The fee that was taken; null before the credit.')),
    netAmount: nullable(decimalText('What was credited; null before the credit.')),
    exception: nullable(
      Type.String({ description: 'DUPLICATE: a further payment to a single-use deposit. WRONG_ASSET: another asset.' }),
    ),
  },
  { title: 'DepositPayment', description: 'A payment to a deposit.' },
);

const depositException = Type.Enum(['DUPLICATE', 'WRONG_ASSET', 'PARTIAL', 'OVERPAID', 'REORGED', 'NO_MARKET'], {
  title: 'DepositException',
  description:
    'DUPLICATE: a further payment to a single-use deposit. WRONG_ASSET: another asset arrived. PARTIAL, OVERPAID: less or ' +
    'more than the amount that was given. REORGED: the network took a payment back. NO_MARKET: a payment has no rate at ' +
    'the moment, so that its fee is not known.',
});

export const depositRecord = Type.Object(
  {
    id: idText('Id of the deposit.'),
    timestamp: timestamp('When the deposit was created.'),
    state: depositState,
    exceptions: Type.Array(depositException, { description: 'What was odd.' }),
    reusable: Type.Boolean({ description: 'Whether more than one payment is expected.' }),
    network: Type.String({ description: 'Network id.' }),
    networkName: Type.String({ description: 'Network name.' }),
    assetId: Type.String({ description: 'Id of the asset that is expected.' }),
    assetCode: Type.String({ description: 'Code of the asset that is expected.' }),
    amountExpected: nullable(decimalText('What is expected, if an amount was given.')),
    amountReceived: decimalText('What has arrived in that asset, credited or not.'),
    amountCredited: decimalText('What was credited in that asset, after the fee.'),
    amountFeePaid: decimalText('The fees that were taken in that asset.'),
    depositAddress: Type.String({ description: 'Where to pay.' }),
    memo: nullable(Type.String({ description: 'Must be sent with the payment when it is not null.' })),
    memoType: nullable(Type.String({ description: 'Kind of the memo.' })),
    expirationTime: nullable(timestamp('When an invoice ends. Null: the target never does.')),
    closedTime: nullable(timestamp('When it was closed with POST /deposit/close. Null: it is open.')),
    payments: Type.Array(depositPayment, {
      maxItems: 100,
      description:
        'The latest hundred payments that have arrived, in any asset, oldest first; in webhooks the latest ten.',
    }),
    paymentTotals,
    meta: Type.Optional(
      Type.Unsafe<unknown>({ description: 'What was posted as meta. Absent when nothing was posted.' }),
    ),
  },
  { title: 'Deposit', description: 'A custom deposit as it is shown in replies and webhooks.' },
);

export const depositQuery = Type.Object({ id: idInput('Id of the deposit.', ['depositId']) });

export const depositCloseBody = Type.Object(
  { id: idInput('Id of the deposit.', ['depositId']) },
  { title: 'CloseDepositRequest', description: 'Which deposit is to be closed.' },
);

export const depositReply = Type.Object(
  { deposit: depositRecord },
  { title: 'DepositReply', description: 'A custom deposit.' },
);

export const depositsQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(here(depositState, 'Only deposits in this state.')),
  network: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Only deposits on this network.' })),
  ...createdBetween('deposits'),
});

export const depositsReply = Type.Object(
  { deposits: Type.Array(depositRecord, { description: 'Newest first.' }), next: nextPage },
  { title: 'DepositList', description: 'A page of custom deposits.' },
);

export type DepositState = (typeof depositStates)[number];
export type DepositAddressBody = Static<typeof depositAddressBody>;
export type DepositAddressReply = Static<typeof depositAddressReply>;
export type DepositPaymentRecord = Static<typeof depositPayment>;
export type DepositRecord = Static<typeof depositRecord>;
export type DepositsQuery = Static<typeof depositsQuery>;
