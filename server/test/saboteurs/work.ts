/** Work without a bound: who asks for much keeps the others waiting, and nothing is ever forgotten. */
import type { Saboteur } from './saboteur.ts';

const turns = 'server/src/http/fair-turns.test.ts';
const pages = 'server/src/http/page-cursor.test.ts';
const kept = 'server/test/what-is-kept.test.ts';
const room = 'server/src/http/demand-room.test.ts';
const busy = 'server/test/busy-service.test.ts';
const heavy = 'server/test/heavy-work.test.ts';

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
    file: 'http/work-in-turn.ts',
    fault: 'a queue of small requests is one piece of work',
    find: 'if (turn.hasWaited) await giveWay();',
    replace: '',
    noticedBy: 'server/src/http/work-in-turn.test.ts',
  },
  {
    file: 'http/http-server.ts',
    fault: 'people who have to wait are answered in JSON',
    find: 'if (!options.busyPage || !isToWait(error)',
    replace: 'if (!options.busyPage || isToWait(error)',
    noticedBy: busy,
    test: 'one address that asks for much',
  },
  {
    file: 'http/http-server.ts',
    fault: 'pages take no turns',
    find: "route.cost === 'free'",
    replace: "route.cost !== 'document'",
    noticedBy: busy,
    test: 'one address that asks for much',
  },
  {
    file: 'http/answer-request.ts',
    fault: 'all merchants are one party',
    find: '`merchant ${caller.merchant.id}`',
    replace: "'merchants'",
    noticedBy: busy,
    test: 'a merchant that asks for much',
  },
  {
    file: 'lib/heavy-work.ts',
    fault: 'all merchants have one line for heavy work',
    find: 'queue.add(party, job)',
    replace: "queue.add('all', job)",
    noticedBy: heavy,
  },
  {
    file: 'account/settings/brand-form.ts',
    fault: 'who has to wait for a picture is told that it is wrong',
    find: 'if (error.httpStatus === 503) hasToWait = error;',
    replace: '',
    noticedBy: busy,
    test: 'a person whose picture finds no place',
  },
  {
    file: 'account/checkouts/payment-link-routes.ts',
    fault: 'people make payment links where there is no room',
    find: 'await deps.demandRoom(merchant.id, Buffer.byteLength(JSON.stringify({ charge, ...rest })));',
    replace: '',
    noticedBy: kept,
    test: 'where all room is taken',
  },
  {
    file: 'account/checkouts/lasting-link-routes.ts',
    fault: 'people make links for many where there is no room',
    find: 'await deps.demandRoom(merchant.id, Buffer.byteLength(JSON.stringify(body)));',
    replace: '',
    noticedBy: kept,
    test: 'where all room is taken',
  },
  {
    file: 'http/demand-room.ts',
    fault: 'what was agreed with one merchant about its room counts for nothing',
    find: 'before.megabytesMax === null ? bytesMax : before.megabytesMax * megabyte',
    replace: 'bytesMax',
    noticedBy: kept,
    test: 'where all room is taken',
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
];
