/** The endpoints of what an account holds, receives without a charge, and sends to. Part of endpoints.ts. */
import {
  depositAddressBody,
  depositAddressReply,
  depositQuery,
  depositReply,
  depositsQuery,
  depositsReply,
} from './deposit.ts';
import type { Endpoint } from './endpoints.ts';
import { walletQuery, walletReply, walletsReply } from './wallet.ts';

export const accountEndpoints = {
  listWallets: {
    id: 'listWallets',
    method: 'GET',
    path: '/wallets',
    tag: 'Wallets',
    summary: 'List the wallets',
    description: 'What the account holds of every asset, and what that is worth in the account currency.',
    access: 'protected',
    reply: walletsReply,
  },
  getWallet: {
    id: 'getWallet',
    method: 'GET',
    path: '/wallet',
    tag: 'Wallets',
    summary: 'Read a wallet',
    description: 'What the account holds of one asset.',
    access: 'protected',
    query: walletQuery,
    reply: walletReply,
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
    access: 'protected',
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
    access: 'protected',
    query: depositQuery,
    reply: depositReply,
  },
  listDeposits: {
    id: 'listDeposits',
    method: 'GET',
    path: '/deposits',
    tag: 'Deposits',
    summary: 'List deposits',
    description: 'Newest first, page by page.',
    access: 'protected',
    query: depositsQuery,
    reply: depositsReply,
  },
} as const satisfies Record<string, Endpoint>;
