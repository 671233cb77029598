/** The endpoints of what an account holds, receives without a charge, and sends to. Part of endpoints.ts. */
import {
  beneficiariesQuery,
  beneficiariesReply,
  beneficiaryBody,
  beneficiaryChangeBody,
  beneficiaryDeleteBody,
  beneficiaryIdReply,
  beneficiaryQuery,
  beneficiaryReply,
} from './beneficiary.ts';
import {
  depositAddressBody,
  depositAddressReply,
  depositCloseBody,
  depositQuery,
  depositReply,
  depositsQuery,
  depositsReply,
} from './deposit.ts';
import type { Endpoint } from './endpoints.ts';
import { exportBody, exportFileReply, exportQuery, exportReply } from './export.ts';
import { statementQuery, statementReply } from './report.ts';
import { checkoutLedgerReply, disposalsReply, reportListQuery } from './report-lists.ts';
import { feeReportReply, taxReportReply } from './report-sums.ts';
import {
  createdSwapReply,
  swapBody,
  swapQuery,
  swapQuoteQuery,
  swapQuoteReply,
  swapReply,
  swapsQuery,
  swapsReply,
} from './swap.ts';
import {
  targetAccountBody,
  targetAccountDeleteBody,
  targetAccountIdReply,
  targetAccountQuery,
  targetAccountReply,
  targetAccountsQuery,
  targetAccountsReply,
} from './target-account.ts';
import { ledgerEntriesQuery, ledgerEntriesReply, walletQuery, walletReply, walletsReply } from './wallet.ts';

