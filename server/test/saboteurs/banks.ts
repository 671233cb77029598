/** What differs where a bank carries the money: windows, currencies, holders. */
import type { Saboteur } from './saboteur.ts';

const rails = 'server/test/bank-rails.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'networks/port/definition.ts',
    fault: 'every network gives an hour',
    find: 'network?.paymentWindowMs ?? 3_600_000',
    replace: '(network ? 3_600_000 : 3_600_000)',
    noticedBy: rails,
  },
  {
    file: 'checkouts/payment-portions.ts',
    fault: 'a look at another way makes a transfer late that is on its way',
    find: '(last === null || end > last ? end : last)',
    replace: '(last === null || end < last ? end : last)',
    noticedBy: rails,
  },
  {
    file: 'checkouts/promise-kept.ts',
    fault: 'the stock is held for as long as a bank is waited for',
    find: 'const converted = commitments.filter(({ asset, quote }) => quote.settlement.assetId !== asset);',
    replace: 'const converted = commitments;',
    noticedBy: rails,
  },
  {
    file: 'checkouts/quote-methods.ts',
    fault: 'a bank holds a rate for a week for the payer',
    find: 'network.takesOwnCurrencyOnly && billing.code !== asset.currencyCode',
    replace: 'network.takesOwnCurrencyOnly && billing.code === asset.id',
    noticedBy: rails,
  },
  {
    file: 'checkouts/quote-methods.ts',
    fault: 'what is paid at a bank is credited in something else at the rate of a week ago',
    find: 'isAtBooking && !request.takesRateOfBooking',
    replace: 'isAtBooking && request.takesRateOfBooking && credited.id === ""',
    noticedBy: rails,
  },
  {
    file: 'settlements/settlement-parts.ts',
    fault: 'what was to be credited at the rate of its booking is credited by its estimate',
    find: 'isLate || isAtBooking || isOutlived',
    replace: 'isLate || isOutlived',
    noticedBy: rails,
  },
  {
    file: 'payment-page/public-checkout.ts',
    fault: 'the page shows a way that is over while another is open',
    find: '?? open.at(-1) ?? latest;',
    replace: '?? latest;',
    noticedBy: rails,
  },
  {
    file: 'payment-page/waiting-view.ts',
    fault: 'the page counts seconds for a week',
    find: 'const isLong = wholeSeconds > countedSeconds && seconds > countedSeconds;',
    replace: 'const isLong = wholeSeconds < 0;',
    noticedBy: rails,
  },
  {
    file: 'counterparties/find-holder.ts',
    fault: 'money goes to an account at a bank without a name',
    find: 'if (!account || !beneficiary) return { holder: null, problems: [holderNeeded(network)] };',
    replace: 'if (!account || !beneficiary) return { holder: null, problems: [] };',
    noticedBy: rails,
  },
  {
    file: 'wallets/transfer-store.ts',
    fault: 'the name that was asked for is not kept',
    find: '  holder: row.holder,',
    replace: '  holder: row.holder && null,',
    noticedBy: rails,
  },
  {
    file: 'sending/payout-on-network.ts',
    fault: 'the bank is not told who holds the account',
    find: '      holder,\n      isIssue,',
    replace: '      holder: null,\n      isIssue,',
    noticedBy: rails,
  },
  {
    file: 'refunds/estimate-refund.ts',
    fault: 'a refund at a bank goes wherever somebody says',
    find: 'if (goesBack && given) throw goesBackOnly(carrier.connector.network.name);',
    replace: '',
    noticedBy: rails,
  },
  {
    file: 'refunds/payer-account.ts',
    fault: 'what two have paid goes back to one of them',
    find: 'payer.address !== first.payer.address',
    replace: "payer.address === ''",
    noticedBy: rails,
  },
  {
    file: 'deposits/amount-problems.ts',
    fault: 'any amount is sent in one piece',
    find: 'units > mostSentUnits',
    replace: 'units < 0n',
    noticedBy: rails,
  },
  {
    file: 'account/order-words.ts',
    fault: 'what a person signs does not name the holder',
    find: "holder === null ? '' : ` of ${holderWords(holder)}`",
    replace: "holder === null ? '' : ''",
    noticedBy: rails,
  },
];
