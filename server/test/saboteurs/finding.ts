/** What finds checkouts of others, finds them twice or not at all, and what is not told to the person it waits for. */
import type { Saboteur } from './saboteur.ts';

const searched = 'server/test/checkout-search.test.ts';
const filtered = 'server/test/checkout-filters.test.ts';
const followed = 'server/test/checkout-terms-followed.test.ts';
const needed = 'server/test/needs-you.test.ts';
const eachOnce = 'page by page each checkout';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'checkouts/term-store.ts',
    fault: 'a word finds the checkouts of every merchant',
    find: 'where merchant_id = ${merchantId} and term = ${term}',
    replace: 'where ${merchantId}::text is not null and term = ${term}',
    noticedBy: 'server/test/tenancy-stores.test.ts',
    test: 'checkouts/term-store.ts',
  },
  {
    file: 'payments/transaction-search-store.ts',
    fault: 'a transaction finds the checkouts of every merchant',
    find: 'and merchant_id = ${merchantId}',
    replace: 'and ${merchantId}::text is not null',
    noticedBy: 'server/test/tenancy-stores.test.ts',
    test: 'payments/transaction-search-store.ts',
  },
  {
    file: 'checkouts/match-checkouts.ts',
    fault: 'a key that may not read customers learns what belongs to an e-mail address',
    find: 'mayReadCustomers ? matchCustomers(query, merchantId, form, cut) : []',
    replace: 'matchCustomers(query, merchantId, form, cut)',
    noticedBy: searched,
    test: 'a customer is found',
  },
  {
    file: 'finding/search.ts',
    fault: 'whoever may not read a thing finds it all the same',
    find: '.filter(({ kind }) => mayFind(kind))',
    replace: '.filter(({ kind }) => kind !== null)',
    noticedBy: searched,
    test: 'transfers, deposits and destinations',
  },
  {
    file: 'checkouts/checkout-list-store.ts',
    fault: 'checkouts of one moment are listed in another order than pages are cut',
    find: 'order by found.created_at desc, found.id desc limit',
    replace: 'order by found.created_at desc, found.id limit',
    noticedBy: filtered,
    test: eachOnce,
  },
  {
    file: 'checkouts/checkout-list-store.ts',
    fault: 'a checkout that was committed to two rails is listed twice',
    find: 'group by 1, 2 order by 2 desc, 1 desc limit',
    replace: 'order by 2 desc, 1 desc limit',
    noticedBy: filtered,
    test: eachOnce,
  },
  {
    file: 'checkouts/list-checkouts.ts',
    fault: 'the list ends where one page stopped looking',
    find: 'isUnknown ? (looked.at(-1) ?? null) : null',
    replace: 'null',
    noticedBy: filtered,
    test: eachOnce,
  },
  {
    file: 'checkouts/follow-terms.ts',
    fault: 'what becomes visible late is never found',
    find: 'const overlapMs = minutes(2);',
    replace: 'const overlapMs = minutes(1);',
    noticedBy: followed,
    test: 'becomes visible two minutes',
  },
  {
    file: 'checkouts/rebuild-terms.ts',
    fault: 'made anew, what is no longer right stays',
    find: 'terms.filter((each) => !right.has(nameOf(each)))',
    replace: 'terms.filter((each) => right.size > terms.length && !right.has(nameOf(each)))',
    noticedBy: followed,
    test: 'made anew',
  },
  {
    file: 'settlements/plan-advance.ts',
    fault: 'that money waits for a decision is not stored',
    find: 'const awaitsDecision = inSuspense(draft.dossier, draft.now).length > 0;',
    replace: 'const awaitsDecision = inSuspense(draft.dossier, draft.now).length > 1;',
    noticedBy: needed,
    test: 'an underpayment until',
  },
  {
    file: 'checkouts/undecided-store.ts',
    fault: 'what was decided is asked for again',
    find: 'and awaits_decision\n     order by created_at',
    replace: "and exceptions <> '{}'\n     order by created_at",
    noticedBy: needed,
    test: 'an underpayment until',
  },
  {
    file: 'webhooks/undelivered-store.ts',
    fault: 'events that were sent again are still told as given up',
    find: "state = 'FAILED' and replaced_by is null and",
    replace: "state = 'FAILED' and",
    noticedBy: needed,
    test: 'events that were given up',
  },
  {
    file: 'merchants/key-use-store.ts',
    fault: 'a key that is used counts as unused',
    find: 'and greatest(last_used_at, created_at, rotated_at) < ${since}',
    replace: 'and greatest(created_at, rotated_at) < ${since}',
    noticedBy: needed,
    test: 'a key that nobody used',
  },
];