export const accountEndpoints = {
  listWallets: {
    id: 'listWallets',
    method: 'GET',
    path: '/wallets',
    tag: 'Wallets',
    summary: 'List the wallets',
    description: 'What the account holds of every asset, and what that is worth in the account currency.',
    access: 'readBalances',
    reply: walletsReply,
  },
  getWallet: {
    id: 'getWallet',
    method: 'GET',
    path: '/wallet',
    tag: 'Wallets',
    summary: 'Read a wallet',
    description: 'What the account holds of one asset.',
    access: 'readBalances',
    query: walletQuery,
    reply: walletReply,
  },
  listLedgerEntries: {
    id: 'listLedgerEntries',
    method: 'GET',
    path: '/ledger-entries',
    tag: 'Wallets',
    summary: 'List what happened to the money',
    description:
      'The entries of the ledger, newest first, page by page, of one wallet or of all. Only without `next` a page is the ' +
      'last one, also when it has fewer than `limit`.',
    access: 'readBalances',
    query: ledgerEntriesQuery,
    reply: ledgerEntriesReply,
  },
  getStatement: {
    id: 'getStatement',
    method: 'GET',
    path: '/reports/statement',
    tag: 'Wallets',
    summary: 'Get a statement',
    description:
      'What was available of each asset before and after a period, what moved, and the same in the account currency. Only ' +
      'closed days are covered: a day is closed ten minutes after its end in the time zone of the account.',
    access: 'readReports',
    query: statementQuery,
    reply: statementReply,
  },
  getCheckoutLedger: {
    id: 'getCheckoutLedger',
    method: 'GET',
    path: '/reports/checkouts',
    tag: 'Wallets',
    summary: 'List credits and refunds',
    description:
      'The checkout ledger: a row for each credit, each refund, and what was taken back of either, with price, rate, fee and ' +
      'worth. Closed days only, in the order of time, page by page. What was sent back without having been credited is not in it.',
    access: 'readReports',
    query: reportListQuery,
    reply: checkoutLedgerReply,
  },
  createExport: {
    id: 'createExport',
    method: 'POST',
    path: '/reports/exports',
    tag: 'Wallets',
    summary: 'Ask for a file',
    description:
      'A list of any length as a file that is made in the background. Ask `GET /reports/exports` until it is READY, then fetch it ' +
      'with `GET /reports/exports/file`. Only the key that asked for it gets it. It is kept for seven days, unless it is deleted ' +
      'before. An account has two being made, and ten kept, at once.',
    access: 'readReports',
    body: exportBody,
    reply: exportReply,
  },
  getExport: {
    id: 'getExport',
    method: 'GET',
    path: '/reports/exports',
    tag: 'Wallets',
    summary: 'Ask how far a file is',
    description: 'How many rows are written, of about how many. Only for the key that asked for it.',
    access: 'readReports',
    query: exportQuery,
    reply: exportReply,
  },
  deleteExport: {
    id: 'deleteExport',
    method: 'DELETE',
    path: '/reports/exports',
    tag: 'Wallets',
    summary: 'Delete a file',
    description:
      'The file makes room for others, and what is being made is not made any further. What has ended before stays as it is. Only ' +
      'for the key that asked for it; people who take care of the account delete files of everybody.',
    access: 'readReports',
    body: exportQuery,
    reply: exportReply,
  },
  getExportFile: {
    id: 'getExportFile',
    method: 'GET',
    path: '/reports/exports/file',
    tag: 'Wallets',
    summary: 'Fetch a file',
    description:
      'The file itself, with its length and name. 409 while it is being made; 404 once it is deleted. Only for the key that asked ' +
      'for it.',
    access: 'readReports',
    isFile: true,
    query: exportQuery,
    reply: exportFileReply,
  },
  listDisposals: {
    id: 'listDisposals',
    method: 'GET',
    path: '/reports/disposals',
    tag: 'Wallets',
    summary: 'List what left the account',
    description:
      'Transfers and disposals: each transfer, refund and swap, each payment that was credited in another asset, and what ' +
      'failed attempts cost, with its worth in the hour in which it was confirmed. Closed days only, in the order of time, page by page.',
    access: 'readReports',
    query: reportListQuery,
    reply: disposalsReply,
  },
  getTaxReport: {
    id: 'getTaxReport',
    method: 'GET',
    path: '/reports/tax',
    tag: 'Wallets',
    summary: 'Get the taxes of a period',
    description:
      'What was credited less what was refunded, by country, tax and rate: net and tax, in the billing currency and in the ' +
      'account currency. Of what was paid or refunded in part, that part of the tax; what came late counts by its worth when it ' +
      'was seen. Closed days only.',
    access: 'readReports',
    query: statementQuery,
    reply: taxReportReply,
  },
  getFeeReport: {
    id: 'getFeeReport',
    method: 'GET',
    path: '/reports/fees',
    tag: 'Wallets',
    summary: 'Get the fees of a period',
    description:
      'What the service took, by month, kind and asset, also in the account currency. All of it is what the line of fees in ' +
      'the statement of that period says. Closed days only.',
    access: 'readReports',
    query: statementQuery,
    reply: feeReportReply,
  },
  quoteSwap: {
    id: 'quoteSwap',
    method: 'GET',
    path: '/swap/quote',
    tag: 'Swaps',
    summary: 'Ask for the price of a swap',
    description: 'By sourceAmount or by targetAmount. The price holds for a minute, and for one swap.',
    access: 'orderMoney',
    query: swapQuoteQuery,
    reply: swapQuoteReply,
  },
  createSwap: {
    id: 'createSwap',
    method: 'POST',
    path: '/swap',
    tag: 'Swaps',
    summary: 'Swap one asset for another',
    description:
      'At the price of a quote, or at once. Out of the stock of the service it is completed in the reply; on a market ' +
      'it is PROCESSING until the exchange is in the ledger. SWAP_COMPLETED or SWAP_FAILED is sent at the end, and ' +
      'nothing in between. Needs digest authentication.',
    access: 'orderMoney',
    isMoneyMoving: true,
    isSignatureUsedUp: true,
    body: swapBody,
    reply: createdSwapReply,
  },
  getSwap: {
    id: 'getSwap',
    method: 'GET',
    path: '/swap',
    tag: 'Swaps',
    summary: 'Read a swap',
    description: 'The record that webhooks carry, as it is now.',
    access: 'readBalances',
    query: swapQuery,
    reply: swapReply,
  },
  listSwaps: {
    id: 'listSwaps',
    method: 'GET',
    path: '/swaps',
    tag: 'Swaps',
    summary: 'List swaps',
    description: 'Newest first, page by page.',
    access: 'readBalances',
    query: swapsQuery,
    reply: swapsReply,
  },
  createDeposit: {
    id: 'createDeposit',
    method: 'POST',
    path: '/deposit-address',
    tag: 'Deposits',
    summary: 'Create a custom deposit',
    description:
      'Gives an address for money that arrives without a charge. What arrives is credited in the asset that was paid, ' +
      'less the settlement fee. Events: DEPOSIT_PENDING when a payment is seen (left out where it is final at once), ' +
      'DEPOSIT_COMPLETED when it is credited, DEPOSIT_REVERSED when a reorganisation takes it back. Each carries ' +
      '`deposit`, the record, and `payment`, the payment that it is about.',
    access: 'charge',
    body: depositAddressBody,
    reply: depositAddressReply,
  },
  getDeposit: {
    id: 'getDeposit',
    method: 'GET',
    path: '/deposit',
    tag: 'Deposits',
    summary: 'Read a deposit',
    description: 'The record that webhooks carry, as it is now.',
    access: 'readCheckouts',
    query: depositQuery,
    reply: depositReply,
  },
  closeDeposit: {
    id: 'closeDeposit',
    method: 'POST',
    path: '/deposit/close',
    tag: 'Deposits',
    summary: 'Close a deposit',
    description:
      'Nothing is expected there any more: it no longer counts as open and is not offered again. A transfer that arrives ' +
      'at its address all the same is credited; ether that a contract sends may go unnoticed.',
    access: 'charge',
    body: depositCloseBody,
    reply: depositReply,
  },
  listDeposits: {
    id: 'listDeposits',
    method: 'GET',
    path: '/deposits',
    tag: 'Deposits',
    summary: 'List deposits',
    description: 'Newest first, page by page.',
    access: 'readCheckouts',
    query: depositsQuery,
    reply: depositsReply,
  },
  saveTargetAccount: {
    id: 'saveTargetAccount',
    method: 'POST',
    path: '/target-account',
    tag: 'Destinations',
    summary: 'Create or change a target account',
    description:
      'A labelled destination for POST /transfer. Creating one takes a label, a network and an address; with `id`, ' +
      'what is absent or null stays as it is. The same destination under the same label again gives the same id. ' +
      'After a change the waiting time of the account runs again. Needs digest authentication.',
    access: 'orderMoney',
    isMoneyMoving: true,
    body: targetAccountBody,
    reply: targetAccountReply,
  },
  getTargetAccount: {
    id: 'getTargetAccount',
    method: 'GET',
    path: '/target-account',
    tag: 'Destinations',
    summary: 'Read a target account',
    description: 'By its id or its label.',
    access: 'readOrders',
    query: targetAccountQuery,
    reply: targetAccountReply,
  },
  deleteTargetAccount: {
    id: 'deleteTargetAccount',
    method: 'DELETE',
    path: '/target-account',
    tag: 'Destinations',
    summary: 'Delete a target account',
    description: 'By its id or its label. No transfer can go there any more; the label is free again.',
    access: 'orderMoney',
    isMoneyMoving: true,
    body: targetAccountDeleteBody,
    reply: targetAccountIdReply,
  },
  listTargetAccounts: {
    id: 'listTargetAccounts',
    method: 'GET',
    path: '/target-accounts',
    tag: 'Destinations',
    summary: 'List target accounts',
    description: 'Newest first, page by page.',
    access: 'readOrders',
    query: targetAccountsQuery,
    reply: targetAccountsReply,
  },
  createBeneficiary: {
    id: 'createBeneficiary',
    method: 'POST',
    path: '/beneficiary',
    tag: 'Destinations',
    summary: 'Create a beneficiary',
    description:
      'Needs a name: company, or lastname. The parts of the postal address may come inside `address`, or as adr1, adr2, ' +
      'zip, city and countrycode. With `beneficiary.id` it changes that beneficiary.',
    access: 'orderMoney',
    body: beneficiaryBody,
    reply: beneficiaryIdReply,
  },
  changeBeneficiary: {
    id: 'changeBeneficiary',
    method: 'PUT',
    path: '/beneficiary',
    tag: 'Destinations',
    summary: 'Change a beneficiary',
    description: 'Fields that are absent or null stay as they are; an empty text empties a field.',
    access: 'orderMoney',
    body: beneficiaryChangeBody,
    reply: beneficiaryIdReply,
  },
  deleteBeneficiary: {
    id: 'deleteBeneficiary',
    method: 'DELETE',
    path: '/beneficiary',
    tag: 'Destinations',
    summary: 'Delete a beneficiary',
    description: 'Refused while a target account names the beneficiary.',
    access: 'orderMoney',
    body: beneficiaryDeleteBody,
    reply: beneficiaryIdReply,
  },
  getBeneficiary: {
    id: 'getBeneficiary',
    method: 'GET',
    path: '/beneficiary',
    tag: 'Destinations',
    summary: 'Read a beneficiary',
    description: 'The beneficiary with this id.',
    access: 'readOrders',
    query: beneficiaryQuery,
    reply: beneficiaryReply,
  },
  listBeneficiaries: {
    id: 'listBeneficiaries',
    method: 'GET',
    path: '/beneficiaries',
    tag: 'Destinations',
    summary: 'List beneficiaries',
    description: 'Newest first, page by page.',
    access: 'readOrders',
    query: beneficiariesQuery,
    reply: beneficiariesReply,
  },
} as const satisfies Record<string, Endpoint>;
