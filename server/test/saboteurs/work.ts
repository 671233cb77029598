/** Work without a bound: who asks for much keeps the others waiting, and nothing is ever forgotten. */
import type { Saboteur } from './saboteur.ts';

const turns = 'server/src/http/fair-turns.test.ts';
const pages = 'server/src/http/page-cursor.test.ts';
const kept = 'server/test/what-is-kept.test.ts';
const room = 'server/src/http/demand-room.test.ts';

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
    find: 'if (keepsBody) return bytes;',
    replace: 'if (keepsBody) return null;',
    noticedBy: kept,
    test: 'a merchant keeps so much',
  },
  {
    file: 'http/answer-request.ts',
    fault: 'the same long answer is kept for any number of keys',
    find: 'return isAnswerKept ? usualBodyBytes : null;',
    replace: 'return null;',
    noticedBy: kept,
    test: 'answers that are kept',
  },
  {
    file: 'http/answer-request.ts',
    fault: 'an order of money is refused for a lack of room',
    find: 'isMoneyMoving && bytes > shortOrder',
    replace: 'isMoneyMoving',
    noticedBy: kept,
    test: 'what is written beside an order',
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
    find: 'await noteForgotten(tx, found);',
    replace: '',
    noticedBy: kept,
    test: 'is forgotten after ninety days',
  },
  {
    file: 'payment-links/forget-unpaid.ts',
    fault: 'what must stay is looked at again with every fifty that go',
    find: 'from = found.at(-1)?.createdAt ?? from;',
    replace: 'from = new Date(0);',
    noticedBy: kept,
    test: 'many are forgotten',
  },
  {
    file: 'http/fair-turns.ts',
    fault: 'what waits outside keeps its turn',
    find: 'weigh(-weight);\n          giveTurns();',
    replace: 'giveTurns();',
    noticedBy: turns,
  },
];
