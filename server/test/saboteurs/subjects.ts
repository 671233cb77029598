/** What entries of the ledger are about. */
import type { Saboteur } from './saboteur.ts';

const story = 'server/test/ledger-subjects.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'ledger/entry.ts',
    fault: 'an entry is about anything',
    find: 'assert(subjects.includes(kind), ',
    replace: 'assert(subjects.length > 0, ',
    noticedBy: 'server/src/ledger/entry.test.ts',
    test: 'about what its kind can be about',
  },
  {
    file: 'ledger/ledger-store.ts',
    fault: 'entries of another merchant with the same ids are shown',
    find: 'where entry.merchant_id is not distinct from ${merchantId}\n',
    replace: 'where (true or entry.merchant_id is not distinct from ${merchantId})\n',
    noticedBy: 'server/test/tenancy-stores.test.ts',
  },
  {
    file: 'watching/return-unmatched.ts',
    fault: 'what was sent back is about its transfer',
    find: `subject: { kind: 'unmatched_payment', id },`,
    replace: `subject: { kind: 'unmatched_payment', id: \`\${id}-returned\` },`,
    noticedBy: story,
    test: 'what named nobody',
  },
  {
    file: 'settlements/refund-entries.ts',
    fault: 'the entries of a refund have the id of something else',
    find: `({ id }: Refund): Subject => ({ kind: 'refund', id })`,
    replace: `({ asset }: Refund): Subject => ({ kind: 'refund', id: asset })`,
    noticedBy: story,
    test: 'a checkout and its refund',
  },
];
