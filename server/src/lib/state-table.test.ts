import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derivedStates, statesByMove } from './state-table.ts';

type Light = 'red' | 'green' | 'dark';

const facts = { column: 'light.state', noun: 'light', first: ['red'], last: ['dark'] } as const;
const lights = statesByMove<Light, 'go' | 'stop' | 'break' | 'wait'>({
  ...facts,
  states: ['red', 'green', 'dark'],
  moves: {
    go: { red: 'green' },
    stop: { green: 'red', red: 'red' },
    break: { red: 'dark', green: 'dark' },
    wait: { red: 'red', green: 'green' },
  },
});

test('a move leads from where it can be made to one state, and from nowhere else', () => {
  assert.deepEqual([lights.moved('red', 'go'), lights.moved('red', 'stop')], ['green', 'red']);
  assert.deepEqual([lights.can('red', 'go'), lights.can('green', 'go')], [true, false]);
  assert.throws(() => lights.moved('dark', 'go'), /a light that is dark cannot go/);
});

test('SQL gets from where and to what as values', () => {
  assert.deepEqual(lights.pairs('wait'), { from: ['red', 'green'], to: ['red', 'green'] });
  assert.deepEqual([lights.from('break'), lights.to('break')], [['red', 'green'], 'dark']);
  assert.throws(() => lights.to('wait'), /what becomes of a light that can wait depends/);
});

test('the ways out of a state are those of all moves, once each, without staying', () => {
  assert.deepEqual(lights.ways, { red: ['green', 'dark'], green: ['red', 'dark'], dark: [] });
});

test('of a derived state staying is legal, and what the table has', () => {
  const derived = derivedStates<Light>({ ...facts, ways: lights.ways });
  assert.deepEqual([derived.canMove('red', 'red'), derived.canMove('red', 'green')], [true, true]);
  assert.equal(derived.canMove('dark', 'red'), false);
  derived.assertMove('red', 'dark');
  assert.throws(() => derived.assertMove('dark', 'red'), /a light that is dark cannot become red/);
  assert.deepEqual(
    [derived.before('red'), derived.before('dark')],
    [
      ['red', 'green'],
      ['red', 'green', 'dark'],
    ],
  );
});
