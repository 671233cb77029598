/** Plans of one batch that do not see each other, locks in any order, and a proof of the books that proves less. */
import type { Saboteur } from './saboteur.ts';

const batch = 'server/test/one-batch.test.ts';
const ledger = 'server/src/ledger/ledger.test.ts';

/** Each part of the proof of the books, left out. */
const proofs = (
  [
    [
      'an entry that does not balance is not named',
      'having sum(line.units) <> 0',
      'having false',
      'does not balance, though',
    ],
    [
      'a balance that is not the sum of its lines is not named',
      'where account.balance <> coalesce(line.units, 0)',
      'where false',
      'not the sum of its lines',
    ],
    [
      'an account without lines is not looked at',
      'left join (select account_id',
      'join (select account_id',
      'without any lines',
    ],
    [
      'an asset that is off is not named',
      'group by asset having sum(balance) <> 0',
      'group by asset having false',
      'without any lines',
    ],
    ['an overdrawn account is not named', 'where balance < 0 and not may_be_negative', 'where false', 'overdrawn'],
    [
      'accounts that may be below zero are named',
      'where balance < 0 and not may_be_negative',
      'where balance < 0',
      'overdrawn',
    ],
    [
      'an entry without lines is not named',
      'where not exists (select from ledger_line line where line.reference = entry.reference)',
      'where false',
      'an entry without lines',
    ],
  ] as const
).map(([fault, find, replace, name]) => ({
  file: 'ledger/verify-ledger.ts',
  fault,
  find,
  replace,
  noticedBy: ledger,
  test: `verification names .*${name}`,
}));

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'settlements/advance-checkout.ts',
    fault: 'plans of one batch do not see what those before them post: a debt is repaid twice',
    find: 'if (balance !== undefined) books.set(account, balance + units); // The next plan sees what this one will post.',
    replace: 'void [balance, units];',
    noticedBy: batch,
    test: 'two checkouts of an indebted merchant',
  },
  {
    file: 'settlements/advance-checkout.ts',
    fault: 'plans of one batch do not see what those before them post: what is there is taken twice',
    find: 'if (balance !== undefined) books.set(account, balance + units); // The next plan sees what this one will post.',
    replace: 'void [balance, units];',
    noticedBy: batch,
    test: 'two credits that are taken back together',
  },
  {
    file: 'settlements/advance-checkout.ts',
    fault: 'checkouts of one batch do not see what those before them took from the treasury',
    find: 'for (const { settlement } of settledBy(step)) supply.take(before, settlement.parts);',
    replace: '',
    noticedBy: 'server/test/treasury-promises.test.ts',
    test: 'what is paid after its promise ended',
  },
  {
    file: 'settlements/merchant-purse.ts',
    fault: 'payments of one deposit do not see what those before them repaid',
    find: '    owed.set(asset, (owed.get(asset) ?? 0n) - fromDebt);\n',
    replace: '',
    noticedBy: batch,
    test: 'two payments to one deposit',
  },
  {
    file: 'venues/promise-stock.ts',
    fault: 'choices of one batch do not see what those before them were promised',
    find: 'ofBacking?.set(merchantId, (ofBacking.get(merchantId) ?? 0n) + units - heldUnits);',
    replace: 'void ofBacking;',
    noticedBy: batch,
    test: 'choices of one batch',
  },
  {
    file: 'venues/promise-stock.ts',
    fault: 'a checkout that is chosen for twice in one batch counts twice',
    find: '      held.set(keyOf(promise), units);\n',
    replace: '',
    noticedBy: batch,
    test: 'choices of one batch',
  },
  {
    file: 'ledger/ledger-store.ts',
    fault: 'accounts are locked in any order',
    find: 'where id = any(${[...accounts].sort()}) order by id for update',
    replace: 'where id = any(${[...accounts].sort()}) for update',
    noticedBy: ledger,
    test: 'accounts are locked in the order',
  },
  ...proofs,
];
