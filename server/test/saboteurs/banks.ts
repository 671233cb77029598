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
    find: 'network.takesOwnCurrencyOnly && credited.id !== asset.id',
    replace: 'network.takesOwnCurrencyOnly && credited.id === ""',
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
];
