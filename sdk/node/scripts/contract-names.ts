/**
 * What has no title in the contract and yet a name: what a list is asked for, and where one endpoint creates and changes, a
 * type for each (`needs`, `without`). Everything else is called what the contract calls it.
 */
export type Named = {
  readonly name: string;
  readonly operation: string;
  /** `body` or `query`, then names of properties. */
  readonly at: string;
  readonly needs?: readonly string[];
  readonly without?: readonly string[];
};

const asked = (name: string, operation: string): Named => ({ name, operation, at: 'query' });

export const furtherNames: readonly Named[] = [
  asked('CheckoutFilter', 'listCheckouts'),
  asked('PaymentLinkFilter', 'listPaymentLinks'),
  asked('PaymentLinkCheckoutFilter', 'listPaymentLinkCheckouts'),
  asked('RefundFilter', 'listRefunds'),
  asked('CustomerFilter', 'listCustomers'),
  asked('LedgerEntryFilter', 'listLedgerEntries'),
  asked('DepositFilter', 'listDeposits'),
  asked('SwapQuestion', 'quoteSwap'),
  asked('SwapFilter', 'listSwaps'),
  asked('TransferQuestion', 'estimateTransfer'),
  asked('TransferFilter', 'listTransfers'),
  asked('TargetAccountFilter', 'listTargetAccounts'),
  asked('BeneficiaryFilter', 'listBeneficiaries'),
  asked('WebhookDeliveryFilter', 'listWebhookDeliveries'),
  asked('PaperFilter', 'listPapers'),

  { name: 'NewCustomer', operation: 'createCustomer', at: 'body.customer', needs: ['email'], without: ['id'] },
  { name: 'NewBeneficiary', operation: 'createBeneficiary', at: 'body.beneficiary', without: ['id'] },
  {
    name: 'NewTargetAccount',
    operation: 'saveTargetAccount',
    at: 'body',
    needs: ['label', 'network', 'address'],
    without: ['id'],
  },
  { name: 'TargetAccountChange', operation: 'saveTargetAccount', at: 'body', needs: ['id'] },
];
