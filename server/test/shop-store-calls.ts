/** The stores of checkouts, of those whom merchants know, and of merchants themselves. */

import * as buyers from '../src/checkouts/buyer-store.ts';
import * as lists from '../src/checkouts/checkout-list-store.ts';
import * as checkouts from '../src/checkouts/checkout-store.ts';
import * as walks from '../src/checkouts/checkout-walk-store.ts';
import * as contacts from '../src/checkouts/contact-store.ts';
import * as emails from '../src/checkouts/email-store.ts';
import { anyCheckout } from '../src/checkouts/list-checkouts.ts';
import * as openCheckouts from '../src/checkouts/open-checkout-store.ts';
import * as statusMails from '../src/checkouts/status-mail-store.ts';
import * as terms from '../src/checkouts/term-store.ts';
import * as timelines from '../src/checkouts/timeline-store.ts';
import * as beneficiaries from '../src/counterparties/beneficiary-store.ts';
import * as customers from '../src/counterparties/customer-store.ts';
import * as mailAddresses from '../src/counterparties/mail-address-store.ts';
import * as targetAccounts from '../src/counterparties/target-account-store.ts';
import * as deposits from '../src/deposits/custom-deposit-store.ts';
import * as targets from '../src/deposits/deposit-target-store.ts';
import { newId } from '../src/lib/ids.ts';
import * as apiKeys from '../src/merchants/api-key-store.ts';
import { plainBrand } from '../src/merchants/brand.ts';
import * as domains from '../src/merchants/brand-domain-store.ts';
import * as brands from '../src/merchants/brand-store.ts';
import * as keyUses from '../src/merchants/key-use-store.ts';
import * as merchants from '../src/merchants/merchant-store.ts';
import { formatDecimal } from '../src/money/decimal.ts';
import * as transactions from '../src/payments/transaction-search-store.ts';
import * as payouts from '../src/sending/payout-search-store.ts';
import * as waiting from '../src/sending/waiting-payout-store.ts';
import type { Call, Owned, StoreCalls } from './store-call.ts';
import { ownerEmail, ownerLabel } from './tenant-world.ts';

const longAgo = new Date(0);
const page = { position: null, limit: 9 };
const range = { from: null, to: null, before: null, limit: 9 };
const noChanges = { email: null, fields: {}, meta: { changed: true } };
const contact = { email: 'payer@example.com', refundNetwork: null, refundAddress: null, language: 'en' };
const receipt = (merchantId: string, { ids }: Owned) =>
  ({ merchantId, checkoutId: ids.settled, kind: 'receipt', generation: 1 }) as const;
const paidMail = (merchantId: string, { ids }: Owned) =>
  ({ merchantId, checkoutId: ids.settled, kind: 'paid', cause: '1' }) as const;
const startMail: Call = (tx, merchantId, own) => {
  const mail = { id: 'thefirstmail', addressHash: 'hash' };
  return statusMails.startStatusMail(tx, paidMail(merchantId, own), mail, longAgo, own.now);
};
const startReceipt: Call = (tx, merchantId, own) =>
  emails.startEmail(tx, receipt(merchantId, own), { id: 'firstreceipt', addressHash: 'hash' }, longAgo, own.now);
const domainOf = (merchantId: string): domains.BrandDomain => ({
  merchantId,
  domain: 'pay.owner.example',
  origin: 'https://elsewhere.example',
  behaviour: 'block',
  seenAt: null,
  framedBy: [],
});
const aFile = { name: `${'0'.repeat(32)}.webp`, contentType: 'image/webp', body: Buffer.from('a picture') };
const addFile: Call = (tx, merchantId, { now }) => brands.insertBrandFile(tx, merchantId, aFile, now);

const aKey = (merchantId: string, key: string = newId()) => ({
  merchantId,
  key,
  secret: Buffer.alloc(1),
  basicDigest: Buffer.alloc(2),
});
const aTerm = (merchantId: string, { ids, settled }: Owned) => {
  const createdAt = settled.checkout.createdAt.toISOString();
  return { merchantId, term: 'order-7', createdAt, checkoutId: ids.settled };
};
const addTerm: Call = (tx, merchantId, own) => terms.insertTerms(tx, [aTerm(merchantId, own)]);
const useKey: Call = (tx, merchantId, { ids, now }) =>
  keyUses.saveKeyUses(tx, [{ merchantId, key: ids.apiKey, at: now }]);
