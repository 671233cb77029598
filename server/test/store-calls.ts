/**
 * Every function of a store that takes a merchant, called with something of the owner's. As the owner each of them finds
 * or changes something, as anybody else nothing: `tenancy-stores.test.ts` calls them all, and fails for one that is in
 * neither table here.
 */

import { dayStoreCalls } from './day-store-calls.ts';
import { developerStoreCalls } from './developer-store-calls.ts';
import { exportStoreCalls } from './export-store-calls.ts';
import { findingStoreCalls } from './finding-store-calls.ts';
import { linkStoreCalls } from './link-store-calls.ts';
import { moneyStoreCalls } from './money-store-calls.ts';
import { paperStoreCalls } from './paper-store-calls.ts';
import { peopleStoreCalls } from './people-store-calls.ts';
import { shopStoreCalls } from './shop-store-calls.ts';
import type { StoreCalls } from './store-call.ts';

export const storeCalls: StoreCalls = {
  ...shopStoreCalls,
  ...paperStoreCalls,
  ...moneyStoreCalls,
  ...peopleStoreCalls,
  ...findingStoreCalls,
  ...developerStoreCalls,
  ...dayStoreCalls,
  ...exportStoreCalls,
  ...linkStoreCalls,
};

/** Functions that speak of merchants and are asked for none, or for one only to write it down. */
export const withoutMerchant: Readonly<Record<string, string>> = {
  toPaper: 'a row becomes a paper',
  lockNamers: 'of all merchants who named a place',
  unmarkDomainOfOthers: 'the merchant is the one whose domain it is now: it is of all others',
  listOddCheckouts: 'of all merchants: the merchant is a part of the position',
  listCharges: 'of all merchants: the merchant is a part of the position',
  listCreatedSince: 'of all merchants',
  lockUnchosen: 'of all merchants',
  foldTallies: 'of all merchants: it changes no sum',
  listTerms: 'of all merchants: the merchant is a part of the position',
  accountsToSign: 'of all merchants',
  accountsWithOpenDays: 'of all merchants',
  findPublicPaymentLink: 'the id in the URL of a page is the capability',
  findCheckoutVersions: 'the id in the URL of a page is the capability',
  merchantOfDeposit: 'for the operator, who has an id and no merchant',
  merchantOfTransfer: 'for the operator, who has an id and no merchant',
  merchantOfDelivery: 'for the operator, who has an id and no merchant',
  lockOpening: 'takes a lock and reads nothing',
  lockApprovals: 'takes a lock and reads nothing',
  insertDepositTargets: 'a key belongs to whoever had it first',
  postEntries: 'the accounts name their owner, and nobody can name an account',
  lockReceivables: 'of all merchants together',
  loadBrandDomains: 'of all merchants',
  customersStrays: 'of all merchants together',
  markBounced: 'the id of a mail, which nobody guesses, is what its reader has',
  findMerchant: 'the merchant is what is asked for',
  findAgreedFees: 'the merchant is what is asked for',
  lockMerchant: 'the merchant is what is asked for',
  updateMerchant: 'the merchant is what is changed',
  insertMerchant: 'the merchant is what is made',
  listMerchants: 'of all merchants, for the operator',
  updateSuspension: 'the merchant is what is changed',
  findMerchants: 'of all merchants, for the operator',
  listHouseMerchants: 'of all merchants, for the operator',
  creditedToOn: 'of those merchants that the operator sees a list of',
  thingsWithIds: 'of all merchants, for the operator, who asks whose a thing is',
  thingsPaidBy: 'of all merchants, for the operator, who asks whose a thing is',
  thingsPaidTo: 'of all merchants, for the operator, who asks whose a thing is',
  checkoutsOfAnybody: 'of all merchants, for the operator, who asks whose a thing is',
  readBookTotals: 'of all merchants together, for the operator',
  openStaffInvitations: 'of no merchant: who runs the installation',
  deleteStaffInvitation: 'of no merchant: who runs the installation',
  saveStaffLook: 'of a session of the staff; the merchant is written down',
  countMerchants: 'of all merchants, for the operator',
  newestMerchants: 'of all merchants, for the operator',
  namesOfMerchants: 'of all merchants, for the operator',
  countAwaited: 'of all merchants together, for the operator',
  creditedOn: 'of all merchants, for the operator',
  lockCreditedPosition: 'of all merchants, for the operator',
  addCredited: 'of all merchants, for the operator',
  waitingPayouts: 'of all merchants, for the operator',
  findFormerWebhookSecretEnd: 'the merchant is what is asked for',
  updateWebhookSecret: 'the merchant is what is changed',
  saveKeyUses: "the key was found to be this merchant's; both are written down",
  insertFailedRequests: 'the key says whose they are',
  findCredentials: 'the key or the digest says whose it is',
  membershipsOf: 'the person says to which accounts',
  accountsToLookAt: 'of all merchants',
  listPeople: 'of all merchants, for the operator',
  insertLink: 'whoever has the token has the link; the merchant is written down',
  decideSignUpRow: 'for the operator; the merchant is written down',
  insertSession: 'of a person; the merchant is written down',
  findHeldSessions: 'the session says whose it is; of the account only the role in it is told',
  chooseAccount: 'of a person, who was found to be a member; the merchant is written down',
  findOwnerOfKey: 'for the operator, who has a key and no merchant',
  findArrivals: 'the target says whose it is',
  openHeaps: 'the target says whose it is',
  gatherHeaps: 'the heap says whose it is',
  inheritSights: 'transactions of a network',
  unconfirmBlocks: 'blocks of a network',
  lockStanding: 'a payment by what its network calls it',
  savePayments: 'the target says whose it is',
  giveUpArrivals: 'transactions of a network',
  weighPayments: 'payments of a network',
  confirmPayments: 'payments of a network',
  giveUpStrays: 'blocks of a network',
  markAssigned: 'the operator gives a payment of nobody to a merchant',
  targetOfCheckout: 'for the operator, who has an id and no merchant',
  urgentTargetSums: 'targets of a network',
  insertPayouts: 'its id says whose it is; the merchant is written down',
  insertOrders: 'its id says whose it is; the merchant is written down',
  markLevelled: 'tokens of an asset',
  markBridged: 'tokens of an asset',
  readStock: 'of all merchants',
  readHoldings: 'of all merchants',
  hasManyMerchants: 'of all merchants',
  uncoveredUnits: 'of all merchants but one',
};
