/** What the page of errors must not leave out, and what must not pass for being on it. */
import type { Saboteur } from './saboteur.ts';

const noticedBy = 'server/src/manual/manual-book.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'manual/api-sentences.ts',
    fault: 'webhooks are taken for pages of the web, and their sentences are left out',
    find: '|web|bridge|sending)\\/)',
    replace: '|web|bridge|sending))',
    noticedBy,
    test: 'a sentence is found',
  },
  {
    file: 'manual/api-sentences.ts',
    fault: 'what networks say is left out',
    find: ' || saidByNetworks.test(path)',
    replace: '',
    noticedBy,
    test: 'a sentence is found',
  },
  {
    file: 'manual/api-sentences.ts',
    fault: 'a failure that another file makes is not known',
    find: 'const makers = { ...imported, ...commonMakers,',
    replace: 'const makers = { ...commonMakers,',
    noticedBy,
    test: 'a sentence is found',
  },
  {
    file: 'manual/api-sentences.ts',
    fault: 'a reason is told with one status, though it is answered with two',
    find: 'return passing.test(name) ? [lasting,',
    replace: 'return passing.test(name) && false ? [lasting,',
    noticedBy,
    test: 'a sentence is found',
  },
  {
    file: 'manual/answered-sentence.ts',
    fault: 'a sentence of another status passes for the one that was answered',
    find: 'if (status !== null && own !== status) return false;',
    replace: 'if (status !== null && own < 0) return false;',
    noticedBy,
    test: 'an answer is told',
  },
  {
    file: 'manual/answered-sentence.ts',
    fault: 'whatever follows a sentence of the page is on the page',
    find: 'isTold(status, answered.slice(end + 1))',
    replace: 'answered.length > end',
    noticedBy,
    test: 'an answer is told',
  },
  {
    file: 'webhooks/webhook-url-problems.ts',
    fault: 'a checkout is made whose events can never be delivered',
    find: "['public', 'named'].includes(hostKind(hostname))",
    replace: "hostKind(hostname) !== 'loopback'",
    noticedBy: 'server/test/checkout-validation.test.ts',
    test: 'could never be delivered to',
  },
];
