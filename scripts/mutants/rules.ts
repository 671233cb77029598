/** Whole lives of checkouts, told to `planAdvance`. */
const lives = ['plan-advance', 'plan-reversal', 'follow-vanished', 'refund-events', 'kept-rates', 'bridge-wait'].map(
  (test) => `settlements/${test}`,
);
const stories = [...lives, ...['value-late', 'refund-lives', 'settle-checkout'].map((test) => `settlements/${test}`)];

/**
 * The pure rules: what decides about money without asking anybody, and which tests must notice a fault in it. An empty
 * list is the test beside the rule, `<rule>.test.ts`; whoever names others names all of them.
 */
export const rules: Readonly<Record<string, readonly string[]>> = {
  'lib/state-table': [],
  'money/amount': [],
  'money/decimal': [],
  'money/float-noise': [],
  'ledger/chart-of-accounts': [],
  'ledger/entry': [],
  'http/page-cursor': [],
  'webhooks/delivery-schedule': [],
  'webhooks/delivery-state': [],
  'webhooks/sign-webhook': [],
  'auth/verify-digest': [],
  'pricing/combine-rates': [],
  'pricing/credit-for-payment': [],
  'pricing/market-buffer': [],
  'pricing/quote': [],
  'pricing/rate-margin': [],
  'pricing/rate-reply': [],
  'pricing/round-amount': [],
  'pricing/round-price': [],
  'pricing/settlement-fee': [],
  'pricing/share-of-price': ['pricing/share-of-price', 'pricing/late-worth'],
  'deposits/confirmation-ladder': ['deposits/ladder-steps', 'deposits/confirmation-ladder'],
  'deposits/custom-deposit': [],
  'deposits/custom-deposit-state': [],
  'deposits/payment-state': [],
  'sending/charged-cost': [],
  'sending/lasting-wait': [],
  'sending/outgoing-transaction-state': [],
  'sending/payout-state': [],
  'sending/slot-share': [],
  'venues/asset-home': [],
  'venues/treasury-stock': [],
  'venues/venue-order-state': [],
  'venues/venue-plan': [],
  'checkouts/adopt-payments': [],
  'checkouts/charge-total': [],
  'checkouts/checkout-facts': ['checkouts/checkout-facts', ...lives, 'settlements/refundable'],
  'checkouts/checkout-state': ['checkouts/checkout-moves', 'checkouts/checkout-state', 'checkouts/paid-on-a-day'],
  'checkouts/paid-enough': ['checkouts/checkout-state', 'checkouts/paid-on-a-day', 'pricing/late-worth'],
  'payments/inherit-sights': [],
  'checkouts/missing-share': ['checkouts/missing-share-examples'],
  'checkouts/payment-portions': ['checkouts/payment-portions', 'checkouts/checkout-state', 'payments/inherit-sights'],
  'checkouts/price-in-asset': [],
  'checkouts/refund': [],
  'checkouts/refund-state': [],
  'wallets/house-ceiling': [],
  'wallets/swap-entries': [],
  'wallets/swap-state': [],
  'wallets/swap-price': ['wallets/swap-price', 'wallets/swap-fees'],
  'wallets/transfer-entries': [],
  'wallets/transfer-fee': [],
  'wallets/transfer-state': [],
  'wallets/unfinal-credits': [],
  'watching/likely-checkout': [],
  'payments/is-crumb': [],
  'settlements/merchant-purse': [],
  'settlements/advance-draft': stories,
  'settlements/book-payments': stories,
  'settlements/carry-out-decisions': stories,
  'settlements/end-refunds': stories,
  'settlements/follow-vanished': stories,
  'settlements/plan-advance': stories,
  'settlements/settle-checkout': stories,
  'settlements/take-back-settlement': stories,
  'settlements/plan-deposit': ['settlements/plan-deposit', 'settlements/deposit-lives'],
  'settlements/plan-exchange': ['settlements/plan-exchange', 'settlements/exchange-orders'],
  'refunds/price-refund': ['refunds/price-refund', 'refunds/price-refund-amounts'],
  'settlements/refund-entries': [],
  'settlements/refund-events': ['settlements/refund-events', 'settlements/told-refunds'],
  'settlements/refundable': ['settlements/refundable', 'settlements/refundable-units'],
  'settlements/settlement-entries': [],
  'settlements/settlement-parts': ['settlements/settlement-parts', 'settlements/settlement-shares'],
  'settlements/value-late': ['settlements/value-late', 'settlements/late-values'],
  'networks/families/bank/banking-days': [],
  'networks/families/bank/check-statement': [],
  'networks/families/bank/epc-code': [],
  'networks/families/bank/kind-of-entry': [],
  'networks/families/bank/match-reference': [],
  'networks/families/bank/rf-reference': ['networks/families/bank/match-reference'],
  'networks/families/bank/payment-problem': ['networks/families/bank/write-payment-file'],
  'networks/families/bank/payee-destination': [
    'networks/families/bank/bank-destination',
    'networks/families/bank/write-payment-file',
  ],
  'networks/families/bank/write-payment-file': [],
  'networks/families/bank/bank-destination': [],
  'networks/families/bank/latin-text': ['networks/families/bank/bank-destination'],
  'networks/pix/br-code': [],
  'networks/pix/received-pix': [],
  'networks/pix/pix-amount': ['networks/pix/received-pix'],
  'bank-files/booking-fate': [],
  'bank-files/payment-file-state': [],
  'bank-files/payment-file-words': [],
  'payment-page/payable-late': [],
  'payment-page/shown-state': [],
};

export const sourceOf = (rule: string): string => `server/src/${rule}.ts`;

export function testsOf(rule: string): readonly string[] {
  const named = rules[rule] ?? [];
  return (named.length === 0 ? [rule] : named).map((test) => `server/src/${test}.test.ts`);
}

/** The rule whose source this is, wherever the copy of the repository lies. */
export function ruleAt(path: string): string {
  const rule = Object.keys(rules).find((each) => path.endsWith(`/${sourceOf(each)}`) || path === sourceOf(each));
  if (rule === undefined) throw new Error(`${path} is not one of the rules in scripts/mutants/rules.ts`);
  return rule;
}
