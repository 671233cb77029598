import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMs, minutes } from '../lib/clock.ts';
import { durationWords } from './duration-words.ts';
import type { HouseNetwork } from './house-facts.ts';
import { houseSentence, type JudgedFacts } from './house-sentence.ts';

const now = new Date('2026-03-01T12:00:00Z');

const network = (name: string, silentMs: number | null): HouseNetwork => ({
  id: name.toUpperCase(),
  name,
  imageSrc: '',
  isUp: silentMs === null,
  status: {
    network: name.toUpperCase(),
    tipHeight: 1,
    blocksBehind: 0,
    observedAt: now,
    failingSince: silentMs === null ? null : addMs(now, -silentMs),
    lastError: null,
    facts: {},
  },
  awaited: 0,
  confirming: 0,
  sending: 0,
  fee: null,
});

const well: JudgedFacts = {
  now,
  needs: [],
  queue: { waiting: 0, parked: 0, oldest: null },
  networks: [network('Bitcoin', null), network('Stellar', null)],
  books: { reconciliations: [], bridge: [], unbalanced: [] },
};
const counted = { network: 'BITCOIN', asset: 'BTC', held: 5n, booked: 5n, arriving: 0n, crumbs: 0n, leaving: 0n };
const parked = { kind: 'jobParked', name: 'jobParked.1', since: now } as const;

const examples: readonly (readonly [string, Partial<JudgedFacts>, string, string, readonly string[]])[] = [
  ['nothing is amiss', {}, 'paid', 'All is well.', []],
  [
    'one of two networks is silent',
    { networks: [network('Bitcoin', null), network('Stellar', minutes(4))] },
    'decide',
    'All is well, but Stellar has been silent for 4 minutes.',
    [],
  ],
  [
    'no network answers',
    { networks: [network('Bitcoin', minutes(1)), network('Stellar', minutes(4))] },
    'fail',
    'No network answers.',
    [],
  ],
  ['jobs are parked', { needs: [parked, parked] }, 'decide', 'All is well, but 2 jobs are parked.', []],
  [
    'a job that is due for seconds has a worker',
    { queue: { waiting: 9, parked: 0, oldest: addMs(now, -119_000) } },
    'paid',
    'All is well.',
    [],
  ],
  [
    'a job that is due for minutes may have none',
    { queue: { waiting: 9, parked: 0, oldest: addMs(now, -minutes(2)) } },
    'fail',
    'Jobs have been waiting for 2 minutes: a worker may be missing.',
    [],
  ],
  [
    'money is missing, which is worse than a job',
    {
      needs: [parked],
      books: {
        ...well.books,
        reconciliations: [{ ...counted, underway: 0n, difference: -1n, checkedAt: now, countedTo: null }],
      },
    },
    'fail',
    'The books differ from what Bitcoin holds.',
    ['A job is parked.'],
  ],
  [
    'what is under way may be on either side',
    {
      books: {
        ...well.books,
        reconciliations: [{ ...counted, underway: 1n, difference: -1n, checkedAt: now, countedTo: null }],
      },
    },
    'paid',
    'All is well.',
    [],
  ],
  ['the ledger', { books: { ...well.books, unbalanced: ['BTC'] } }, 'fail', 'The ledger does not add up.', []],
];

test('one sentence says whether all is well, or what is worst and since when', () => {
  for (const [name, facts, tone, text, others] of examples)
    assert.deepEqual(houseSentence({ ...well, ...facts }), { tone, text, others }, name);
});

test('a time is told in its largest unit', () => {
  const told = [0, 999, 1_000, 59_999, 60_000, 7_200_000, 86_400_000].map(durationWords);
  assert.deepEqual(told, ['0 seconds', '0 seconds', '1 second', '59 seconds', '1 minute', '2 hours', '1 day']);
});
