/** What the treasury has, has promised, and may give; and what strangers send that nobody asked for. */
import type { Saboteur } from './saboteur.ts';

const promises = 'server/test/treasury-promises.test.ts';
const crumbs = 'server/test/crumbs.test.ts';
const crumbRule = 'server/src/payments/is-crumb.test.ts';
const strays = 'server/test/suspense-return.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'venues/promise-stock.ts',
    fault: 'what one batch promises is not taken from what it may promise',
    find: 'ofBacking?.set(merchantId, (ofBacking.get(merchantId) ?? 0n) + units - heldUnits);',
    replace: 'ofBacking?.set(merchantId, ofBacking.get(merchantId) ?? 0n);',
    noticedBy: promises,
  },
  {
    file: 'venues/promise-stock.ts',
    fault: 'what cannot be promised is promised',
    find: 'if (shortage !== null) return dependsOnStock(deps, paid, asset) ? shortage : null;',
    replace: 'if (shortage !== null && units < 0n) return dependsOnStock(deps, paid, asset) ? shortage : null;',
    noticedBy: promises,
  },
  {
    file: 'venues/treasury-promise-store.ts',
    fault: 'a promise is kept and stays',
    find: `    delete from treasury_promise
     where (merchant_id, checkout_id) in (`,
    replace: `    delete from treasury_promise
     where units < 0 and (merchant_id, checkout_id) in (`,
    noticedBy: promises,
  },
  {
    file: 'venues/treasury-stock.ts',
    fault: 'one merchant may have the whole stock promised',
    find: 'return smaller(shared - own, leftByOthers - own);',
    replace: 'return smaller(shared - own + leftByOthers, leftByOthers - own);',
    noticedBy: promises,
  },
  {
    file: 'venues/treasury-stock.ts',
    fault: 'exactly what is there cannot be given',
    find: 'if (units <= mostUnits) return null;',
    replace: 'if (units < mostUnits) return null;',
    noticedBy: promises,
  },
  {
    file: 'venues/coverage.ts',
    fault: 'what is promised need not be held',
    find: 'const due = owedUnits + promisedUnits;',
    replace: 'const due = owedUnits + promisedUnits * 0n;',
    noticedBy: promises,
  },
  {
    file: 'venues/convertible.ts',
    fault: 'an asset that can be in nobody’s stock is offered',
    find: 'return comesIn || limitOf(treasuryLimits, backing).digits < 0n;',
    replace: 'return comesIn || limitOf(treasuryLimits, backing).digits <= 0n;',
    noticedBy: 'server/test/catalog-flags.test.ts',
  },
  {
    file: 'payments/is-crumb.ts',
    fault: 'the operator’s own money can be a crumb',
    find: 'if (arrivals === null) return false;',
    replace: 'if (arrivals === null) return units < leastUnits;',
    noticedBy: crumbRule,
  },
  {
    file: 'payments/is-crumb.ts',
    fault: 'exactly the minimum is a crumb',
    find: 'if (units < leastUnits) return true;',
    replace: 'if (units <= leastUnits) return true;',
    noticedBy: crumbRule,
  },
  {
    file: 'payments/is-crumb.ts',
    fault: 'a flood that its sender takes back makes a crumb of what the customer pays',
    find: 'isInBlock ? mined : seen;',
    replace: 'seen;',
    noticedBy: crumbRule,
  },
  {
    file: 'payments/is-crumb.ts',
    fault: 'the rest of what is asked for can be a crumb',
    find: '&& !isLarge && !isTheRest',
    replace: '&& !isLarge',
    noticedBy: crumbRule,
  },
  {
    file: 'payments/crumb-store.ts',
    fault: 'crumbs in blocks that can be given up are counted',
    find: `and place = 'none' and block_height <= \${finalHeight}`,
    replace: `and place = 'none' and block_height <= \${finalHeight}::bigint + 100`,
    noticedBy: crumbs,
  },
  {
    file: 'payments/crumb-store.ts',
    fault: 'crumbs are counted again and again',
    find: `set state = 'FINAL', place = 'settled', confirmed_at`,
    replace: `set state = 'FINAL', place = 'none', confirmed_at`,
    noticedBy: crumbs,
  },
  {
    file: 'payments/crumb-store.ts',
    fault: 'crumbs become a payment before they are worth one',
    find: 'waiting_count > 0 and waiting_units >= least_units',
    replace: 'waiting_count > 0 and waiting_units >= least_units * 0',
    noticedBy: crumbs,
  },
  {
    file: 'payments/crumb-store.ts',
    fault: 'a flood of crumbs becomes a flood of payments',
    find: 'or waiting_units * 10 >= gathered_units)',
    replace: 'or waiting_units * 10 >= 0)',
    noticedBy: crumbs,
  },
  {
    file: 'payments/crumb-store.ts',
    fault: 'crumbs that became a payment stay on the heap',
    find: 'set waiting_count = 0, waiting_units = 0, gathered_count',
    replace: 'set waiting_count = heap.waiting_count, waiting_units = heap.waiting_units, gathered_count',
    noticedBy: crumbs,
  },
  {
    file: 'payments/return-unmatched.ts',
    fault: 'what is on its way back is sent back once more',
    find: 'if (returnId !== null) return',
    replace: `if (returnId === '') return`,
    noticedBy: strays,
  },
  {
    file: 'payments/unmatched-store.ts',
    fault: 'what could not be sent back can never be again',
    find: 'set return_id = null, return_failure',
    replace: 'set return_failure',
    noticedBy: strays,
  },
];
