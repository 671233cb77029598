/**
 * How the SDKs call each operation. All three have the same resources and methods, each in the spelling of its language.
 * What is not here is called by `get`, `post`, `put` and `delete`.
 */
export type SdkCall = {
  /** `checkouts.createHosted`. */
  readonly method: string;
  /** `all` parameters as one value; `nothing`; the value of one field; a `period`, which only Node takes with its name. */
  readonly takes: 'all' | 'nothing' | 'period' | { readonly field: string };
  /** Left out: a value. */
  readonly gives?: 'list' | 'file' | 'nothing';
};

const all = (method: string): SdkCall => ({ method, takes: 'all' });
const one = (method: string, field: string): SdkCall => ({ method, takes: { field } });
const read = (method: string): SdkCall => ({ method, takes: 'nothing' });
const list = (method: string): SdkCall => ({ method, takes: 'all', gives: 'list' });
const report = (method: string): SdkCall => ({ method, takes: 'period' });
const quietly = (call: SdkCall): SdkCall => ({ ...call, gives: 'nothing' });

export const sdkCalls: Readonly<Record<string, SdkCall>> = {
  time: read('time'),
  authTest: quietly(read('authTest')),
  getSettings: read('settings'),
  health: quietly(read('health')),
  status: read('status'),
  networks: read('networks'),
  assets: read('assets'),
  currencies: read('currencies'),
  languages: read('languages'),
  createCheckout: all('checkouts.create'),
  createHostedCheckout: all('checkouts.createHosted'),
  commitCheckout: all('checkouts.commit'),
  cancelCheckout: one('checkouts.cancel', 'checkoutId'),
  acceptUnderpayment: one('checkouts.acceptUnderpayment', 'checkoutId'),
  acceptExcess: one('checkouts.acceptExcess', 'checkoutId'),
  validateCharge: one('checkouts.total', 'charge'),
  getCheckout: one('checkouts.get', 'id'),
  listCheckouts: list('checkouts.list'),
  checkoutTimeline: one('checkouts.timeline', 'id'),
  listPapers: list('papers.list'),
  getPaper: one('papers.get', 'id'),
  createCreditNote: all('papers.credit'),
  sendPaper: one('papers.sendAgain', 'id'),
  createPaymentLink: all('paymentLinks.create'),
  getPaymentLink: one('paymentLinks.get', 'id'),
  getPaymentLinkSecret: one('paymentLinks.secret', 'id'),
  closePaymentLink: one('paymentLinks.close', 'id'),
  listPaymentLinks: list('paymentLinks.list'),
  listPaymentLinkCheckouts: { ...one('paymentLinks.checkouts', 'id'), gives: 'list' },
  createRefund: all('refunds.create'),
  approveRefund: one('refunds.approve', 'id'),
  cancelRefund: one('refunds.cancel', 'id'),
  getRefund: one('refunds.get', 'id'),
  listRefunds: list('refunds.list'),
  createCustomer: one('customers.create', 'customer'),
  changeCustomer: quietly(one('customers.change', 'customer')),
  deleteCustomer: quietly(one('customers.delete', 'id')),
  getCustomer: one('customers.get', 'id'),
  listCustomers: list('customers.list'),
  createDeposit: all('deposits.create'),
  getDeposit: one('deposits.get', 'id'),
  closeDeposit: one('deposits.close', 'id'),
  listDeposits: list('deposits.list'),
  listWallets: read('wallets.list'),
  getWallet: one('wallets.get', 'assetCode'),
  listLedgerEntries: list('wallets.entries'),
  quoteSwap: all('swaps.quote'),
  createSwap: all('swaps.create'),
  getSwap: one('swaps.get', 'id'),
  listSwaps: list('swaps.list'),
  estimateTransfer: all('transfers.estimate'),
  createTransfer: all('transfers.create'),
  approveTransfer: one('transfers.approve', 'id'),
  cancelTransfer: one('transfers.cancel', 'id'),
  getTransfer: one('transfers.get', 'id'),
  listTransfers: list('transfers.list'),
  saveTargetAccount: all('targetAccounts.create'),
  getTargetAccount: all('targetAccounts.get'),
  deleteTargetAccount: quietly(all('targetAccounts.delete')),
  listTargetAccounts: list('targetAccounts.list'),
  createBeneficiary: one('beneficiaries.create', 'beneficiary'),
  changeBeneficiary: quietly(one('beneficiaries.change', 'beneficiary')),
  deleteBeneficiary: quietly(one('beneficiaries.delete', 'id')),
  getBeneficiary: one('beneficiaries.get', 'id'),
  listBeneficiaries: list('beneficiaries.list'),
  getStatement: report('reports.statement'),
  getTaxReport: report('reports.tax'),
  getFeeReport: report('reports.fees'),
  getCheckoutLedger: { ...report('reports.checkouts'), gives: 'list' },
  listDisposals: { ...report('reports.disposals'), gives: 'list' },
  createExport: all('reports.createExport'),
  getExport: one('reports.export', 'id'),
  getExportFile: { ...one('reports.exportFile', 'id'), gives: 'file' },
  deleteExport: one('reports.deleteExport', 'id'),
  listWebhookDeliveries: list('webhookDeliveries.list'),
  redeliverWebhook: one('webhookDeliveries.redeliver', 'deliveryId'),
};
