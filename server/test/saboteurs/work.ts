/** Work without a bound: who asks for much keeps the others waiting, and nothing is ever forgotten. */
import type { Saboteur } from './saboteur.ts';

const turns = 'server/src/http/fair-turns.test.ts';
const pages = 'server/src/http/page-cursor.test.ts';
const kept = 'server/test/what-is-kept.test.ts';
const room = 'server/src/http/demand-room.test.ts';
const budget = 'server/test/loop-budget.sampled.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'http/fair-turns.ts',
    fault: 'one party may have all that is at work',
    find: 'party.atWork + weight <= atWorkMax - atWork',
    replace: 'atWork + weight <= atWorkMax',
    noticedBy: turns,
  },
  {
    file: 'http/fair-turns.ts',
    fault: 'whoever weighs more than was expected owes nothing',
    find: 'party.credit + Math.min(0, weight - real)',
    replace: 'party.credit',
    noticedBy: turns,
  },
  {
    file: 'http/fair-turns.ts',
    fault: 'the bodies of those who wait are not counted',
    find: 'party.waitingBytes + bytes > waitingBytesMax',
    replace: 'party.waitingBytes > waitingBytesMax * 9',
    noticedBy: turns,
  },
  {
    file: 'http/page-cursor.ts',
    fault: 'a page has any number of bytes',
    find: 'bytes > pageBytes',
    replace: 'bytes > pageBytes * 1e9',
    noticedBy: pages,
  },
  {
    file: 'http/demand-room.ts',
    fault: 'what was let in since is not counted',
    find: 'mine.added += bytes;',
    replace: '',
    noticedBy: room,
  },
  {
    file: 'http/answer-request.ts',
    fault: 'nobody asks whether there is room',
    find: 'if (endpoint.keepsBody && caller)',
    replace: 'if (endpoint.keepsBody && !caller)',
    noticedBy: kept,
    test: 'a merchant keeps so much',
  },
  {
    file: 'checkouts/unchosen-store.ts',
    fault: 'what a shop was told of is forgotten',
    find: 'from event where merchant_id = checkout.merchant_id and subject = checkout.id)',
    replace: 'from event where merchant_id = checkout.merchant_id and subject = checkout.id and false)',
    noticedBy: kept,
    test: 'is forgotten after ninety days',
  },
  {
    file: 'payment-links/forget-unpaid.ts',
    fault: 'days forget how many checkouts were made',
    find: 'await noteForgotten(tx, keys);',
    replace: '',
    noticedBy: kept,
    test: 'is forgotten after ninety days',
  },
  {
    file: 'payment-page/charge-lines.ts',
    fault: 'the taxable sum is made of all rows, for each tax anew',
    find: '({ percent }) => times(taxable, decimal(percent)),',
    replace: '({ percent }) => times(chargeSums(charge).taxable, decimal(percent)),',
    noticedBy: budget,
    test: 'twice as many rows',
  },
  {
    file: 'payment-page/stop-mails-routes.ts',
    fault: 'a field of a form is looked for by an expression that goes back from each line to the end',
    find: '|| hasOneClickPart(body)',
    replace: '|| /List-Unsubscribe"[^]*?\\nOne-Click\\r\\n/.test(body)',
    noticedBy: budget,
    test: 'no form does that a payer can send',
  },
  {
    file: 'web/cut-rows.ts',
    fault: 'pages show every row there is',
    find: 'export const rowsMost = 100;',
    replace: 'export const rowsMost = 100_000;',
    noticedBy: budget,
    test: 'no page does',
  },
  {
    file: 'http/parse-json.ts',
    fault: 'every value of a body is looked at by a reviver',
    find: 'const value: unknown = JSON.parse(without + text.slice(copied));',
    replace:
      'const value: unknown = JSON.parse(without + text.slice(copied), (_, each: unknown) => (typeof each === "string" ? each.trim() && each : each));',
    noticedBy: budget,
    test: 'no body holds',
  },
  {
    file: 'run-roles.ts',
    fault: 'a process serves before its first pages were written for nobody',
    find: "if (roles.includes('api')) await app.warmUp();",
    replace: '',
    noticedBy: budget,
    test: 'the first requests of a process',
  },
];
