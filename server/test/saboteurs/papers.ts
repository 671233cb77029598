/** Papers: what was issued, its number, and what is taken back of it. */
import type { Saboteur } from './saboteur.ts';

const issued = 'server/test/issued-papers.test.ts';
const sums = 'server/src/papers/paper-sums.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'papers/issue-paper.ts',
    fault: 'a receipt keeps who bought, for everybody who has the link',
    find: "customerId === null || kind === 'receipt' ? null",
    replace: 'customerId === null ? null',
    noticedBy: issued,
    test: 'each once and with its number',
  },
  {
    file: 'papers/issue-paper.ts',
    fault: 'a paper is issued again for the same settlement',
    find: ' || paperOfSettlement(papers, dossier, kind)) continue;',
    replace: ') continue;',
    noticedBy: issued,
    test: 'each once and with its number',
  },
  {
    file: 'papers/demand-credit.ts',
    fault: 'more is taken back by hand than there is',
    find: 'if (compare(wanted, decimal(left)) > 0) throw moreThanLeft(left, facts.currency);',
    replace: 'void moreThanLeft;',
    noticedBy: issued,
    test: 'never more',
  },
  {
    file: 'papers/credit-note.ts',
    fault: 'a refund takes back what was taken back by hand',
    find: 'minimum(minus(givenBack(dossier, settlement, together, facts), before), rest)',
    replace: 'minus(givenBack(dossier, settlement, together, facts), before)',
    noticedBy: issued,
    test: 'later refunds find nothing left',
  },
  {
    file: 'papers/credit-split.ts',
    fault: 'the last note leaves the rounding out',
    find: 'rounding: units(rounding) };',
    replace: 'rounding: 0n };',
    noticedBy: sums,
    test: 'the mirror of the paper',
  },
  {
    file: 'papers/paper-sums.ts',
    fault: 'shipping that is not taxed is taxed',
    find: 'isTaxed: hasTax && taxable,',
    replace: 'isTaxed: hasTax,',
    noticedBy: sums,
    test: 'in no tax',
  },
  {
    file: 'papers/paper-facts.ts',
    fault: 'whoever may charge names any seller',
    find: "merchant.name.trim() || (shopName ?? '')",
    replace: 'shopName ?? merchant.name',
    noticedBy: issued,
    test: 'names the business first',
  },
  {
    file: 'papers/paper-mark.ts',
    fault: 'what was credited by hand and then refunded is only cancelled',
    find: ' || (isRefunded && !isUndone)',
    replace: '',
    noticedBy: issued,
    test: 'later refunds find nothing left',
  },
  {
    file: 'papers/reverse-charge.ts',
    fault: 'a business at home owes the VAT of what it bought',
    find: ' && from !== to',
    replace: '',
    noticedBy: 'server/test/e-invoice.test.ts',
    test: 'what is missing or cannot be said',
  },
  {
    file: 'papers/paper-series.ts',
    fault: 'the year is that of Greenwich',
    find: 'dayOf(timeZoneOf(merchant.pageSettings), at)',
    replace: "dayOf('UTC', at)",
    noticedBy: issued,
    test: 'of its year where the shop is',
  },
  {
    file: 'papers/erase-customer.ts',
    fault: 'a customer is forgotten while an order of theirs is being paid',
    find: 'if (await hasOpenCheckouts(tx, merchantId, customerId, addMs(now, -undecidedMs))) return false;',
    replace: 'void hasOpenCheckouts;',
    noticedBy: issued,
    test: 'once the last order is over',
  },
  {
    file: 'papers/erase-customer.ts',
    fault: 'the address that a deleted customer left with a payment stays',
    find: 'await forgetContacts(tx, merchantId, { customerId, email: customer.email });',
    replace: 'void forgetContacts;',
    noticedBy: issued,
    test: 'once the last order is over',
  },
];