const keepSecret: Call = (tx, merchantId, { ids, now }) => apiKeys.keepFormerSecret(tx, merchantId, ids.apiKey, now);

export const shopStoreCalls: StoreCalls = {
  'checkouts/checkout-store.ts': {
    insertCheckouts: (tx, merchantId, { settled }) =>
      checkouts.insertCheckouts(tx, [{ ...settled.checkout, merchantId, id: newId() }]),
    findCheckout: (tx, merchantId, { ids }) => checkouts.findCheckout(tx, merchantId, ids.settled),
    findDossiers: (tx, merchantId, { ids }) => checkouts.findDossiers(tx, [{ merchantId, id: ids.settled }]),
    findDossier: (tx, merchantId, { ids }) => checkouts.findDossier(tx, merchantId, ids.settled),
    countriesOfCheckouts: {
      first: (tx, merchantId, { ids }) => tx`
        update checkout set customer_id = ${ids.customer}, customer_country = 'PT'
         where merchant_id = ${merchantId} and id = ${ids.settled}`,
      ask: (tx, merchantId, { ids }) => checkouts.countriesOfCheckouts(tx, merchantId, [ids.settled]),
    },
    lockDossiers: (tx, merchantId, { ids }) => checkouts.lockDossiers(tx, [{ merchantId, id: ids.settled }]),
    lockDossier: (tx, merchantId, { ids }) => checkouts.lockDossier(tx, merchantId, ids.settled),
    insertCommitments: (tx, merchantId, { settled: { checkout, commitments } }) =>
      checkouts.insertCommitments(
        tx,
        commitments.map((each) => ({ checkout: { ...checkout, merchantId }, commitment: { ...each, id: newId() } })),
      ),
    saveQuotes: (tx, merchantId, { settled, now }) =>
      checkouts.saveQuotes(tx, { ...settled.checkout, merchantId, quotes: [] }, now),
    saveCheckouts: (tx, merchantId, { settled: { checkout }, now }) => {
      const before = { ...checkout, merchantId };
      return checkouts.saveCheckouts(tx, [{ before, after: { ...before, exceptions: ['LATE'] } }], now);
    },
    saveCheckout: (tx, merchantId, { settled: { checkout }, now }) =>
      checkouts.saveCheckout(tx, { ...checkout, merchantId }, { ...checkout, exceptions: ['LATE'] }, now),
    insertSettlements: (tx, merchantId, { settled }) =>
      checkouts.insertSettlements(
        tx,
        settled.settlements.map((each) => ({
          checkout: { merchantId, id: settled.checkout.id },
          settlement: { ...each, generation: 9, reference: 'another' },
        })),
      ),
    markSettlementReversed: (tx, merchantId, { ids, now }) =>
      checkouts.markSettlementReversed(tx, { merchantId, id: ids.settled }, 1, now),
    listNewestCheckouts: (tx, merchantId, { settled }) =>
      checkouts.listNewestCheckouts(tx, { merchantId, state: settled.checkout.state, limit: 9 }),
    findCustomerId: (tx, merchantId, { ids }) => checkouts.findCustomerId(tx, merchantId, ids.customer),
  },
  'checkouts/checkout-list-store.ts': {
    listAll: (tx, merchantId) => lists.listAll(tx, merchantId, range),
    listOfStates: (tx, merchantId, { settled }) => lists.listOfStates(tx, merchantId, [settled.checkout.state], range),
    listOdd: {
      first: (tx, merchantId, { settled: { checkout }, now }) =>
        checkouts.saveCheckout(tx, { ...checkout, merchantId }, { ...checkout, exceptions: ['LATE'] }, now),
      ask: (tx, merchantId) => lists.listOdd(tx, merchantId, range),
    },
    listOfCustomer: (tx, merchantId, { ids }) => lists.listOfCustomer(tx, merchantId, ids.customer, range),
    listOfPrice: (tx, merchantId, { settled }) =>
      lists.listOfPrice(tx, merchantId, formatDecimal(settled.checkout.total), range),
    listOfRails: (tx, merchantId, { settled }) => lists.listOfRails(tx, merchantId, settled.commitments, range),
    bytesOfCheckouts: (tx, merchantId, { ids }) => lists.bytesOfCheckouts(tx, merchantId, [ids.settled]),
    listOfIds: (tx, merchantId, { ids }) => lists.listOfIds(tx, merchantId, [ids.settled], range),
    fitting: (tx, merchantId, { ids, settled }) =>
      lists.fitting(tx, merchantId, [ids.settled], { ...anyCheckout, rails: settled.commitments }),
  },
  'checkouts/checkout-walk-store.ts': {
    findCharges: (tx, merchantId, { ids }) => walks.findCharges(tx, [{ merchantId, id: ids.settled }]),
  },
  'checkouts/term-store.ts': {
    insertTerms: addTerm,
    deleteTerms: { first: addTerm, ask: (tx, merchantId, own) => terms.deleteTerms(tx, [aTerm(merchantId, own)]) },
    checkoutsWithTerm: {
      first: addTerm,
      ask: (tx, merchantId) => terms.checkoutsWithTerm(tx, merchantId, 'order-7', range),
    },
    checkoutsWithBeginning: {
      first: addTerm,
      ask: (tx, merchantId) => terms.checkoutsWithBeginning(tx, merchantId, 'ord', 9),
    },
    newestWithBeginning: {
      first: addTerm,
      ask: (tx, merchantId) => terms.newestWithBeginning(tx, merchantId, 'ord', range),
    },
  },
  'checkouts/open-checkout-store.ts': {
    unfinishedCheckouts: {
      first: (tx, merchantId, { ids }) =>
        tx`update checkout set customer_id = ${ids.customer}, awaits_decision = true
            where merchant_id = ${merchantId} and id = ${ids.settled}`,
      ask: (tx, merchantId, { ids }) =>
        openCheckouts.unfinishedCheckouts(tx, merchantId, ids.customer, {
          since: longAgo,
          waitsFor: ['undecided'],
          limit: 9,
        }),
    },
  },
  'checkouts/buyer-store.ts': {
    findBuyer: {
      first: (tx, merchantId, { ids }) =>
        tx`update checkout set customer_id = ${ids.customer} where merchant_id = ${merchantId} and id = ${ids.settled}`,
      ask: (tx, merchantId, { ids }) => buyers.findBuyer(tx, { merchantId, id: ids.settled }),
    },
    forgetBuyers: {
      first: (tx, merchantId, { ids }) =>
        tx`update checkout set customer_id = ${ids.customer}, buyer = '{}' where merchant_id = ${merchantId} and id = ${ids.settled}`,
      ask: (tx, merchantId, { ids }) => buyers.forgetBuyers(tx, merchantId, ids.customer),
    },
  },
  'checkouts/contact-store.ts': {
    findContact: {
      first: (tx, merchantId, { ids, now }) => contacts.saveContact(tx, { merchantId, id: ids.settled }, contact, now),
      ask: (tx, merchantId, { ids }) => contacts.findContact(tx, { merchantId, id: ids.settled }),
    },
    forgetContacts: {
      async first(tx, merchantId, { ids, now }) {
        await tx`update checkout set customer_id = ${ids.customer} where merchant_id = ${merchantId} and id = ${ids.settled}`;
        await contacts.saveContact(tx, { merchantId, id: ids.settled }, contact, now);
      },
      ask: (tx, merchantId, { ids }) =>
        contacts.forgetContacts(tx, merchantId, { customerId: ids.customer, email: contact.email }),
    },
    checkoutsWithEmail: {
      first: (tx, merchantId, { ids, now }) => contacts.saveContact(tx, { merchantId, id: ids.settled }, contact, now),
      ask: (tx, merchantId, { ids }) => contacts.checkoutsWithEmail(tx, [{ merchantId, id: ids.settled }]),
    },
    saveContactLanguage: (tx, merchantId, { ids, now }) =>
      contacts.saveContactLanguage(tx, { merchantId, id: ids.settled }, 'de', now),
    saveContact: {
      first: (tx, merchantId, { ids, now }) => contacts.saveContact(tx, { merchantId, id: ids.settled }, contact, now),
      ask: (tx, merchantId, { ids, now }) =>
        contacts.saveContact(tx, { merchantId, id: ids.settled }, { ...contact, email: 'thief@example.com' }, now),
    },
  },
  'checkouts/status-mail-store.ts': {
    startStatusMail: {
      first: (tx, merchantId, own) => startMail(tx, merchantId, own),
      ask: async (tx, merchantId, own) => {
        const later = new Date(2 * own.now.getTime());
        const mail = { id: 'anothermail0', addressHash: 'hash' };
        return (await statusMails.startStatusMail(tx, paidMail(merchantId, own), mail, own.now, later)).is;
      },
      strangerGets: 'ours',
    },
    releaseStatusMail: {
      first: (tx, merchantId, own) => startMail(tx, merchantId, own),
      ask: (tx, merchantId, own) => statusMails.releaseStatusMail(tx, paidMail(merchantId, own), own.now, longAgo),
    },
    endStatusMail: {
      first: (tx, merchantId, own) => startMail(tx, merchantId, own),
      ask: (tx, merchantId, own) =>
        statusMails.endStatusMail(tx, paidMail(merchantId, own), { outcome: 'sent' }, own.now),
    },
    findStatusMail: {
      first: (tx, merchantId, own) => startMail(tx, merchantId, own),
      ask: (tx, merchantId, own) => statusMails.findStatusMail(tx, paidMail(merchantId, own)),
    },
    forgetMailHashes: {
      first: (tx, merchantId, own) => startMail(tx, merchantId, own),
      ask: (tx, merchantId, { ids }) => statusMails.forgetMailHashes(tx, merchantId, ids.customer),
    },
    statusMailsOfCheckout: {
      first: async (tx, merchantId, own) => {
        await startMail(tx, merchantId, own);
        await statusMails.endStatusMail(tx, paidMail(merchantId, own), { outcome: 'sent' }, own.now);
      },
      ask: (tx, merchantId, { ids }) => statusMails.statusMailsOfCheckout(tx, { merchantId, id: ids.settled }),
    },
  },
  'counterparties/mail-address-store.ts': {
    findMailAddress: {
      first: (tx, merchantId, { now }) => mailAddresses.saveStopped(tx, { merchantId, addressHash: 'hash' }, now),
      ask: async (tx, merchantId) =>
        (await mailAddresses.findMailAddress(tx, { merchantId, addressHash: 'hash' })).stoppedAt,
    },
    forgetFailure: {
      first: (tx, merchantId, { now }) =>
        mailAddresses.saveFailure(tx, { merchantId, addressHash: 'hash' }, { at: now, failure: 'unknown' }),
      ask: (tx, merchantId) => mailAddresses.forgetFailure(tx, { merchantId, addressHash: 'hash' }),
    },
    saveStopped: (tx, merchantId, { now }) => mailAddresses.saveStopped(tx, { merchantId, addressHash: 'hash' }, now),
    saveFailure: (tx, merchantId, { now }) =>
      mailAddresses.saveFailure(tx, { merchantId, addressHash: 'hash' }, { at: now, failure: 'unknown' }),
  },
  'checkouts/timeline-store.ts': {
    addToTimelines: (tx, merchantId, { ids, now }) =>
      timelines.addToTimelines(tx, [{ merchantId, checkoutId: ids.settled, what: 'canceled' }], now),
    addToTimeline: (tx, merchantId, { ids, now }) =>
      timelines.addToTimeline(tx, { merchantId, id: ids.settled }, [{ what: 'canceled' }], now),
    findTimeline: (tx, merchantId, { ids }) => timelines.findTimeline(tx, merchantId, ids.settled),
    findChosenAgain: {
      first: (tx, merchantId, { ids, now }) => {
        const note = { what: 'chosen_again', why: { commitmentId: 'earlier' } };
        return timelines.addToTimeline(tx, { merchantId, id: ids.settled }, [note], now);
      },
      ask: (tx, merchantId, { ids }) => timelines.findChosenAgain(tx, { merchantId, id: ids.settled }),
    },
  },
  'counterparties/beneficiary-store.ts': {
    insertBeneficiary: (tx, merchantId, { now }) =>
      beneficiaries.insertBeneficiary(tx, merchantId, { id: newId(), type: 'PERSON', fields: {}, meta: null }, now),
    updateBeneficiary: (tx, merchantId, { ids, now }) =>
      beneficiaries.updateBeneficiary(
        ...([
          tx,
          merchantId,
          { id: ids.beneficiary, type: 'PERSON', fields: {}, meta: { changed: true } },
          now,
        ] as const),
      ),
    markBeneficiaryDeleted: (tx, merchantId, { ids, now }) =>
      beneficiaries.markBeneficiaryDeleted(tx, merchantId, ids.beneficiary, now),
    findBeneficiary: (tx, merchantId, { ids }) => beneficiaries.findBeneficiary(tx, merchantId, ids.beneficiary),
    beneficiariesOfTargets: (tx, merchantId, { ids }) =>
      beneficiaries.beneficiariesOfTargets(tx, merchantId, [ids.targetAccount]),
    lockBeneficiary: (tx, merchantId, { ids }) => beneficiaries.lockBeneficiary(tx, merchantId, ids.beneficiary),
    labelsOfBeneficiary: (tx, merchantId, { ids }) =>
      beneficiaries.labelsOfBeneficiary(tx, merchantId, ids.beneficiary),
    findBeneficiaries: (tx, merchantId, { ids }) => beneficiaries.findBeneficiaries(tx, merchantId, [ids.beneficiary]),
    beneficiariesAfter: (tx, merchantId) => beneficiaries.beneficiariesAfter(tx, merchantId, page),
  },
  'payments/transaction-search-store.ts': {
    ownersPaidBy: (tx, merchantId, { settled: { payments } }) =>
      transactions.ownersPaidBy(
        ...([tx, merchantId, payments.map(({ network }) => network), payments.map(({ txHash }) => txHash)] as const),
      ),
  },
  'sending/waiting-payout-store.ts': {
    heldBackPayouts: {
      async first(tx, merchantId, { now }) {
        await tx`update merchant set suspended_at = ${now}, suspended_why = 'Robbed.' where id = ${merchantId}`;
        await tx`
          insert into outgoing_transfer (id, network, asset, units, address, purpose, merchant_id, state, requested_at)
          values ('a-held-payout', 'BITCOIN', 'BTC', 1, 'a', 'transfer', ${merchantId}, 'QUEUED', ${now})`;
      },
      ask: (tx, merchantId) => waiting.heldBackPayouts(tx, merchantId, 9),
    },
  },
  'sending/payout-search-store.ts': {
    payoutsSentBy: {
      async first(tx, merchantId, { now }) {
        await tx`
          insert into outgoing_transfer (id, network, asset, units, address, purpose, merchant_id, state, transaction_id, requested_at)
          values ('a-payout', 'BITCOIN', 'BTC', 1, 'a', 'transfer', ${merchantId}, 'DONE', 'a-transaction', ${now})`;
        await tx`
          insert into outgoing_transaction (id, generation, network, tx_hash, raw, claims, trace, fee_asset, fee_units,
                                            confirmations_required, state, signed_at)
          values ('a-transaction', 1, 'BITCOIN', 'a-hash', '', '{}', '{}', 'BTC', 1, 1, 'DONE', ${now})`;
      },
      ask: (tx, merchantId) => payouts.payoutsSentBy(tx, merchantId, ['BITCOIN'], ['a-hash']),
    },
  },
  'deposits/deposit-target-store.ts': {
    ownersOfTargets: (tx, merchantId, { settled: { commitments } }) =>
      targets.ownersOfTargets(
        tx,
        merchantId,
        commitments.map(({ targetKey }) => targetKey),
      ),
  },
  'counterparties/customer-store.ts': {
    upsertCustomer: {
      ask: (tx, merchantId, { now }) =>
        customers.upsertCustomer(tx, merchantId, { ...noChanges, id: 'new-customer', email: ownerEmail }, now),
      strangerGets: 'new-customer',
    },
    updateCustomer: (tx, merchantId, { ids, now }) =>
      customers.updateCustomer(tx, merchantId, ids.customer, noChanges, now),
    markCustomerDeleted: (tx, merchantId, { ids, now }) =>
      customers.markCustomerDeleted(tx, merchantId, ids.customer, now),
    findDeletedCustomer: {
      first: (tx, merchantId, { ids, now }) => customers.markCustomerDeleted(tx, merchantId, ids.customer, now),
      ask: (tx, merchantId, { ids }) => customers.findDeletedCustomer(tx, merchantId, ids.customer),
    },
    deletedCustomers: {
      first: (tx, merchantId, { ids, now }) => customers.markCustomerDeleted(tx, merchantId, ids.customer, now),
      ask: (tx, merchantId) => customers.deletedCustomers(tx, merchantId, 9),
    },
    eraseCustomerFields: {
      first: (tx, merchantId, { ids, now }) => customers.markCustomerDeleted(tx, merchantId, ids.customer, now),
      ask: (tx, merchantId, { ids, now }) => customers.eraseCustomerFields(tx, merchantId, ids.customer, now),
    },
    customerErasedAt: {
      async first(tx, merchantId, { ids, now }) {
        await customers.markCustomerDeleted(tx, merchantId, ids.customer, now);
        await customers.eraseCustomerFields(tx, merchantId, ids.customer, now);
      },
      ask: (tx, merchantId, { ids }) => customers.customerErasedAt(tx, merchantId, ids.customer),
    },
    findCustomer: (tx, merchantId, { ids }) => customers.findCustomer(tx, merchantId, ids.customer),
    emailOfCustomer: (tx, merchantId, { ids }) => customers.emailOfCustomer(tx, merchantId, ids.customer),
    findCustomers: (tx, merchantId, { ids }) => customers.findCustomers(tx, merchantId, [ids.customer]),
    customerOfInvoice: (tx, merchantId, { ids }) => customers.customerOfInvoice(tx, merchantId, ids.customer),
    findCustomersInOrder: (tx, merchantId, { ids }) => customers.findCustomersInOrder(tx, merchantId, [ids.customer]),
    customersBeginning: (tx, merchantId) =>
      customers.customersBeginning(tx, merchantId, { text: ownerEmail.slice(0, 4), lastname: '', limit: 9 }),
    customersBeginningAfter: (tx, merchantId) =>
      customers.customersBeginningAfter(tx, merchantId, { ...page, text: ownerEmail.slice(0, 4), lastname: '' }),
    customersAfter: (tx, merchantId) => customers.customersAfter(tx, merchantId, { ...page, email: ownerEmail }),
  },
  'counterparties/target-account-store.ts': {
    insertTargetAccount: (tx, merchantId, { targetAccount, now }) =>
      targetAccounts.insertTargetAccount(tx, merchantId, { ...targetAccount, id: newId(), label: 'Other' }, now),
    updateTargetAccount: (tx, merchantId, { targetAccount, now }) =>
      targetAccounts.updateTargetAccount(tx, merchantId, { ...targetAccount, address: 'thief' }, now),
    targetAccountsUsableSince: {
      first: (tx, merchantId, { ids, now }) => tx`
        update target_account set usable_from = ${new Date(now.getTime() + 1000)}, updated_at = ${now}
         where merchant_id = ${merchantId} and id = ${ids.targetAccount}`,
      ask: (tx, merchantId, { now }) =>
        targetAccounts.targetAccountsUsableSince(tx, merchantId, {
          after: now,
          now: new Date(now.getTime() + 1000),
          limit: 9,
        }),
    },
    markTargetAccountDeleted: (tx, merchantId, { ids, now }) =>
      targetAccounts.markTargetAccountDeleted(tx, merchantId, ids.targetAccount, now),
    findTargetAccount: async (tx, merchantId, { ids }) =>
      (await targetAccounts.findTargetAccount(tx, merchantId, { label: ownerLabel })) ??
      targetAccounts.findTargetAccount(tx, merchantId, { id: ids.targetAccount }),
    lockTargetAccount: async (tx, merchantId, { ids }) =>
      (await targetAccounts.lockTargetAccount(tx, merchantId, { label: ownerLabel })) ??
      targetAccounts.lockTargetAccount(tx, merchantId, { id: ids.targetAccount }),
    targetAccountsAfter: (tx, merchantId) =>
      targetAccounts.targetAccountsAfter(tx, merchantId, { ...page, network: null }),
  },
  'deposits/custom-deposit-store.ts': {
    insertDeposit: (tx, merchantId, { deposit }) =>
      deposits.insertDeposit(tx, { ...deposit.deposit, merchantId, id: newId() }),
    findDeposits: (tx, merchantId, { ids }) => deposits.findDeposits(tx, merchantId, [ids.deposit]),
    findDeposit: (tx, merchantId, { ids }) => deposits.findDeposit(tx, merchantId, ids.deposit),
    confirmationsOfPayment: (tx, merchantId, { ids, deposit }) =>
      deposits.confirmationsOfPayment(tx, { merchantId, id: ids.deposit }, deposit.payments[0]?.txHash ?? ''),
    lockDeposit: (tx, merchantId, { ids }) => deposits.lockDeposit(tx, { merchantId, id: ids.deposit }),
    saveDeposit: (tx, merchantId, { deposit }) =>
      deposits.saveDeposit(tx, { ...deposit.deposit, merchantId, reversals: 7 }, deposit.deposit.state),
    saveDepositCredits: (tx, merchantId, { ids, deposit }) =>
      deposits.saveDepositCredits(
        tx,
        { merchantId, id: ids.deposit },
        deposit.payments.map((each) => ({ ...each, announced: 'REVERSED' })),
      ),
    markClosed: (tx, merchantId, { ids, now }) => deposits.markClosed(tx, { merchantId, id: ids.deposit }, now),
    countOpenDeposits: {
      first: (tx, merchantId) => tx`update deposit set is_reusable = true where merchant_id = ${merchantId}`,
      ask: (tx, merchantId) => deposits.countOpenDeposits(tx, merchantId, longAgo),
    },
    openDepositIds: {
      first: (tx, merchantId) => tx`update deposit set is_reusable = true where merchant_id = ${merchantId}`,
      ask: (tx, merchantId) => deposits.openDepositIds(tx, merchantId, longAgo, 9),
    },
    listDepositKeys: (tx, merchantId) =>
      deposits.listDepositKeys(tx, merchantId, { ...range, state: null, network: null }),
    reusableTargets: {
      first: (tx, merchantId) => tx`update deposit set is_reusable = true where merchant_id = ${merchantId}`,
      ask: (tx, merchantId) => deposits.reusableTargets(tx, merchantId, null),
    },
  },
  'checkouts/email-store.ts': {
    startEmail: {
      first: startReceipt,
      ask: async (tx, merchantId, own) => {
        const later = new Date(2 * own.now.getTime());
        const mail = { id: 'otherreceipt', addressHash: 'hash' };
        return (await emails.startEmail(tx, receipt(merchantId, own), mail, own.now, later)).is;
      },
      strangerGets: 'ours',
    },
    releaseEmail: {
      first: startReceipt,
      ask: (tx, merchantId, own) => emails.releaseEmail(tx, receipt(merchantId, own), own.now, longAgo),
    },
    endEmail: {
      first: startReceipt,
      ask: (tx, merchantId, own) => emails.endEmail(tx, receipt(merchantId, own), { outcome: 'sent' }, own.now),
    },
    forgetReceiptHashes: {
      first: startReceipt,
      ask: (tx, merchantId, { ids }) => emails.forgetReceiptHashes(tx, merchantId, ids.customer),
    },
    receiptMailsOf: {
      first: async (tx, merchantId, own) => {
        await startReceipt(tx, merchantId, own);
        await emails.endEmail(tx, receipt(merchantId, own), { outcome: 'sent' }, own.now);
      },
      ask: (tx, merchantId, { ids }) => emails.receiptMailsOf(tx, { merchantId, id: ids.settled }),
    },
  },
  'merchants/api-key-store.ts': {
    insertApiKey: (tx, merchantId, { now }) =>
      apiKeys.insertApiKey(
        tx,
        { ...aKey(merchantId), scopes: ['read'], knownTo: [], label: '', madeBy: 'operator' },
        now,
      ),
    lockApiKey: (tx, merchantId, { ids }) => apiKeys.lockApiKey(tx, merchantId, ids.apiKey),
    renewKeyVersions: async (tx, merchantId, { ids }) =>
      (await apiKeys.renewKeyVersions(tx, merchantId)).filter((key) => key === ids.apiKey),
    updateApiSecret: (tx, merchantId, { ids, now }) =>
      apiKeys.updateApiSecret(
        tx,
        { ...aKey(merchantId, ids.apiKey), isUsed: false, secretBy: 'operator', knownTo: ['operator'] },
        now,
      ),
    keepFormerSecret: keepSecret,
    countFormerSecrets: {
      first: keepSecret,
      ask: (tx, merchantId, { ids }) => apiKeys.countFormerSecrets(tx, merchantId, ids.apiKey),
    },
    deleteFormerSecrets: {
      first: keepSecret,
      ask: (tx, merchantId, { ids }) => apiKeys.deleteFormerSecrets(tx, merchantId, ids.apiKey, null),
    },
    markSecretUsed: {
      first: (tx, merchantId, { ids, now }) =>
        apiKeys.updateApiSecret(
          tx,
          { ...aKey(merchantId, ids.apiKey), isUsed: false, secretBy: 'operator', knownTo: [] },
          now,
        ),
      ask: (tx, merchantId, { ids }) =>
        apiKeys.markSecretUsed(tx, merchantId, ids.apiKey, aKey(merchantId, ids.apiKey).secret),
    },
    holdSecret: {
      first: (tx, merchantId, { ids, now }) =>
        apiKeys.updateApiSecret(
          tx,
          { ...aKey(merchantId, ids.apiKey), isUsed: true, secretBy: 'operator', knownTo: [] },
          now,
        ),
      ask: (tx, merchantId, { ids }) =>
        apiKeys.holdSecret(tx, merchantId, ids.apiKey, aKey(merchantId, ids.apiKey).secret),
    },
    markKeyRevoked: (tx, merchantId, { ids, now }) => apiKeys.markKeyRevoked(tx, merchantId, ids.apiKey, now),
    knownToOfEach: async (tx, merchantId, { ids }) => [
      ...(await apiKeys.knownToOfEach(tx, merchantId, [ids.apiKey])).keys(),
    ],
    findKnownTo: {
      first: (tx, merchantId, { ids, now }) =>
        apiKeys.updateApiSecret(
          tx,
          { ...aKey(merchantId, ids.apiKey), isUsed: true, secretBy: 'operator', knownTo: ['key:a'] },
          now,
        ),
      ask: (tx, merchantId, { ids }) => apiKeys.findKnownTo(tx, merchantId, ids.apiKey),
    },
    findSecretSince: {
      first: (tx, merchantId, { ids, now }) =>
        apiKeys.updateApiSecret(
          tx,
          { ...aKey(merchantId, ids.apiKey), isUsed: true, secretBy: 'operator', knownTo: ['person:a'] },
          now,
        ),
      ask: (tx, merchantId, { ids }) => apiKeys.findSecretSince(tx, merchantId, ids.apiKey),
    },
    listKeys: {
      ask: async (tx, merchantId, { ids }) =>
        (await apiKeys.listKeys(tx, merchantId)).filter(({ apiKey }) => apiKey === ids.apiKey),
    },
    findKey: (tx, merchantId, { ids }) => apiKeys.findKey(tx, merchantId, ids.apiKey),
    findWebhookSecrets: (tx, merchantId, { ids }) =>
      apiKeys.findWebhookSecrets(
        tx as unknown as Parameters<typeof apiKeys.findWebhookSecrets>[0],
        merchantId,
        ids.apiKey,
      ),
  },
  'merchants/brand-domain-store.ts': {
    findBrandDomain: (tx, merchantId) => domains.findBrandDomain(tx, merchantId),
    saveBrandDomain: (tx, merchantId, { now }) => domains.saveBrandDomain(tx, domainOf(merchantId), now),
    deleteBrandDomain: (tx, merchantId) => domains.deleteBrandDomain(tx, merchantId),
    markDomainSeen: (tx, merchantId, { now }) => domains.markDomainSeen(tx, domainOf(merchantId), now),
    listBrandingKeys: (tx, merchantId) => domains.listBrandingKeys(tx, merchantId),
    insertBrandingKey: (tx, merchantId, { now }) =>
      domains.insertBrandingKey(tx, { merchantId, id: newId(), digest: newId() }, now),
    deleteBrandingKeys: (tx, merchantId, { ids }) => domains.deleteBrandingKeys(tx, merchantId, ids.brandingKey),
  },
  'merchants/brand-store.ts': {
    findBrand: (tx, merchantId) => brands.findBrand(tx, merchantId),
    saveBrand: (tx, merchantId, { now }) => brands.saveBrand(tx, merchantId, plainBrand, now),
    insertBrandFile: addFile,
    deleteUnusedBrandFiles: { first: addFile, ask: (tx, merchantId) => brands.deleteUnusedBrandFiles(tx, merchantId) },
    findBrandFile: { first: addFile, ask: (tx, merchantId) => brands.findBrandFile(tx, aFile.name, merchantId) },
  },
  'merchants/key-use-store.ts': {
    saveKeyUses: useKey,
    keysUnusedSince: async (tx, merchantId, { ids }) =>
      (await keyUses.keysUnusedSince(tx, merchantId, new Date('2100-01-01'))).filter(({ key }) => key === ids.apiKey),
  },
  'merchants/merchant-store.ts': {
    listAllowedAddresses: (tx, merchantId) => merchants.listAllowedAddresses(tx, merchantId),
    insertAllowedAddress: (tx, merchantId, { now }) =>
      merchants.insertAllowedAddress(tx, { merchantId, range: '127.0.0.1/32', note: 'changed' }, now),
    deleteAllowedAddress: (tx, merchantId) => merchants.deleteAllowedAddress(tx, merchantId, '127.0.0.1/32'),
    insertAudit: (tx, merchantId, { now }) =>
      merchants.insertAudit(tx, { merchantId, at: now, actor: 'operator', action: 'deposit.closed', detail: {} }),
  },
};
