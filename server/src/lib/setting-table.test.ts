import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from './secret.ts';
import { choice, integer, list, onOrOff, secret, text } from './setting-kinds.ts';
import { createSettingsReader, describeSettings, type Environment, type SettingTable } from './setting-table.ts';

const table = {
  NAME: { kind: text, fallback: 'nobody', meaning: 'A name.' },
  COUNT: { kind: integer(1, 10), fallback: { sandbox: '2', production: '9' }, meaning: 'A count.' },
  COLOUR: {
    kind: choice('red', 'green'),
    fallback: 'red',
    meaning: 'A colour.',
    wrongInProduction: (colour?: string) => (colour === 'red' ? 'must not be red in production.' : null),
  },
  SWITCH: { kind: onOrOff, otherwise: 'as it was', meaning: 'A switch.' },
  TOKEN: { kind: secret, isRequired: true, otherwise: 'generated', meaning: 'A token.' },
  PARTS: {
    kind: list((part, { name, problem }) =>
      part === 'x' ? problem(`${name} must not contain "x".`) : part.toUpperCase(),
    ),
    fallback: '',
    otherwise: 'none',
    meaning: 'Parts.',
  },
} satisfies SettingTable;

function read(env: Environment, isProduction = false) {
  const { reader, problems } = createSettingsReader(env, isProduction);
  const value = reader.of(table, 'A_');
  const names = Object.keys(table) as (keyof typeof table)[];
  return { values: Object.fromEntries(names.map((name) => [name, value(name)])), problems };
}

test('what is not given has its fallback, in either mode, and what is required is asked for', () => {
  const { values, problems } = read({ A_NAME: '   ' });
  const { TOKEN, ...others } = values;
  assert.deepEqual(others, { NAME: 'nobody', COUNT: 2, COLOUR: 'red', SWITCH: undefined, PARTS: [] });
  assert.deepEqual([TOKEN, problems], [undefined, ['A_TOKEN must be set.']]);
  assert.equal(read({}, true).values['COUNT'], 9);
});

test('what is given is read, without the space around it', () => {
  const given = { A_NAME: ' Ann ', A_COUNT: '10', A_COLOUR: 'green', A_SWITCH: 'off', A_TOKEN: 't', A_PARTS: 'a, b,,' };
  const { values, problems } = read(given, true);
  const { TOKEN, ...others } = values;
  assert.deepEqual(others, { NAME: 'Ann', COUNT: 10, COLOUR: 'green', SWITCH: false, PARTS: ['A', 'B'] });
  assert.ok(TOKEN instanceof Secret && TOKEN.reveal() === 't');
  assert.deepEqual(problems, []);
});

test('all that is wrong is said, once, and the rest is read all the same', () => {
  const wrong = { A_COUNT: '11', A_COLOUR: 'blue', A_SWITCH: 'yes', A_TOKEN: 't', A_PARTS: 'a,x,x' };
  const { reader, problems } = createSettingsReader(wrong, false);
  const value = reader.of(table, 'A_');
  for (let time = 0; time < 2; time += 1)
    assert.deepEqual(
      [value('COUNT'), value('COLOUR'), value('SWITCH'), value('PARTS'), value('NAME')],
      [2, 'red', undefined, ['A'], 'nobody'],
    );
  assert.deepEqual(problems, [
    'A_COUNT must be a whole number from 1 to 10, but is "11".',
    'A_COLOUR must be red or green, but is "blue".',
    'A_SWITCH must be on or off, but is "yes".',
    'A_PARTS must not contain "x".',
    'A_PARTS must not contain "x".',
  ]);
  for (const count of ['0', '1.5', 'one', '-1', '1e0', '0x9'])
    assert.equal(read({ A_TOKEN: 't', A_COUNT: count }).problems.length, 1, count);
});

test('what production forbids is refused there only, whether it was given or is the fallback', () => {
  const forbidden = ['A_COLOUR must not be red in production.'];
  for (const env of [{ A_TOKEN: 't', A_COLOUR: 'red' }, { A_TOKEN: 't' }]) {
    assert.deepEqual(read(env, true).problems, forbidden);
    assert.deepEqual(read(env, false).problems, []);
  }
  assert.deepEqual(read({ A_TOKEN: 't', A_COLOUR: 'blue' }, true).problems, [
    'A_COLOUR must be red or green, but is "blue".',
  ]);
});

test('people are told the name, the fallback in words, the meaning, and what is secret', () => {
  const described = describeSettings(table, 'A_').map(({ name, fallback, isSecret }) => [name, fallback, isSecret]);
  assert.deepEqual(described, [
    ['A_NAME', 'nobody', false],
    ['A_COUNT', '2, or 9 in production', false],
    ['A_COLOUR', 'red', false],
    ['A_SWITCH', 'as it was', false],
    ['A_TOKEN', 'generated', true],
    ['A_PARTS', 'none', false],
  ]);
});

test('a fallback that cannot be read is a fault of ours', () => {
  const faulty = { COUNT: { kind: integer(1, 10), fallback: '11', meaning: '' } };
  assert.throws(() => createSettingsReader({}, false).reader.of(faulty)('COUNT'), /fallback of a setting is wrong/);
});
