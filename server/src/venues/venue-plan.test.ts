import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVenueRules, usualVenues, venueNames, venuesFor } from './venue-plan.ts';

const isAssetCode = (code: string): boolean => ['BTC', 'USDC', 'XLM'].includes(code);
const read = (text: string) => readVenueRules(text, isAssetCode);

test('rules are read in their order, with blanks or without', () => {
  const { rules, problems } = read(
    ' BTC/USDC : stellar-dex , treasury ; */XLM:stellar-dex;BTC/*:treasury; *:treasury ;',
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(rules, [
    { source: 'BTC', credited: 'USDC', venues: ['stellar-dex', 'treasury'] },
    { source: '*', credited: 'XLM', venues: ['stellar-dex'] },
    { source: 'BTC', credited: '*', venues: ['treasury'] },
    { source: '*', credited: '*', venues: ['treasury'] },
  ]);
});

test('without a rule everything is exchanged by the treasury', () => {
  assert.deepEqual(read(' ; ').rules, usualVenues);
  assert.deepEqual(read('').rules, [{ source: '*', credited: '*', venues: ['treasury'] }]);
});

test('the first rule that fits is used, and a pair that none fits has no market', () => {
  const { rules } = read('BTC/USDC:stellar-dex;BTC/*:treasury');
  assert.deepEqual(venuesFor(rules, 'BTC', 'USDC'), ['stellar-dex']);
  assert.deepEqual(venuesFor(rules, 'BTC', 'XLM'), ['treasury']);
  assert.deepEqual(venuesFor(rules, 'XLM', 'USDC'), []);
  assert.deepEqual(venuesFor(rules, 'USDC', 'BTC'), []);
});

test('a venue that is named twice is tried once', () => {
  assert.deepEqual(read('*:treasury,stellar-dex,treasury').rules[0]?.venues, ['treasury', 'stellar-dex']);
});

test('what is no pair of assets and what is no venue is told, each in a sentence', () => {
  assert.deepEqual(read('BTC/DOGE:treasury').problems, [
    'VENUES must name pairs of asset codes such as BTC/USDC or *, but contains "BTC/DOGE".',
  ]);
  assert.equal(read('DOGE/CAT:treasury').problems.length, 2);
  assert.deepEqual(read('BTC:treasury').problems.length, 1); // nothing is credited
  assert.deepEqual(read('*:bazaar').problems, [
    'VENUES may name treasury and stellar-dex, but "*:bazaar" names "bazaar".',
  ]);
  assert.equal(read('BTC/USDC').problems.length, 1); // no venue
  assert.deepEqual(read('*:bazaar,treasury').rules[0]?.venues, ['treasury']);
});

test('the venues that there are', () => {
  assert.deepEqual(venueNames, ['treasury', 'stellar-dex']);
});
