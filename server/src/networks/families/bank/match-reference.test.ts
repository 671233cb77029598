import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  foldedReference,
  type KnownReference,
  knownByFolded,
  matchReference,
  type ReferenceMatch,
  referenceCandidates,
} from './match-reference.ts';
import { idOfRf, isRfReference, printedRf, rfReference } from './rf-reference.ts';

test('a reference is RF, check digits and the id, as ISO 11649 wants it', () => {
  assert.equal(rfReference('abc123def456'), 'RF19ABC123DEF456');
  assert.equal(printedRf('RF19ABC123DEF456'), 'RF19 ABC1 23DE F456');
  assert.equal(idOfRf(' rf19 abc1 23de f456 '), 'abc123def456');
  assert.equal(idOfRf('RF20ABC123DEF456'), null, 'wrong check digits');
  assert.throws(() => rfReference('ABC123DEF456'), /not an id/);
});

test('references that others publish as examples are right, and wrong with one character changed', () => {
  for (const right of ['RF18539007547034', 'RF45 G72U UR', 'RF6518K5', 'rf89MTR81UUWZYO48NY55NP3'])
    assert.ok(isRfReference(right), right);
  for (const wrong of [
    'RF18539007547035',
    'RF19539007547034',
    'RF00',
    'RF1853900754703412345678901',
    'XX18539007547034',
  ])
    assert.ok(!isRfReference(wrong), wrong);
  assert.equal(idOfRf('RF18539007547034'), '539007547034', 'twelve characters of somebody else look like ours');
  assert.equal(idOfRf('RF6518K5'), null);
});

const letters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789');
const ids = fc.array(fc.constantFrom(...letters), { minLength: 12, maxLength: 12 }).map((some) => some.join(''));

test('whatever the id, its reference is right and comes back; with another letter or digit in one place it is wrong', () => {
  fc.assert(
    fc.property(ids, fc.nat(15), fc.nat(9), (id, at, step) => {
      const reference = rfReference(id);
      assert.ok(isRfReference(reference));
      assert.equal(idOfRf(printedRf(reference)), id);
      // A letter for a digit moves all that is before it, which the check digits notice only mostly.
      const alike = /\d/.test(reference[at] ?? '') ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
      const letter = alike[(alike.indexOf(reference[at] ?? '') + step) % alike.length] ?? '';
      const other = `${reference.slice(0, at)}${letter}${reference.slice(at + 1)}`;
      assert.equal(isRfReference(other), other === reference, other);
    }),
  );
});

const target = (id: string): KnownReference => ({ id, targetKey: `key of ${id}` });

/** As a caller does: one look-up of what the candidates say, then the decision. */
function match(texts: readonly string[], all: readonly KnownReference[]): ReferenceMatch {
  const candidates = referenceCandidates(texts);
  const asked = new Set(candidates.folded);
  return matchReference(candidates, knownByFolded(all.filter(({ id }) => asked.has(foldedReference(id)))));
}

/** Random ids are so long that none is in a text by chance; those that a shrinking test makes may be. */
const isIn = (texts: readonly string[], id: string): boolean =>
  foldedReference(
    texts
      .join('')
      .normalize('NFKD')
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, ''),
  ).includes(foldedReference(id));

const matched = (id: string): ReferenceMatch => ({ kind: 'matched', targetKey: `key of ${id}` });

test('a reference is found in every form in which banks deliver it', () => {
  const id = 'abc123def456';
  for (const text of [
    'RF19ABC123DEF456',
    'rf19 abc1 23de f456',
    'SVWZ+Rechnung RF19 ABC1 23DE F456 DANKE EREF+NOTPROVIDED',
    'EREF+abc123def456 KREF+4711',
    'order abc-123-def-456',
    '/ROC/NOTPROVIDED//URI/ÀBC123DÉF456',
    'ref:ABC123DEF456/2026',
  ])
    assert.deepEqual(match([text], [target(id), target('zzz999zzz999')]), matched(id), text);
  assert.deepEqual(match(['Zahlung RF19ABC1', '23DEF456'], [target(id)]), matched(id), 'cut within it');
});

test('nothing that is known is none, and two targets are several: a person decides', () => {
  const [one, two] = [target('abc123def456'), target('uvw789xyz012')];
  assert.deepEqual(match(['thank you'], [one]), { kind: 'unmatched', why: 'none', targetKeys: [] });
  assert.deepEqual(match([], [one]), { kind: 'unmatched', why: 'none', targetKeys: [] });
  const both = match([`${rfReference(one.id)} und ${two.id}`], [one, two]);
  assert.deepEqual(both, { kind: 'unmatched', why: 'several', targetKeys: [one.targetKey, two.targetKey] });
});

test('a target with two names is one target', () => {
  const names = [target('abc123def456'), { id: 'uvw789xyz012', targetKey: 'key of abc123def456' }];
  assert.deepEqual(match(['abc123def456', 'uvw789xyz012'], names), matched('abc123def456'));
});

