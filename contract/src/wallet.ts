/** Wallets: what the account holds of every asset, and what that is worth. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { decimalText } from './money.ts';
import { createdBetween, nextPage, pageQuery } from './page.ts';
import { idText, named, nullable, timestamp } from './text.ts';

const depositAddress = Type.Object(
  {
    depositId: idText('Id of the reusable deposit.'),
    network: Type.String({ description: 'Network id.' }),
    address: Type.String({ description: 'Where money can be sent at any time.' }),
    memo: nullable(Type.String({ description: 'Must be sent with the money when it is not null.' })),
    memoType: nullable(Type.String({ description: 'Kind of the memo, for example text.' })),
  },
  { title: 'DepositAddress', description: 'A reusable deposit address.' },
);

export const waitingRecord = Type.Object(
  {
    amount: decimalText('How much of what is available must not leave yet, by transfer, swap or refund.'),
    confirmations: nullable(
      Type.Integer({
        description:
          'How many more confirmations it takes, as things are; null after a reorganisation, and where days decide.',
      }),
    ),
    until: nullable(timestamp('About when that will be.')),
  },
  {
    title: 'WaitingAmount',
    description:
      'Credits for payments that are not deep enough for the sum they belong to, or beyond what the service lets all ' +
      'accounts together take out of payments that are not final. Absent when nothing waits.',
  },
);

export const walletRecord = Type.Object(
  {
    assetId: Type.String({ description: 'Asset id.' }),
    assetCode: Type.String({ description: 'Asset code.' }),
    name: Type.String({ description: 'Asset name.' }),
    available: decimalText('What can be used now.'),
    waiting: Type.Optional(waitingRecord),
    pending: decimalText('Confirmed, but not credited yet.'),
    reserved: decimalText('On its way out.'),
    suspense: Type.Optional(
      decimalText('Waiting for a decision, such as an underpayment. Absent when there is nothing.'),
    ),
    receivable: Type.Optional(
      decimalText('Owed to the service after a reversal, repaid first from later credits. Absent when there is none.'),
    ),
    value: nullable(
      decimalText(
        'What available, pending and reserved together are worth in the account currency; null without a rate.',
      ),
    ),
    depositAddresses: Type.Array(depositAddress, {
      description: 'The newest reusable deposit address of each network, as made with POST /deposit-address.',
    }),
  },
  { title: 'Wallet', description: 'What the account holds of an asset.' },
);

export const walletsReply = Type.Object(
  {
    accountCurrency: Type.String({ description: 'The currency of the values.' }),
    totalValue: nullable(decimalText('All values together; null when a balance that is not zero has no rate.')),
    wallets: Type.Array(walletRecord, { description: 'Every asset that the account can hold, also with zero.' }),
  },
  { title: 'WalletList', description: 'What the account holds.' },
);

export const walletQuery = Type.Object({
  assetCode: Type.String({
    minLength: 1,
    maxLength: 80,
    description: 'Asset code or asset id.',
    ...named(['assetId', 'asset']),
  }),
});

export const walletReply = Type.Object(
  { accountCurrency: Type.String({ description: 'The currency of the value.' }), wallet: walletRecord },
  { title: 'WalletReply', description: 'What the account holds of one asset.' },
);

const ledgerSubject = Type.Object(
  {
    kind: Type.String({ description: 'For example checkout, refund, transfer, swap, deposit.' }),
    id: Type.String({ description: 'Its id.' }),
  },
  { title: 'LedgerSubject', description: 'What an entry is about.' },
);

const ledgerLine = Type.Object(
  {
    account: Type.Enum(['available', 'pending', 'reserved', 'suspense', 'receivable'], {
      title: 'BalanceName',
      description: 'Which of the balances of the wallet.',
    }),
    assetId: Type.String({ description: 'Asset id.' }),
    assetCode: Type.String({ description: 'Asset code.' }),
    amount: Type.String({ description: 'What came into the balance; with a minus, what left it.' }),
  },
  { title: 'LedgerLine', description: 'What an entry does to one balance.' },
);

export const ledgerEntry = Type.Object(
  {
    reference: Type.String({ description: 'Unique: what happens once is posted once.' }),
    kind: Type.String({ description: 'What happened, for example settlement, refund_sent, transfer_reserved.' }),
    subject: ledgerSubject,
    timestamp: timestamp('When it was posted.'),
    lines: Type.Array(ledgerLine, { description: "The account's own side of the entry." }),
  },
  {
    title: 'LedgerEntry',
    description: 'Something that happened to the money of the account. Entries never change.',
  },
);

export const ledgerEntriesQuery = Type.Object({
  ...pageQuery,
  asset: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'Only what happened to this wallet: an asset code or asset id.',
      ...named(['assetCode', 'assetId']),
    }),
  ),
  ...createdBetween('entries'),
});

export const ledgerEntriesReply = Type.Object(
  { entries: Type.Array(ledgerEntry, { description: 'Newest first.' }), next: nextPage },
  { title: 'LedgerEntryList', description: 'A page of entries of the ledger.' },
);

export type LedgerEntryRecord = Static<typeof ledgerEntry>;
export type LedgerEntriesQuery = Static<typeof ledgerEntriesQuery>;
export type WaitingRecord = Static<typeof waitingRecord>;
export type WalletRecord = Static<typeof walletRecord>;
export type WalletsReply = Static<typeof walletsReply>;
