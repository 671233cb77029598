/**
 * What people call the parts of the contract. A name, the operation and the place in it where the part is found; the same
 * part elsewhere gets the same name. `needs` and `without`: where one endpoint creates and changes, each has a type.
 */
export type Named = {
  readonly name: string;
  readonly operation: string;
  /** `body`, `query` or `reply`, then names of properties; `[]` is what a list holds. */
  readonly at: string;
  readonly needs?: readonly string[];
  readonly without?: readonly string[];
};

const named = (name: string, operation: string, at: string): Named => ({ name, operation, at });

export const names: readonly Named[] = [
  named('Network', 'networks', 'reply.networks.[]'),
  named('Asset', 'assets', 'reply.assets.[]'),
  named('Currency', 'currencies', 'reply.currencies.[]'),
  named('Language', 'languages', 'reply.languages.[]'),

  named('NewCheckout', 'createCheckout', 'body'),
  named('Charge', 'createCheckout', 'body.charge'),
  named('LineItem', 'createCheckout', 'body.charge.lineItems.[]'),
  named('DiscountItem', 'createCheckout', 'body.charge.discountItems.[]'),
  named('ShippingCostItem', 'createCheckout', 'body.charge.shippingCostItems.[]'),
  named('TaxItem', 'createCheckout', 'body.charge.taxItems.[]'),
  named('PageSettings', 'createCheckout', 'body.pageSettings'),
  named('CreatedCheckout', 'createCheckout', 'reply'),
  named('PaymentMethod', 'createCheckout', 'reply.paymentMethods.[]'),
  named('SettlementQuote', 'createCheckout', 'reply.paymentMethods.[].settlement'),
  named('HostedCheckout', 'createHostedCheckout', 'reply'),
  named('CheckoutChoice', 'commitCheckout', 'body'),
  named('CommittedCheckout', 'commitCheckout', 'reply'),
  named('DepositInstructions', 'commitCheckout', 'reply.depositInstructions'),
  named('Checkout', 'getCheckout', 'reply.checkout'),
  named('BlockchainTransaction', 'getCheckout', 'reply.checkout.blockchainTransactions.[]'),
  named('PaymentTotal', 'getCheckout', 'reply.checkout.paymentTotals.[]'),
  named('CheckoutFilter', 'listCheckouts', 'query'),
  named('TimelineEntry', 'checkoutTimeline', 'reply.timeline.[]'),
  named('ChargeTotal', 'validateCharge', 'reply'),

  named('NewPaymentLink', 'createPaymentLink', 'body'),
  named('PaymentLink', 'getPaymentLink', 'reply.paymentLink'),
  named('PaymentLinkFilter', 'listPaymentLinks', 'query'),
  named('PaymentLinkCheckoutFilter', 'listPaymentLinkCheckouts', 'query'),

  named('NewRefund', 'createRefund', 'body'),
  named('CreatedRefund', 'createRefund', 'reply'),
  named('Refund', 'getRefund', 'reply.refund'),
  named('RefundFilter', 'listRefunds', 'query'),
  named('ApprovalLimit', 'createRefund', 'reply.approvalLimit'),

  { name: 'NewCustomer', operation: 'createCustomer', at: 'body.customer', needs: ['email'], without: ['id'] },
  named('CustomerChange', 'changeCustomer', 'body.customer'),
  named('Customer', 'getCustomer', 'reply.customer'),
  named('CustomerFilter', 'listCustomers', 'query'),

  named('Wallet', 'getWallet', 'reply.wallet'),
  named('WalletAddress', 'getWallet', 'reply.wallet.depositAddresses.[]'),
  named('Waiting', 'getWallet', 'reply.wallet.waiting'),
  named('Wallets', 'listWallets', 'reply'),
  named('ValuedWallet', 'getWallet', 'reply'),
  named('LedgerEntry', 'listLedgerEntries', 'reply.entries.[]'),
  named('LedgerEntryFilter', 'listLedgerEntries', 'query'),

  named('NewDeposit', 'createDeposit', 'body'),
  named('CreatedDeposit', 'createDeposit', 'reply'),
  named('Deposit', 'getDeposit', 'reply.deposit'),
  named('DepositPayment', 'getDeposit', 'reply.deposit.payments.[]'),
  named('DepositFilter', 'listDeposits', 'query'),

  named('SwapQuestion', 'quoteSwap', 'query'),
  named('SwapQuote', 'quoteSwap', 'reply.quote'),
  named('QuotedSwap', 'quoteSwap', 'reply'),
  named('NewSwap', 'createSwap', 'body'),
  named('Swap', 'getSwap', 'reply.swap'),
  named('SwapFilter', 'listSwaps', 'query'),

  named('NewTransfer', 'createTransfer', 'body'),
  named('CreatedTransfer', 'createTransfer', 'reply'),
  named('TransferQuestion', 'estimateTransfer', 'query'),
  named('TransferEstimate', 'estimateTransfer', 'reply'),
  named('Transfer', 'getTransfer', 'reply.transfer'),
  named('TransferFilter', 'listTransfers', 'query'),

  {
    name: 'NewTargetAccount',
    operation: 'saveTargetAccount',
    at: 'body',
    needs: ['label', 'network', 'address'],
    without: ['id'],
  },
  { name: 'TargetAccountChange', operation: 'saveTargetAccount', at: 'body', needs: ['id'] },
  named('TargetAccount', 'getTargetAccount', 'reply.targetAccount'),
  named('TargetAccountFilter', 'listTargetAccounts', 'query'),

  { name: 'NewBeneficiary', operation: 'createBeneficiary', at: 'body.beneficiary', without: ['id'] },
  named('BeneficiaryChange', 'changeBeneficiary', 'body.beneficiary'),
  named('Beneficiary', 'getBeneficiary', 'reply.beneficiary'),
  named('BeneficiaryFilter', 'listBeneficiaries', 'query'),

  named('Statement', 'getStatement', 'reply.statement'),
  named('ReportedDays', 'getTaxReport', 'reply.report'),
  named('CheckoutLedgerRow', 'getCheckoutLedger', 'reply.rows.[]'),
  named('Disposal', 'listDisposals', 'reply.rows.[]'),
  named('TaxReport', 'getTaxReport', 'reply'),
  named('FeeReport', 'getFeeReport', 'reply'),
  named('NewExport', 'createExport', 'body'),
  named('Export', 'getExport', 'reply.export'),

  named('WebhookDelivery', 'listWebhookDeliveries', 'reply.deliveries.[]'),
  named('WebhookAttempt', 'listWebhookDeliveries', 'reply.deliveries.[].attempts.[]'),
  named('WebhookDeliveryFilter', 'listWebhookDeliveries', 'query'),

  named('Settings', 'getSettings', 'reply.settings'),
  named('ServiceStatus', 'status', 'reply'),
];