test('O for 0 and I for 1 are understood, unless they could be either of two targets', () => {
  const id = 'o1b0i3def456';
  assert.deepEqual(match(['RF42 01BO 13DE F456'], [target(id)]), matched(id));
  const twin = '01boi3def456';
  assert.deepEqual(match(['0IB0I3DEF456'], [target(id), target(twin)]), {
    kind: 'unmatched',
    why: 'several',
    targetKeys: [`key of ${id}`, `key of ${twin}`],
  });
  assert.deepEqual(match([id], [target(id), target(twin)]), matched(id), 'spelt exactly');
  const twice = match([`${id} ${twin}`], [target(id), target(twin)]);
  assert.equal(twice.kind, 'unmatched', 'both spelt exactly');
});

/** What stands around a reference: words, other references, marks of fields. */
const around = fc.array(
  fc.oneof(
    fc.constantFrom(
      'SVWZ+',
      'EREF+',
      'NOTPROVIDED',
      'KREF+',
      '/ROC/',
      'Rechnung Nr.',
      'RF18539007547034',
      'Grüße & Dank',
    ),
    fc.constantFrom('RF', 'RF19', 'DE89 3704 0044 0532 0130 00', '2026-11-18', 'ÖĞŁßé', '??', '\u{1f600}'),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  ),
  { maxLength: 6 },
);

const marks = ['', '\u0301', '\u0308', '\u0327'];
const confused: Readonly<Record<string, string>> = { O: '0', '0': 'O', I: '1', '1': 'I' };

type Mangling = {
  readonly lines: 35 | 27 | null;
  readonly form: 'printed' | 'whole' | 'id';
  readonly isLower: boolean;
  readonly isConfused: boolean;
  readonly spaces: readonly number[];
  readonly mark: string;
};
const manglings: fc.Arbitrary<Mangling> = fc.record({
  lines: fc.constantFrom(35, 27, null),
  form: fc.constantFrom('printed', 'whole', 'id'),
  isLower: fc.boolean(),
  isConfused: fc.boolean(),
  spaces: fc.array(fc.nat(16), { maxLength: 4 }),
  mark: fc.constantFrom(...marks),
});

function mangled(id: string, before: readonly string[], after: readonly string[], how: Mangling): string[] {
  const forms = { printed: printedRf(rfReference(id)), whole: rfReference(id), id };
  let text = forms[how.form].toUpperCase();
  if (how.isConfused) text = text.replaceAll(/[OI01]/g, (each) => confused[each] ?? each);
  for (const at of how.spaces) text = `${text.slice(0, at)} ${text.slice(at)}`;
  text += how.mark;
  if (how.isLower) text = text.toLowerCase();
  const whole = [...before, text, ...after].join(' ');
  if (how.lines === null) return [whole];
  const lines: string[] = [];
  for (let from = 0; from < whole.length; from += how.lines) lines.push(whole.slice(from, from + how.lines));
  return lines;
}

test('however a bank mangles it, a reference is found, and only that one', () => {
  fc.assert(
    fc.property(ids, around, around, manglings, fc.array(ids, { maxLength: 5 }), (id, before, after, how, others) => {
      const texts = mangled(id, before, after, how);
      const known = [id, ...others.filter((other) => !isIn(texts, other))].map(target);
      assert.deepEqual(match(texts, known), matched(id));
    }),
    { numRuns: 1000 },
  );
});

test('two that are mangled into one text are never taken for one', () => {
  fc.assert(
    fc.property(ids, ids, around, manglings, (id, other, between, how) => {
      fc.pre(foldedReference(id) !== foldedReference(other));
      const texts = [...mangled(id, [], between, how), ' ', ...mangled(other, [], [], how)];
      assert.equal(match(texts, [target(id), target(other)]).kind, 'unmatched');
    }),
  );
});

test('texts that do not name a target find none', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 140 })), fc.array(ids), (texts, others) => {
      const known = others.filter((other) => !isIn(texts, other)).map(target);
      assert.deepEqual(match(texts, known), { kind: 'unmatched', why: 'none', targetKeys: [] });
    }),
  );
});

test('a text of any length costs a bounded look-up, and a whole RF reference is found far behind', () => {
  const noise = 'Lorem 4711 ipsum dolor '.repeat(2_000);
  const candidates = referenceCandidates([noise, rfReference('abc123def456'), noise]);
  assert.ok(candidates.folded.length <= 2_000, String(candidates.folded.length));
  assert.deepEqual(match([noise, rfReference('abc123def456')], [target('abc123def456')]), matched('abc123def456'));
  const misspelt = `RF00${rfReference('abc123def456').slice(4)}`;
  assert.deepEqual(match([noise, misspelt], [target('abc123def456')]).kind, 'unmatched', 'its check digits are wrong');
  assert.deepEqual(match([noise, rfReference('o0i1o0i1o0i1')], [target('o0i1o0i1o0i1')]), matched('o0i1o0i1o0i1'));
  assert.ok(referenceCandidates(['x'.repeat(50_000_000)]).folded.length === 1);
});
